// Why sides differ, in Markdown and as JSON: for pull requests, pages of documents and programs.
#include <fmt/format.h>

#include "common/text/text.hpp"
#include "report/explain/explanation_parts.hpp"
#include "report/markdown_words.hpp"
#include "report/report.hpp"
#include "studies/explain/explanation_names.hpp"

namespace parallax {
namespace {

using namespace report;

constexpr std::size_t most_markdown_lines = 60;

/// All of a section but its title.
std::string content_of(const Section& one) {
    std::string text;
    for (const Grid& grid : one.grids) {
        if (grid.title != one.title && !grid.rows.empty()) {
            text += fmt::format("**{}**\n\n", escaped(grid.title));
        }
        text += markdown_of(grid);
    }
    for (const TextLines& lines : one.texts) {
        text += escaped(lines.heading) + "\n\n";
        std::string block;
        for (const std::string& line : lines.lines) block += line + "\n";
        if (!block.empty()) text += fenced("diff", block) + "\n";
    }
    for (const std::string& sentence : one.sentences) text += "- " + escaped(sentence) + "\n";
    return one.sentences.empty() ? text : text + "\n";
}

/// The first section, what closes the gap, stands open; the others are folded.
std::string text_of(const Explanation& e) {
    std::string text = fmt::format("### {}: {}\n\n{}\n\n", escaped(printable(e.title)),
                                   escaped(heading_of(e)), escaped(printable(answer_in_words(e))));
    const std::vector<Section> sections = sections_of(e, most_markdown_lines);
    for (const Section& one : sections) {
        if (&one == &sections.front() && !e.trials.empty()) {
            text += fmt::format("**{}**\n\n{}", escaped(one.title), content_of(one));
        } else {
            text += fmt::format("<details><summary>{}</summary>\n\n{}</details>\n\n",
                                escaped(one.title), content_of(one));
        }
    }
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
