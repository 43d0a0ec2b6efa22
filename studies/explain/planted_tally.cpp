// Compares the causes that explanations name with the planted ones.
#include "studies/explain/planted_tally.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"
#include "studies/explain/knobs.hpp"

namespace parallax {

void PlantedTally::add(const PlantedGap& gap, const Explanation& found) {
    Row row{
        gap.name,
        gap.what,
        fmt::format("{:.3f} ({:.3f} to {:.3f})", found.gap.value, found.gap.low, found.gap.high),
        "nothing",
        duration(found.took_seconds),
        false};
    if (!found.conclusion.by.empty()) {
        const Trial& best = found.trials.at(found.conclusion.by.front());
        row.named = fmt::format("{}: {} on {}, closes {:.0f} %", fmt::join(best.knobs, " and "),
                                best.setting, name_of(best.side), 100 * best.closes);
        row.found = found.conclusion.explained && best.knobs.size() == 1 &&
                    std::ranges::find(gap.knobs, best.knobs.front()) != gap.knobs.end();
    }
    rows_.push_back(std::move(row));
}

void PlantedTally::add(const PlantedGap& gap, const std::string& problem) {
    rows_.push_back({gap.name, gap.what, "", problem, "", false});
}

std::size_t PlantedTally::missed() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(rows_, [](const Row& row) { return !row.found; }));
}

std::string PlantedTally::text() const {
    using enum Table::Align;
    Table table({left, left, left, left, right, left});
    table.add({"planted gap", "what was planted", "B over A", "named first", "took", ""});
    for (const Row& row : rows_) {
        table.add(
            {row.name, row.what, row.gap, row.named, row.took, row.found ? "found" : "MISSED"});
    }
    return table.text() + fmt::format("{} of {} planted causes were named first.\n",
                                      rows_.size() - missed(), rows_.size());
}

}  // namespace parallax
