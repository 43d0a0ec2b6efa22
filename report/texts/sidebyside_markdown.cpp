// Writes two sources next to each other as Markdown.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/unique_values.hpp"
#include "report/markup.hpp"
#include "report/texts/sidebyside_texts.hpp"

namespace parallax {
namespace {

std::string code(std::string_view text) {
    return fmt::format("<code>{}</code>", report::escaped(shown_line(text)));
}

std::string block(const SideBySide& view, bool left) {
    std::string text;
    for (const LinePair& line : view.lines) {
        if ((left ? line.left : line.right) == 0) continue;
        text += shown_line(left ? line.left_text() : line.right_text()) + '\n';
    }
    return text;
}

/// A line without its indentation, with the parts that differ in bold.
std::string marked(const LinePair& line, std::string LinePart::*side) {
    std::string text;
    for (const LinePart& part : line.parts) {
        std::string one = part.*side;
        if (text.empty()) one.erase(0, std::min(one.find_first_not_of(" \t"), one.size()));
        if (one.empty()) continue;
        // Blanks next to a word are no part of it.
        const std::size_t first = std::min(one.find_first_not_of(' '), one.size());
        const std::size_t last = one.find_last_not_of(' ') + 1;
        const bool bold = part.differs() && first < last;
        const std::string shown = report::escaped(shown_line(one.substr(first, last - first)));
        text += one.substr(0, first) + (bold ? "<b>" + shown + "</b>" : shown);
        if (last > first) text += one.substr(last);
    }
    while (text.ends_with(' ')) text.pop_back();
    return text.empty() ? "" : "<code>" + text + "</code>";
}

std::string numbers_of(const LinePair& line) {
    std::vector<std::size_t> numbers;
    for (const LinePart& part : line.parts) {
        for (const std::size_t one : part.reasons) {
            if (part.differs()) add_once(numbers, one + 1);
        }
    }
    return fmt::format("{}", fmt::join(numbers, ", "));
}

std::string line_numbers(const LinePair& line) {
    if (line.left == line.right || line.right == 0) return std::to_string(line.left);
    return line.left == 0 ? std::to_string(line.right)
                          : fmt::format("{} / {}", line.left, line.right);
}

}  // namespace

std::string markdown_of(const SideBySide& view) {
    const auto titled = [&](const std::string& title, bool left) {
        const std::string_view language =
            title.starts_with("CUDA") || title.ends_with(".cu") ? "cuda" : "c";
        return fmt::format("{}\n\n{}\n", report::escaped(shown_line(title)),
                           report::fenced(language, block(view, left)));
    };
    std::string text = titled(view.left_title, true) + titled(view.right_title, false);
    const bool any = std::ranges::any_of(view.lines, &LinePair::differs);
    if (!any) return text + "Both are the same.\n";
    const bool reasons = !view.reasons.empty();
    std::vector<std::string> head{"line", report::escaped_cell(shown_line(view.left_title)),
                                  report::escaped_cell(shown_line(view.right_title))};
    if (reasons) head.emplace_back("why");
    text += report::head_row(head);
    for (const LinePair& line : view.lines) {
        if (!line.differs()) continue;
        std::vector<std::string> cells{line_numbers(line), marked(line, &LinePart::left),
                                       marked(line, &LinePart::right)};
        if (reasons) cells.push_back(numbers_of(line));
        text += report::row(cells);
    }
    if (!reasons) return text;
    std::vector<std::string> why{"", "OpenCL C", "CUDA C++", "means", "lines", "because"};
    if (view.reasons.front().is_from_cuda) std::swap(why[1], why[2]);
    text += "\n" + report::head_row(why);
    for (std::size_t i = 0; i < view.reasons.size(); ++i) {
        const MappingRule& row = *view.reasons[i].row;
        const LinePart words = words_of(view.reasons[i]);
        const std::string lines = lines_in_words(view.reasons[i].lines);
        text += report::row(
            {std::to_string(i + 1), code(words.left), words.right.empty() ? "" : code(words.right),
             std::string(name_of(row.equivalence)), lines.substr(lines.find(' ') + 1),
             report::escaped_cell(row.rationale)});
    }
    return text;
}

}  // namespace parallax
