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
    const Both<std::string> sides = column_names(diff);
    std::string legend;
    if (sides.a == "A") {
        legend = fmt::format("A is {}, B is {}.", printable(diff.a.name), printable(diff.b.name));
    }
    if (std::ranges::any_of(diff.cases, [](const CaseDiff& c) { return c.ratio.has_value(); })) {
        legend += fmt::format(
            "{}Above 1, {} is slower. │ is 1, ┊ an edge of the margin, ├█┤ the ratio and its "
            "interval, ◄ ► beyond the scale.",
            legend.empty() ? "" : " ", sides.b);
    }
    return matrix(diff, width, paint) + (legend.empty() ? "" : wrapped(legend, width, 0) + "\n");
}

Document summary_document(const Diff& diff) {
    Section head{.title = {}};
    for (std::string& line : headline(diff)) head.blocks.emplace_back(Paragraph{std::move(line)});
    return {
        .title = {},
        .blocks = {not_reached(diff), Section{.title = {}, .blocks = {Warnings{warnings(diff)}}},
                   std::move(head)}};
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

std::string text_summary(const Diff& diff, unsigned width, bool colour) {
    return text_of(summary_document(diff), width, colour);
}

std::string text_report(const Diff& diff, unsigned width, bool colour) {
    Document document = summary_document(diff);
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
