// Reads whole files, and refuses a case that stands twice in one run.
#include "records/result_set.hpp"

#include <fmt/format.h>

#include "common/error.hpp"

namespace parallax {

void ResultSet::take(Line line, unsigned line_number) {
    if (const auto* record = std::get_if<Record>(&line)) {
        const auto [known, is_new] =
            seen_.emplace(std::tuple{record->run.id, record->device, record->side,
                                     record->key.sorted(), record->program.edits},
                          line_number);
        if (!is_new) {
            throw UsageError(fmt::format(
                "{}:{}: {} on {} is there twice in one run, first in line {}. Was the file edited, "
                "or put together twice? Take one of the two lines out.",
                name, line_number, to_string(record->key), record->device, known->second));
        }
    }
    add(std::move(line));
}

ResultSet read_result_set(const std::string& path) {
    ResultSet set;
    set.name = path;
    const ReadSummary summary = read_results(
        path, [&](Line&& line, unsigned number) { set.take(std::move(line), number); });
    set.cut_short = summary.cut_short;
    if (set.records.empty()) {
        throw UsageError(
            fmt::format("{} holds no record. 'parallax run -o FILE' and 'parallax diff --data "
                        "FILE' write them.",
                        path));
    }
    return set;
}

}  // namespace parallax
