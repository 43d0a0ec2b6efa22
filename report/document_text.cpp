// Renders documents as text for a terminal.
#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"
#include "report/document.hpp"
#include "report/wording.hpp"

namespace parallax::report {
namespace {

constexpr std::size_t most_log_lines = 30, least_bar = 11, widest_bar = 41;
constexpr std::string_view bar_legend =
    "│ is 1, ┊ an edge of the margin, ├█┤ the ratio and its interval, ◄ ► beyond the scale.";
/// Drawn as a blank: at others cells are wrapped.
constexpr std::string_view no_break = "\x01";

/// Gives a text back as it is where colour is off.
class Paint {
public:
    explicit Paint(bool colour) : colour_(colour) {}
    std::string in(std::string_view code, std::string_view text) const {
        return colour_ && !text.empty() ? fmt::format("\033[{}m{}\033[0m", code, text)
                                        : std::string(text);
    }
    std::string verdict(Verdict verdict, std::string_view text) const {
        switch (verdict) {
            case Verdict::same:
            case Verdict::equal:
            case Verdict::within_tolerance: return std::string(text);
            case Verdict::faster: return in("32", text);
            case Verdict::slower: return in("33", text);
            case Verdict::undecided:
            case Verdict::refused: return in("35", text);
            case Verdict::wrong:
            case Verdict::failed: return in("1;31", text);
            case Verdict::not_comparable: break;
        }
        return in("2", text);
    }

private:
    bool colour_;
};

std::string indented(std::string_view text, std::size_t width, std::size_t indent,
                     std::size_t hang) {
    return std::string(indent, ' ') + wrapped(text, width, hang, indent) + "\n";
}

/// A row in one line, each cell behind the name of its column.
std::string spoken(const Grid& grid, const GridRow& one) {
    std::vector<std::string> said;
    for (std::size_t i = 0; i < grid.columns.size(); ++i) {
        const std::string &text = one.cells[i].text, &name = grid.columns[i].name;
        if (!text.empty()) said.push_back(name.empty() ? text : name + " " + text);
    }
    return fmt::format("{}", fmt::join(said, ", "));
}

/// A grid that is too wide for a table: one paragraph per row.
std::string paragraphs_of(const Grid& grid, std::size_t width) {
    std::string out;
    for (const GridRow& one : grid.rows) {
        out += indented(spoken(grid, one), width, 2, 2);
        if (!one.note.empty()) out += indented(one.note, width, 6, 6);
    }
    return out;
}

/// The column of a bar in which a value is drawn; it may be outside.
int place_of(double value, const Scale& scale, int columns) {
    const auto way = [&](double x) { return scale.logarithmic ? std::log(x) : x; };
    const double share = (way(value) - way(scale.low)) / (way(scale.high) - way(scale.low));
    return static_cast<int>(std::lround(std::clamp(share, -1.0, 2.0) * (columns - 1)));
}

/// `┊  ├█┤  ┊`: the band's edges, the interval, the value; `◄` and `►` for what is beyond the
/// scale. Without a band it is filled from the left.
std::string bar_of(const Range& range, const Scale& scale, int columns) {
    if (!scale.has_band()) {
        return bar((range.value - scale.low) / (scale.high - scale.low),
                   static_cast<unsigned>(columns));
    }
    std::vector<std::string_view> cells(static_cast<std::size_t>(columns), no_break);
    const int last = columns - 1, one = place_of(scale.one, scale, columns);
    const auto cell = [&](int i) -> std::string_view& {
        return cells[static_cast<std::size_t>(std::clamp(i, 0, last))];
    };
    cell(one) = "│";
    cell(std::min(place_of(scale.band_low, scale, columns), one - 1)) = "┊";
    cell(std::max(place_of(scale.band_high, scale, columns), one + 1)) = "┊";
    const int low = place_of(range.low, scale, columns),
              high = place_of(range.high, scale, columns),
              value = place_of(range.value, scale, columns);
    for (int i = std::max(low, 0); i <= std::min(high, last); ++i) {
        cell(i) = cell(i) == no_break ? "─" : "┼";
    }
    if (low < high) {
        cell(low) = low < 0 ? "◄" : "├";
        cell(high) = high > last ? "►" : "┤";
    }
    cell(value) = value < 0 ? "◄" : value > last ? "►" : "█";
    return fmt::format("{}", fmt::join(cells, ""));
}

/// The line above bars: both ends of the scale, and the value that has a line.
std::string axis_of(const Scale& scale, int columns) {
    std::string axis;
    for (int i = 0; i < columns; ++i) axis += no_break;
    const auto put = [&](int at, double value) {
        const std::string text = fmt::format("{:.2g}", value);
        const int begin = std::min(at, columns - static_cast<int>(text.size()));
        axis.replace(static_cast<std::size_t>(begin), text.size(), text);
    };
    put(0, scale.low);
    put(columns, scale.high);
    put(place_of(scale.one, scale, columns), scale.one);
    return axis;
}

/// @param bars  columns of each bar; 0: there are none
Table table_of(const Grid& grid, int bars, const Paint& paint) {
    std::vector<std::size_t> shown;
    std::vector<Table::Align> align;
    std::vector<std::string> head;
    for (std::size_t i = 0; i < grid.columns.size(); ++i) {
        const Column& column = grid.columns[i];
        if (bars == 0 && grid.is_of_bars(i)) continue;
        shown.push_back(i);
        align.push_back(column.is_number ? Table::Align::right : Table::Align::left);
        head.push_back(grid.is_of_bars(i) && column.scale->has_band() ? axis_of(*column.scale, bars)
                                                                      : column.name);
    }
    Table table(std::move(align));
    const auto look_of = [&](const GridRow* row) {
        return [=](std::size_t column, std::string part) {
            for (char& c : part) c = c == no_break[0] ? ' ' : c;
            const auto tone = row ? row->cells[shown[column]].tone : std::nullopt;
            return tone && row->cells[shown[column]].text.size() ? paint.verdict(*tone, part)
                                                                 : part;
        };
    };
    if (!std::ranges::all_of(head, &std::string::empty)) {
        table.add(std::move(head), {}, look_of(nullptr));
    }
    for (const GridRow& row : grid.rows) {
        std::vector<std::string> cells;
        for (const std::size_t i : shown) {
            const Cell& cell = row.cells[i];
            const bool is_bar = grid.is_of_bars(i) && cell.range;
            cells.push_back(is_bar   ? bar_of(*cell.range, *grid.columns[i].scale, bars)
                            : i == 0 ? row.title("[", "]")
                                     : cell.text);
        }
        table.add(std::move(cells), row.note, look_of(&row));
    }
    return table;
}

/// Bars take what the other columns leave over; for short ones those are narrowed.
std::string table_in_text(const Grid& grid, std::size_t width, const Paint& paint) {
    std::string below = grid.below, out;
    if (!grid.rows.empty()) {
        Table table = table_of(grid, 0, paint);
        const Scale* scale = nullptr;
        for (std::size_t i = 0; i < grid.columns.size(); ++i) {
            if (grid.is_of_bars(i)) scale = &*grid.columns[i].scale;
        }
        if (scale) {
            const std::size_t taken = table.columns(2) + 2, rest = width - std::min(taken, width);
            const auto columns = static_cast<int>(std::clamp(rest, least_bar, widest_bar) - 1) | 1;
            Table with_bars = table_of(grid, columns, paint);
            if (with_bars.columns(2, width) <= width) {
                table = std::move(with_bars);
                if (scale->has_band())
                    below += (below.empty() ? "" : " ") + std::string(bar_legend);
            }
        }
        const std::size_t most = grid.is_compared ? std::string::npos : width;
        out = table.columns(2, most) <= most ? table.text(2, most) : paragraphs_of(grid, width);
    }
    return below.empty() ? out : out + indented(below, width, 2, 2);
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
            out_ += paint_.in("1", wrapped(section.title, most_, 2)) + "\n";
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
        out_ += table_in_text(grid, width_, paint_);
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
            // Not wrapped where it fits, so that a compiler's caret stays below its word.
            const std::string& line = text.lines[i];
            if (columns_of(line) + 4 <= width_ || !is_log) {
                const std::string shown = text.is_difference ? clipped(line, width_ - 4) : line;
                out_ += line.empty() ? "\n" : "    " + shown + "\n";
            } else {
                say(line, 4);
            }
        }
    }

    std::size_t section_indent() const { return title_.empty() ? 0 : 2; }

    void say(std::string_view text, std::size_t indent) {
        const std::string lines = wrapped(text, most_, indent + 2, indent);
        const bool alarms =
            std::ranges::any_of(std::array{"Warning: ", "THE CLOCK LIED", "MISSING"},
                                [&](const char* beginning) { return text.starts_with(beginning); });
        out_ += std::string(indent, ' ') + (alarms ? paint_.in("1;31", lines) : lines) + "\n";
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
