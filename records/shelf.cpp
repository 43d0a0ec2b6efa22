// Keeps records by suite and variant, and ranks them.
#include "records/shelf.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "common/error.hpp"

namespace parallax {

void Shelf::add(Record record) {
    auto& list = records_[{record.key.suite, record.key.variant}];
    list.push_back(std::move(record));
}

std::vector<const Record*> Shelf::of(std::string_view suite, std::string_view variant) const {
    std::vector<const Record*> list;
    const auto found = records_.find(std::pair{std::string(suite), std::string(variant)});
    if (found == records_.end()) return list;
    for (const Record& record : found->second) list.push_back(&record);
    return list;
}

const Record* best_of(const std::vector<const Record*>& records,
                      const std::vector<std::uint64_t>& size) {
    const auto rank = [&](const Record& record) {
        return std::tuple{record.status == Status::ok, size.empty() || record.key.shape == size,
                          std::string_view(record.run.started)};
    };
    const Record* best = nullptr;
    for (const Record* record : records) {
        if (!best || rank(*record) >= rank(*best)) best = record;
    }
    return best;
}

std::optional<std::int64_t> constant_in(const CaseKey& key, std::string_view constant) {
    const auto found =
        std::ranges::find(key.constants, constant, &std::pair<std::string, std::int64_t>::first);
    return found == key.constants.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::filesystem::path> result_files(const std::filesystem::path& path) {
    namespace fs = std::filesystem;
    std::error_code error;
    if (!fs::is_directory(path, error)) return {path};
    std::vector<fs::path> files;
    try {
        for (const auto& entry : fs::directory_iterator(path)) {
            if (entry.path().extension() == ".jsonl" && !entry.is_directory()) {
                files.push_back(entry.path());
            }
        }
    } catch (const fs::filesystem_error& problem) {
        throw UsageError(
            fmt::format("{} cannot be read: {}.", path.string(), problem.code().message()));
    }
    std::ranges::sort(files);
    return files;
}

}  // namespace parallax
