// Renders documents as text for a terminal.
#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "common/text/text.hpp"
#include "report/document.hpp"
#include "report/wording.hpp"

namespace parallax::report {
namespace {

constexpr std::size_t least_first_column = 12, most_log_lines = 30;

std::string indented(std::string_view text, std::size_t width, std::size_t indent,
                     std::size_t hang) {
    return std::string(indent, ' ') + wrapped(text, width, hang, indent) + "\n";
}

/// What is too wide for a table: a paragraph for each row.
std::string paragraphs_of(const Grid& grid, std::size_t width) {
    std::string out;
    for (const GridRow& one : grid.rows) {
        out += indented(spoken(grid, one), width, 2, 2);
        if (!one.note.empty()) out += indented(one.note, width, 6, 6);
    }
    return out;
}

std::string line_of(const Grid& grid, const std::vector<std::size_t>& columns, const GridRow* one) {
    std::string line = "  ";
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::string cell =
            clipped_within(one ? one->cells[i].text : grid.columns[i].name, columns[i]);
        const std::string space(columns[i] - columns_of(cell), ' ');
        line += (grid.columns[i].is_number ? space + cell : cell + space) + "  ";
    }
    return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string table_in_text(const Grid& grid, std::size_t width) {
    std::string below = grid.below.empty() ? "" : indented(grid.below, width, 2, 2);
    if (grid.rows.empty()) return below;
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < grid.columns.size(); ++i) {
        columns.push_back(columns_of(grid.columns[i].name));
        for (const GridRow& one : grid.rows) {
            columns[i] = std::max(columns[i], columns_of(one.cells[i].text));
        }
    }
    std::size_t last = columns.size();  // behind it there is nothing to see
    while (last > 1 && columns[last - 1] == 0) --last;
    std::size_t rest = 2;
    for (std::size_t i = 1; i < last; ++i) rest += columns[i] + 2;
    if (!grid.is_compared && rest + std::min(columns[0], least_first_column) > width) {
        return paragraphs_of(grid, width) + below;
    }
    if (!grid.is_compared) columns[0] = std::min(columns[0], width - rest);
    std::string out = line_of(grid, columns, nullptr);
    for (const GridRow& one : grid.rows) {
        out += line_of(grid, columns, &one);
        if (!one.note.empty()) out += indented(one.note, width, 6, 6);
    }
    return out + below;
}

bool begins_item(const std::string& line) {
    if (line.starts_with("- ") || line.starts_with("* ")) return true;
    const std::size_t digits = line.find_first_not_of("0123456789");
    return digits != 0 && digits != std::string::npos && line.substr(digits).starts_with(". ");
}

/// Markdown's paragraphs and lists in lines of `width`; code stays as it is.
std::string filled(const std::string& markdown, std::size_t width, std::size_t indent) {
    std::string out, paragraph;
    std::size_t hang = 0;
    bool in_code = false;
    const std::string margin(indent, ' ');
    const auto flush = [&] {
        if (paragraph.empty()) return;
        out += margin + wrapped(paragraph, width, indent + hang, indent) + "\n";
        paragraph.clear();
        hang = 0;
    };
    std::istringstream lines(markdown);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```")) {
            flush();
            in_code = !in_code;
            continue;
        }
        if (in_code) {
            out += margin + "    " + line + "\n";
            continue;
        }
        const std::size_t first = line.find_first_not_of(' ');
        if (first == std::string::npos) {
            flush();
            out += "\n";
            continue;
        }
        line.erase(0, first);
        if (begins_item(line) && (paragraph.empty() || hang > 0)) {
            flush();
            hang = line.find(' ') + 1;
        }
        if (!paragraph.empty()) paragraph += ' ';
        for (std::size_t at = 0; (at = line.find("**", at)) != line.npos;) line.erase(at, 2);
        paragraph += line;
    }
    flush();
    return out;
}

class TextRenderer {
public:
    TextRenderer(std::size_t width, bool colour, std::size_t most)
        : width_(std::max(width, least_width)), most_(std::min(width_, most)), paint_(colour) {}

    void draw(const Blocks& blocks) {
        for (const Block& block : blocks) {
            std::visit([this](const auto& one) { draw(one); }, block);
        }
    }
    std::string take() { return std::move(out_); }

private:
    void draw(const Section& section) {
        if (section.empty()) return;
        const std::string_view outer = title_;
        if (!section.title.empty()) title_ = section.title;
        if (!out_.empty()) out_ += "\n";
        if (!section.title.empty()) {
            out_ += paint_.heading(wrapped(section.title, most_, 2)) + "\n";
        }
        draw(section.blocks);
        title_ = outer;
    }
    void draw(const Paragraph& paragraph) {
        title_.empty() ? say(paragraph.text, 0)
                       : void(out_ += indented(paragraph.text, most_, 2, 2));
    }
    void draw(const Prose& prose) { out_ += filled(prose.markdown, most_, section_indent()); }
    void draw(const List& list) {
        for (const std::string& item : list.items) say(item, section_indent());
    }
    void draw(const Warnings& warnings) {
        for (const std::string& item : warnings.items) say("Warning: " + item, 0);
    }
    void draw(const ShellCommand& command) { out_ += "  " + command.line + "\n"; }
    void draw(const Grid& grid) {
        if (!grid.rows.empty() && !title_.empty() && grid.title != title_ && !grid.title.empty()) {
            out_ += "  " + grid.title + "\n";
        }
        out_ += table_in_text(grid, width_);
    }
    void draw(const Texts& texts) {
        for (const Preformatted& text : texts.items) draw(text);
    }
    void draw(const Preformatted& text) {
        const bool is_log = !text.is_difference && text.language.empty();
        if (!text.heading.empty()) say(text.heading, 2);
        for (std::size_t i = 0; i < text.lines.size(); ++i) {
            if (i == most_log_lines && is_log) {
                return say(fmt::format("... {} more lines; the report as JSON has them.",
                                       text.lines.size() - i),
                           4);
            }
            // As it is where it fits, so that a compiler's caret stays below its word.
            const std::string& line = text.lines[i];
            if (columns_of(line) + 4 <= width_ || !is_log) {
                const std::string shown = text.is_difference ? clipped(line, width_ - 4) : line;
                out_ += line.empty() ? "\n" : "    " + shown + "\n";
            } else {
                say(line, 4);
            }
        }
    }
    void draw(const TerminalPart& part) { out_ += part.draw(width_, paint_); }

    std::size_t section_indent() const { return title_.empty() ? 0 : 2; }

    void say(std::string_view text, std::size_t indent) {
        const std::string lines = wrapped(text, most_, indent + 2, indent);
        const bool alarms =
            std::ranges::any_of(std::array{"Warning: ", "THE CLOCK LIED", "MISSING"},
                                [&](const char* beginning) { return text.starts_with(beginning); });
        out_ += std::string(indent, ' ') + (alarms ? paint_.alarm(lines) : lines) + "\n";
    }

    std::size_t width_, most_;  ///< columns, and those of sentences
    Paint paint_;
    std::string out_;
    std::string_view title_;  ///< of the section that is drawn
};

}  // namespace

std::string text_of(const Document& document, std::size_t width, bool colour, std::size_t most) {
    TextRenderer renderer(width, colour, most);
    renderer.draw(document.blocks);
    return renderer.take();
}

}  // namespace parallax::report
