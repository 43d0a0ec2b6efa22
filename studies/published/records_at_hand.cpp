// Reads the records of a folder of results.
#include "studies/published/records_at_hand.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text.hpp"
#include "records/results.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    try {
        for (const fs::directory_entry& device : fs::directory_iterator(folder)) {
            if (!device.is_directory()) continue;
            for (const fs::directory_entry& file : fs::directory_iterator(device.path())) {
                if (file.path().extension() == ".jsonl") files.push_back(file.path());
            }
        }
    } catch (const fs::filesystem_error& error) {
        throw UsageError(fmt::format(
            "Cannot read {}: {}. --results names a folder that has a folder for each device, as "
            "'parallax run' makes them.",
            printable(folder.string(), 200), error.code().message()));
    }
    std::ranges::sort(files);
    return files;
}

RecordAtHand record_at_hand(const Record& line) {
    RecordAtHand record{.suite = line.key.suite,
                        .variant = line.key.variant,
                        .type = line.key.type,
                        .shape = line.key.shape,
                        .constants = {},
                        .backend = line.where.backend,
                        .device = line.where.name,
                        .is_of_the_suite = is_of_the_suite(line),
                        .status = line.status,
                        .reason = line.reason,
                        .seconds = line.seconds(),
                        .bytes = line.work.bytes,
                        .operations = line.work.operations,
                        .started = line.run.started};
    for (const auto& [name, value] : line.key.constants) record.constants.push_back({name, value});
    return record;
}

}  // namespace

std::vector<RecordAtHand> records_at_hand(const fs::path& folder) {
    std::vector<RecordAtHand> records;
    for (const fs::path& file : files_in(folder)) {
        read_results(file, [&](Line&& line, unsigned) {
            if (const auto* record = std::get_if<Record>(&line)) {
                records.push_back(record_at_hand(*record));
            }
        });
    }
    return records;
}

}  // namespace parallax
