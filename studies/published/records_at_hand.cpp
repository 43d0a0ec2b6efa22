// Reads the records of a folder of results.
#include "studies/published/records_at_hand.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text.hpp"
#include "records/results.hpp"
#include "records/suite_record.hpp"

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

RecordAtHand record_at_hand(const Json& line) {
    const auto number = [&](const char* part, const char* member) {
        return line.contains(part) ? line[part].value(member, 0.0) : 0.0;
    };
    RecordAtHand record{.suite = line.at("suite"),
                        .variant = line.at("variant"),
                        .type = line.at("type"),
                        .shape = line.at("shape"),
                        .constants = {},
                        .backend = line.at("where").value("backend", ""),
                        .device = line.at("where").value("name", ""),
                        .is_of_the_suite = cli::is_of_the_suite(line),
                        .status = *status_named(line.at("status").get<std::string>()),
                        .reason = line.value("reason", ""),
                        .seconds = number("timing", "median"),
                        .bytes = number("work", "bytes"),
                        .operations = number("work", "operations"),
                        .started = line.at("run").value("started", "")};
    for (const auto& [name, value] : line.at("constants").items()) {
        record.constants.push_back({name, value});
    }
    return record;
}

}  // namespace

std::vector<RecordAtHand> records_at_hand(const fs::path& folder) {
    std::vector<RecordAtHand> records;
    for (const fs::path& file : files_in(folder)) {
        read_results(file, [&](Json&& line, unsigned) {
            if (!is_pair(line) && !is_explanation(line)) records.push_back(record_at_hand(line));
        });
    }
    return records;
}

}  // namespace parallax
