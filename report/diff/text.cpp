// The report for a terminal.
#include "common/text/text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "report/diff/case_table_text.hpp"
#include "report/diff/findings.hpp"
#include "report/report.hpp"

namespace parallax {
namespace {

using namespace report;

constexpr std::size_t most_logs = 8;

std::string matrix_with_legend(const Diff& diff, std::size_t width, const Paint& paint) {
    std::string legend =
        fmt::format("A is {}, B is {}.", printable(diff.a.name), printable(diff.b.name));
    if (std::ranges::any_of(diff.cases, [](const CaseDiff& c) { return c.ratio.has_value(); })) {
        legend +=
            " Above 1, B is slower. │ is 1, ┊ an edge of the margin, ├█┤ the ratio and its "
            "interval, ◄ ► beyond the scale.";
    }
    return matrix(diff, width, paint) + wrapped(legend, width, 0) + "\n";
}

/// Grids of sections have a line a case or more: the page shows them. Of logs it has the rest.
void shorten(Blocks& blocks) {
    std::erase_if(blocks, [](const Block& one) { return std::holds_alternative<Grid>(one); });
    Texts* const logs = blocks.empty() ? nullptr : std::get_if<Texts>(&blocks.back());
    if (!logs || logs->items.size() <= most_logs) return;
    logs->items[most_logs] = {
        fmt::format("{}; the report as JSON has them.",
                    counted(logs->items.size() - most_logs, "more compiler log"))};
    logs->items.resize(most_logs + 1);
}

}  // namespace

std::string text_report(const Diff& diff, unsigned width, bool colour) {
    Section head{.title = {}};
    for (std::string& line : headline(diff)) head.blocks.emplace_back(Paragraph{std::move(line)});
    Document document{
        .title = {},
        .blocks = {not_reached(diff), Section{.title = {}, .blocks = {Warnings{warnings(diff)}}},
                   std::move(head)}};
    if (!diff.cases.empty()) {
        const auto draw = [&diff](std::size_t columns, const Paint& paint) {
            return matrix_with_legend(diff, columns, paint);
        };
        document.blocks.emplace_back(Section{.title = {}, .blocks = {TerminalPart{draw}}});
    }
    for (Section& one : sections_of(diff)) {
        shorten(one.blocks);
        document.blocks.emplace_back(std::move(one));
    }
    return text_of(document, width, colour);
}

}  // namespace parallax
