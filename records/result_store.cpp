// Indexes records by suite and variant, and ranks them.
#include "records/result_store.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/install_paths.hpp"
#include "common/text/text.hpp"
#include "records/results.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

/// The constants of a suite's variant, overridden by the key's, and those that follow from its
/// shape, if any; empty: the suite is unknown here.
Constants constants_with(const CaseKey& key) {
    const auto suite = std::ranges::find(suites(), key.suite, &Suite::name);
    if (suite == suites().end()) return {};
    const auto variant = std::ranges::find(suite->variants, key.variant, &Variant::name);
    if (variant == suite->variants.end()) return {};
    Constants constants = constants_of(*suite, *variant, key.constants);
    if (key.shape.size() != suite->dimensions.size()) return constants;
    const ElementType type = element_type_named(key.type).value_or(suite->types.front());
    return with_shape({&*suite, &*variant, {}, type, std::move(constants)}, {key.shape}).constants;
}

/// Whether the constant was not chosen: its value follows from the size.
bool follows_from_size(const CaseKey& key, const Constant& one) {
    const auto suite = std::ranges::find(suites(), key.suite, &Suite::name);
    if (suite == suites().end()) return false;
    const auto spec = std::ranges::find(suite->constants, one.name, &ConstantSpec::name);
    return spec != suite->constants.end() && spec->follows;
}

int badness(Status status) {
    constexpr std::array order{Status::skipped, Status::unsupported, Status::refused,
                               Status::checked, Status::ok,          Status::failed,
                               Status::wrong};
    return static_cast<int>(std::ranges::find(order, status) - order.begin());
}

/// The entries of a folder, sorted. @throws UsageError
std::vector<fs::path> entries_of(const fs::path& folder) {
    std::vector<fs::path> entries;
    try {
        for (const auto& entry : fs::directory_iterator(folder)) entries.push_back(entry.path());
    } catch (const fs::filesystem_error& problem) {
        throw UsageError(fmt::format("{} cannot be read: {}.", printable(folder.string(), 200),
                                     problem.code().message()));
    }
    std::ranges::sort(entries);
    return entries;
}

}  // namespace

CaseKey completed(CaseKey key) {
    for (const Constant& usual : constants_with(key)) {
        if (!key.value_of(usual.name)) key.constants.push_back(usual);
    }
    return key;
}

bool is_case(const CaseKey& kept, const CaseKey& wanted) {
    if (kept.suite != wanted.suite || kept.variant != wanted.variant) return false;
    if (!wanted.type.empty() && kept.type != wanted.type) return false;
    if (!wanted.shape.empty() && kept.shape != wanted.shape) return false;
    if (wanted.constants.empty()) return true;
    const CaseKey whole = completed(kept);
    return std::ranges::all_of(wanted.constants, [&](const Constant& one) {
        return whole.value_of(one.name).value_or(one.value) == one.value;
    });
}

Constants unusual_constants(const CaseKey& kept, const CaseKey& wanted) {
    const Constants usual = constants_with(wanted);
    Constants unusual;
    std::ranges::copy_if(kept.constants, std::back_inserter(unusual), [&](const Constant& one) {
        return !follows_from_size(kept, one) && std::ranges::find(usual, one) == usual.end();
    });
    return unusual;
}

double size_of_problem(const std::vector<std::uint64_t>& shape) {
    double size = 1;
    for (const std::uint64_t extent : shape) size *= static_cast<double>(extent);
    return size;
}

void ResultStore::add(Record record) {
    auto& list = records_[{record.key.suite, record.key.variant}];
    list.push_back(std::move(record));
}

Records ResultStore::of(const CaseKey& wanted) const {
    Records list;
    const auto found = records_.find({wanted.suite, wanted.variant});
    if (found == records_.end()) return list;
    for (const Record& record : found->second) {
        if (is_case(record.key, wanted)) list.push_back(&record);
    }
    return list;
}

const Record* chosen(const Records& records, SelectionPolicy choice, const CaseKey& wanted) {
    const auto by_figures = [&](const Record* record) {
        return std::tuple(record->status == Status::ok, record->key.shape == wanted.shape,
                          -std::ssize(unusual_constants(record->key, wanted)),
                          size_of_problem(record->key.shape),
                          std::string_view(record->run.started));
    };
    const Record* best = nullptr;
    for (const Record* record : records) {
        const bool is_better = !best || (choice == SelectionPolicy::worst
                                             ? badness(record->status) >= badness(best->status)
                                             : by_figures(record) >= by_figures(best));
        if (is_better) best = record;
    }
    return best;
}

std::vector<std::uint64_t> common_size(const std::vector<Records>& of_each_case) {
    std::map<std::vector<std::uint64_t>, std::size_t> cases;
    for (const Records& records : of_each_case) {
        std::set<std::vector<std::uint64_t>> sizes;
        for (const Record* record : records) {
            if (record->status == Status::ok) sizes.insert(record->key.shape);
        }
        for (const auto& size : sizes) ++cases[size];
    }
    const auto most = std::ranges::max_element(cases, {}, [](const auto& one) {
        return std::pair(one.second, size_of_problem(one.first));
    });
    return most == cases.end() ? std::vector<std::uint64_t>{} : most->first;
}

std::vector<fs::path> result_files(const fs::path& named) {
    std::error_code error;
    const fs::path path = here_or_installed(named);
    if (!fs::is_directory(path, error)) return {path};
    std::vector<fs::path> files = entries_of(path);
    std::erase_if(files, [](const fs::path& file) {
        return file.extension() != ".jsonl" || fs::is_directory(file);
    });
    return files;
}

std::vector<Record> records_of_devices(const fs::path& folder) {
    std::vector<Record> records;
    for (const fs::path& device : entries_of(here_or_installed(folder))) {
        if (!fs::is_directory(device)) continue;
        for (const fs::path& file : result_files(device)) {
            read_results(file, [&](ResultEntry&& line, unsigned) {
                if (auto* record = std::get_if<Record>(&line)) {
                    records.push_back(std::move(*record));
                }
            });
        }
    }
    return records;
}

}  // namespace parallax
