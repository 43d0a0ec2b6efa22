// Counts the results of mutants by suite, and reads what is argued.
#include "tests/mutation/tally.hpp"

#include <array>

#include <fmt/format.h>

#include "common/text/embedded_file.hpp"
#include "common/text/text_lines.hpp"
#include "common/text/unique_values.hpp"

namespace parallax {

std::span<const EmbeddedFile> embedded_equivalents();

std::set<std::string_view> argued_mutants() {
    std::set<std::string_view> names;
    for (const std::string_view line : lines_of(embedded_equivalents().front().text)) {
        if (!line.empty() && line[0] != '#' && line[0] != ' ') names.insert(line);
    }
    return names;
}

namespace {

/// A longer array of a work-group: the additional elements are not used.
bool has_room_to_spare(const Mutant& mutant) {
    const std::size_t line = mutant.name.find(" in: __local ");
    return (mutant.change == "constant one more" || mutant.change == "integer one more") &&
           line != mutant.name.npos && mutant.name.find('=', line) == mutant.name.npos;
}

}  // namespace

std::vector<std::string> hold_against(const std::set<std::string_view>& argued,
                                      std::vector<Tried>& all) {
    std::vector<std::string> wrong;
    for (Tried& one : all) {
        const bool is_named = argued.contains(one.mutant.name);
        one.is_argued = one.end == End::lived && (is_named || has_room_to_spare(one.mutant));
        if (!is_named) continue;
        if (!is_noticed(one.end) && one.end != End::not_built) continue;
        wrong.push_back(fmt::format("It is argued to be no error, and {} says it is {}: {}",
                                    one.device, name_of(one.end), one.mutant.name));
    }
    return wrong;
}

bool is_open(const Tried& one) {
    return one.end == End::lived && !one.is_argued;
}

std::string table_of(std::span<const Tried> all) {
    constexpr std::size_t argued = names_of_ends.size();
    using Counts = std::array<std::size_t, argued + 1>;
    std::vector<std::pair<std::string, Counts>> rows;
    Counts sum{};
    for (const Tried& one : all) {
        const std::size_t column = one.is_argued ? argued : static_cast<std::size_t>(one.end);
        ++at_key(rows, one.suite)[column];
        ++sum[column];
    }
    rows.emplace_back("all", sum);
    std::string text = fmt::format("{:<16}", "suite");
    for (const std::string_view name : names_of_ends) text += fmt::format(" {:>9}", name);
    text += "    argued\n";
    for (const auto& [name, counts] : rows) {
        text += fmt::format("{:<16}", name);
        for (const std::size_t count : counts) text += fmt::format(" {:>9}", count);
        text += '\n';
    }
    std::size_t noticed = 0;
    for (const End end : {End::wrong, End::refused, End::died})
        noticed += sum[static_cast<std::size_t>(end)];
    return text + fmt::format(
                      "{} of {} that compile to another kernel were noticed, {} are argued "
                      "for.\n",
                      noticed, noticed + sum[static_cast<std::size_t>(End::lived)], sum[argued]);
}

}  // namespace parallax
