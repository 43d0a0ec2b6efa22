// Counts the results of mutants by suite.
#include "benchmarks/mutation/tally.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "common/text/text_lines.hpp"

namespace parallax {
namespace {

struct Row {
    std::map<End, std::size_t> of;
    std::size_t argued = 0;

    std::size_t all() const {
        std::size_t sum = 0;
        for (const auto& [end, count] : of) sum += count;
        return sum;
    }
};

std::string line_of(std::string_view name, Row& row) {
    return fmt::format("{:<16} {:>7} {:>9} {:>9} {:>9} {:>6} {:>7} {:>5} {:>6} {:>5}\n", name,
                       row.all(), row.of[End::not_tried], row.of[End::not_built],
                       row.of[End::same_code], row.of[End::wrong], row.of[End::refused],
                       row.of[End::died], row.argued, row.of[End::lived] - row.argued);
}

bool is_open(const Tried& one, bool gate_alone) {
    return one.end >= End::lived && !one.is_argued && !is_noticed(one.end, gate_alone);
}

}  // namespace

std::size_t open_in(std::span<const Tried> all, bool gate_alone) {
    return static_cast<std::size_t>(
        std::ranges::count_if(all, [&](const Tried& one) { return is_open(one, gate_alone); }));
}

std::string table_of(std::span<const Tried> all, bool gate_alone) {
    std::vector<std::pair<std::string, Row>> rows;
    Row sum;
    for (const Tried& one : all) {
        if (rows.empty() || rows.back().first != one.suite) rows.push_back({one.suite, {}});
        for (Row* row : {&rows.back().second, &sum}) {
            ++row->of[one.end];
            row->argued += one.is_argued;
        }
    }
    std::string text = fmt::format("{:<16} {:>7} {:>9} {:>9} {:>9} {:>6} {:>7} {:>5} {:>6} {:>5}\n",
                                   "suite", "mutants", "not tried", "not built", "same code",
                                   "wrong", "refused", "died", "argued", "lived");
    for (auto& [name, row] : rows) text += line_of(name, row);
    text += line_of("all", sum);
    const std::size_t open = open_in(all, gate_alone);
    const auto noticed = static_cast<std::size_t>(std::ranges::count_if(
        all, [&](const Tried& one) { return is_noticed(one.end, gate_alone); }));
    text += fmt::format("{} of {} that compile to another kernel were noticed{}, {} are argued for",
                        noticed, noticed + open, gate_alone ? " by verification" : "", sum.argued);
    return text + ".\n";
}

std::string list_of(std::span<const Tried> all) {
    std::string text;
    for (const Tried& one : all) {
        if (one.end == End::not_tried) continue;
        text += fmt::format("{}\t{}\t{}\n", one.is_argued ? "argued" : name_of(one.end), one.device,
                            one.mutant.name);
    }
    return text;
}

std::vector<std::string> names_in(std::string_view list) {
    std::vector<std::string> names;
    for (const std::string_view line : lines_of(list)) {
        if (!line.empty()) names.emplace_back(line.substr(line.rfind('\t') + 1));
    }
    return names;
}

}  // namespace parallax
