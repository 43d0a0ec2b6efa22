// Why sides differ, in Markdown and as JSON: for pull requests, pages of documents and programs.
#include <fmt/format.h>

#include "common/text.hpp"
#include "report/explain/explanation_parts.hpp"
#include "report/markdown_words.hpp"
#include "report/report.hpp"
#include "studies/explain/explanation_names.hpp"

namespace parallax {
namespace {

using namespace report;

constexpr std::size_t most_markdown_lines = 60;

std::string table_of(const Grid& grid) {
    bool noted = false;
    for (const Grid::Row& one : grid.rows) noted = noted || !one.note.empty();
    std::string text;
    const auto add = [&](const std::vector<std::string>& cells, const std::string& note, auto as) {
        std::vector<std::string> all = escaped_cells(cells);
        if (noted) all.push_back(escaped(note));
        text += as(all);
    };
    add(grid.head, "", head_row);
    for (const Grid::Row& one : grid.rows) add(one.cells, one.note, row);
    return text;
}

std::string part(const Grid& grid) {
    std::string text;
    if (!grid.rows.empty()) text += table_of(grid) + "\n";
    if (!grid.below.empty()) text += escaped(grid.below) + "\n\n";
    return text;
}

std::string folded(std::string_view title, const std::string& content) {
    if (content.empty()) return {};
    return fmt::format("<details><summary>{}</summary>\n\n{}</details>\n\n", escaped(title),
                       content);
}

std::string bullets(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& one : sentences) text += "- " + escaped(printable(one)) + "\n";
    return text.empty() ? text : text + "\n";
}

std::string changes_text(const Explanation& e) {
    std::string text;
    for (const TextChanges& one : text_changes(e, most_markdown_lines)) {
        text += escaped(one.title) + "\n\n";
        std::string lines;
        for (const std::string& line : one.lines) lines += line + "\n";
        if (!lines.empty()) text += fenced("diff", lines) + "\n";
    }
    return text;
}

std::string text_of(const Explanation& e) {
    std::string text = fmt::format("### {}: {}\n\n{}\n\n", escaped(printable(e.title)),
                                   escaped(heading_of(e)), escaped(printable(answer_in_words(e))));
    const Grid trials = trials_grid(e);
    if (!trials.rows.empty()) text += fmt::format("**{}**\n\n{}", trials.title, part(trials));
    for (const Grid& grid : {origin_grid(e), stages_grid(e)})
        text += folded(grid.title, part(grid));
    std::string evidence = part(resources_grid(e));
    for (const Grid& grid : {ptx_mix_grid(e), machine_mix_grid(e)}) {
        if (!grid.rows.empty()) evidence += fmt::format("**{}**\n\n{}", grid.title, part(grid));
    }
    text += folded("What the compilers made of it", evidence);
    text += folded("Where the texts differ", changes_text(e));
    text += folded("Ruled out", bullets(e.conclusion.ruled_out));
    text += folded("Not tried", bullets(e.conclusion.not_tried));
    return text;
}

}  // namespace

std::string markdown_report(const std::vector<Explanation>& explanations) {
    std::string text;
    if (explanations.size() != 1) text = tally_of(explanations) + "\n\n";
    for (const Explanation& e : explanations) text += text_of(e);
    return text;
}

}  // namespace parallax
