// Renders documents as GitHub's Markdown.
#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"
#include "report/document.hpp"
#include "report/markup.hpp"
#include "report/wording.hpp"

namespace parallax::report {
namespace {

constexpr std::size_t longest_title = 120, longest_sentence = 1'500, longest_log_line = 200,
                      most_markdown_lines = 30;
/// Kept free in each section for the words that end it.
constexpr std::size_t ending = 200;

std::string sentence(std::string_view text) {
    return escaped(clipped(text, longest_sentence));
}

std::string cell_words(const Cell& cell) {
    switch (cell.style) {
        case Cell::Style::plain: break;
        case Cell::Style::markup: return cell.text;
        case Cell::Style::name: return "`" + cell.text + "`";
        case Cell::Style::strong: return "**" + escaped_cell(cell.text) + "**";
        case Cell::Style::code:
            return "<code>" + escaped(clipped(cell.text, longest_title)) + "</code>";
    }
    return escaped_cell(clipped(cell.text, longest_sentence));
}

/// The rows of a grid, its head first.
std::vector<std::string> rows_of(const Grid& grid) {
    const auto is_shown = [&](std::size_t column) { return !grid.is_of_bars(column); };
    const bool noted =
        std::ranges::any_of(grid.rows, [](const GridRow& one) { return !one.note.empty(); });
    std::vector<std::string> head, rule, rows;
    for (std::size_t i = 0; i < grid.columns.size(); ++i) {
        if (!is_shown(i)) continue;
        head.push_back(escaped_cell(grid.columns[i].name));
        rule.emplace_back(grid.columns[i].is_number ? "---:" : "---");
    }
    if (noted) head.emplace_back();
    if (noted) rule.emplace_back("---");
    rows.push_back(row(head) + row(rule));
    for (const GridRow& one : grid.rows) {
        std::vector<std::string> cells;
        for (std::size_t i = 0; i < one.cells.size(); ++i) {
            if (is_shown(i)) cells.push_back(cell_words(one.cells[i]));
        }
        if (!one.tags.empty()) cells.front() += fmt::format(" ({})", fmt::join(one.tags, ", "));
        if (noted) cells.push_back(escaped(one.note));
        rows.push_back(row(cells));
    }
    return rows;
}

class MarkdownRenderer {
public:
    explicit MarkdownRenderer(std::size_t most) : most_(most) {}

    void draw(const Blocks& blocks) {
        for (const Block& block : blocks) {
            std::visit([this](const auto& one) { draw(one); }, block);
        }
    }
    std::string take() { return std::move(out_); }

private:
    void draw(const Grid& grid) {
        if (grid.is_picture) return;
        if (!grid.rows.empty()) {
            if (!title_.empty() && grid.title != title_ && !grid.title.empty()) {
                out_ += fmt::format("**{}**\n\n", escaped(grid.title));
            }
            std::vector<std::string> rows = rows_of(grid);
            out_ += rows.front();
            rows.erase(rows.begin());
            const std::string& first = grid.columns.front().name;
            as_many_as_fit(rows, first.empty() ? "row" : first);
            out_ += "\n";
        }
        if (!grid.below.empty()) out_ += escaped(grid.below) + "\n\n";
    }
    bool fits(std::size_t bytes) const { return out_.size() + bytes + ending <= section_ends_; }

    void as_many_as_fit(const std::vector<std::string>& texts, std::string_view what) {
        std::size_t left_out = 0;
        for (const std::string& text : texts) {
            if (left_out == 0 && fits(text.size())) {
                out_ += text;
            } else {
                ++left_out;
            }
        }
        if (left_out > 0) {
            out_ += fmt::format("\n{} left out: GitHub takes no longer text.\n",
                                counted(left_out, fmt::format("more {}", what)));
        }
    }

    void draw(const Section& section) {
        const auto outer = std::pair(title_, section_ends_);
        if (!section.title.empty()) title_ = section.title;
        if (most_ != std::string::npos && section_ends_ == std::string::npos) {
            section_ends_ = out_.size() + (most_ - std::min(most_, out_.size())) / 3;
        }
        if (section.is_folded) {
            out_ += fmt::format("<details><summary>{}</summary>\n\n",
                                escaped(clipped(section.title, longest_title)));
        } else if (!section.title.empty()) {
            const std::string title = section.is_markup ? section.title : sentence(section.title);
            out_ += section.level == 0
                        ? fmt::format("**{}**\n\n", title)
                        : fmt::format("{} {}\n\n", std::string(section.level, '#'), title);
        }
        draw(section.blocks);
        if (section.is_folded) out_ += "</details>\n\n";
        std::tie(title_, section_ends_) = outer;
    }
    void draw(const Paragraph& paragraph) { out_ += sentence(paragraph.text) + "\n\n"; }
    void draw(const Prose& prose) { out_ += prose.markdown + "\n\n"; }
    void draw(const List& list) {
        if (list.items.empty()) return;
        std::vector<std::string> texts;
        for (const std::string& text : list.items) texts.push_back("- " + sentence(text) + "\n");
        as_many_as_fit(texts, "line");
        out_ += "\n";
    }
    void draw(const Warnings& warnings) {
        if (warnings.items.empty()) return;
        std::vector<std::string> texts;
        for (const std::string& text : warnings.items) {
            texts.push_back("> **Warning:** " + sentence(text) + "\n>\n");
        }
        as_many_as_fit(texts, "warning");
        out_ += "\n";
    }
    void draw(const ShellCommand& command) { out_ += fmt::format("    {}\n\n", command.line); }
    void draw(const Texts& texts) {
        std::vector<std::string> blocks;
        for (const Preformatted& text : texts.items) blocks.push_back(block_of(text));
        as_many_as_fit(blocks, "log");
    }
    static std::string block_of(const Preformatted& text) {
        const bool is_code = !text.language.empty();
        const std::string_view mark = is_code ? "*" : "";
        std::string lines, block = text.heading.empty() ? ""
                                                        : fmt::format("{}{}{}\n\n", mark,
                                                                      sentence(text.heading), mark);
        for (std::size_t i = 0; i < text.lines.size(); ++i) {
            if (i == most_markdown_lines && !text.is_difference && !is_code) {
                lines += fmt::format("... {} more lines\n", text.lines.size() - i);
                break;
            }
            lines += (is_code ? text.lines[i] : clipped(text.lines[i], longest_log_line)) + "\n";
        }
        const std::string_view language = is_code              ? std::string_view(text.language)
                                          : text.is_difference ? "diff"
                                                               : "text";
        if (!lines.empty()) block += fenced(language, lines) + "\n";
        return block;
    }

    std::string out_;
    std::string_view title_;                        ///< of the section that is drawn
    std::size_t most_;                              ///< bytes of all
    std::size_t section_ends_ = std::string::npos;  ///< length at which the outermost one ends
};

}  // namespace

std::string markdown_of(const Document& document, std::size_t most) {
    MarkdownRenderer renderer(most);
    renderer.draw(document.blocks);
    return (document.title.empty() ? "" : fmt::format("# {}\n\n", escaped(document.title))) +
           renderer.take();
}

}  // namespace parallax::report
