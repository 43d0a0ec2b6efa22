// Today's figures for what was published: the best record of each device and backend.
#include "studies/published/published_records.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text.hpp"
#include "records/results.hpp"
#include "studies/published/published_cases.hpp"

namespace parallax::cli {
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

/// A constant that the suite got after the record was made had the value that it has by itself.
bool names_all(const Today& today, const Circumstances& line) {
    std::vector<Constant> usual;
    return std::ranges::all_of(line.constants, [&](const Constant& wanted) {
        const auto found = std::ranges::find(today.constants, wanted.name, &Constant::name);
        if (found != today.constants.end()) return found->value == wanted.value;
        if (usual.empty()) usual = constants_of(*line.suite, *line.variant, {});
        return std::ranges::find(usual, wanted) != usual.end();
    });
}

}  // namespace

std::vector<Constant> unusual(const Today& today, const Circumstances& line) {
    std::vector<Constant> usual = constants_of(*line.suite, *line.variant, {});
    usual.insert(usual.end(), line.constants.begin(), line.constants.end());
    std::vector<Constant> others;
    for (const Constant& constant : today.constants) {
        if (std::ranges::find(usual, constant) == usual.end()) others.push_back(constant);
    }
    return others;
}

TodaysRecords::TodaysRecords(const fs::path& folder) {
    for (const fs::path& file : files_in(folder)) {
        read_results(file, [&](Line&& line, unsigned) {
            if (const auto* record = std::get_if<Record>(&line)) take(*record);
        });
    }
    std::ranges::sort(where_, {}, [](const Where& where) {
        return std::tuple(where.device, where.backend != "opencl", where.backend);
    });
}

void TodaysRecords::take(const Record& line) {
    if (!is_of_the_suite(line)) return;
    Today today{.device = line.where.name,
                .backend = line.where.backend,
                .suite = line.key.suite,
                .variant = line.key.variant,
                .type = line.key.type,
                .status = line.status,
                .reason = line.reason,
                .seconds = line.seconds(),
                .bytes = line.work.bytes,
                .operations = line.work.operations,
                .started = line.run.started};
    today.shape.extents = line.key.shape;
    for (const auto& [name, value] : line.key.constants) today.constants.push_back({name, value});
    const Where where{today.device, today.backend, !line.where.compute_capability.empty()};
    if (std::ranges::find(where_, where) == where_.end()) where_.push_back(where);
    auto& list = records_[{today.suite, today.variant}];
    list.push_back(std::move(today));
}

std::vector<const Today*> TodaysRecords::candidates(const Circumstances& line,
                                                    const std::string& device) const {
    std::vector<const Today*> list;
    const auto found = records_.find({line.suite->name, line.variant->name});
    if (found == records_.end()) return list;
    for (const Today& today : found->second) {
        if (today.device == device && today.type == name_of(line.suite->types.front()) &&
            names_all(today, line)) {
            list.push_back(&today);
        }
    }
    return list;
}

const Today* TodaysRecords::best(const Circumstances& line, const std::string& device,
                                 const std::string& backend) const {
    const auto rank = [&](const Today& today) {
        return std::tuple(today.status != Status::skipped, today.shape.extents == line.shape,
                          -static_cast<std::ptrdiff_t>(unusual(today, line).size()),
                          size_of_problem(today.shape.extents), today.started);
    };
    const Today* best = nullptr;
    for (const Today* today : candidates(line, device)) {
        if (today->backend != backend) continue;
        if (best == nullptr || rank(*best) < rank(*today)) best = today;
    }
    return best;
}

std::vector<std::uint64_t> TodaysRecords::common_shape(const std::vector<Circumstances>& lines,
                                                       const Suite& suite,
                                                       const std::string& device) const {
    std::map<std::vector<std::uint64_t>, std::set<const Circumstances*>> having;
    for (const Circumstances& line : lines) {
        if (line.suite != &suite || !line.shape.empty()) continue;
        for (const Today* today : candidates(line, device)) {
            if (today->status == Status::ok && unusual(*today, line).empty()) {
                having[today->shape.extents].insert(&line);
            }
        }
    }
    const auto rank = [](const auto& entry) {
        return std::pair(entry.second.size(), size_of_problem(entry.first));
    };
    const auto most = std::ranges::max_element(having, {}, rank);
    return most == having.end() ? std::vector<std::uint64_t>{} : most->first;
}

}  // namespace parallax::cli
