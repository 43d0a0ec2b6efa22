// Why sides differ, for a terminal: the answer, then what it rests on.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text.hpp"
#include "report/explain/explanation_parts.hpp"
#include "report/paint.hpp"
#include "report/report.hpp"
#include "report/words.hpp"
#include "studies/explain/explanation_names.hpp"

namespace parallax {
namespace {

using namespace report;

constexpr std::size_t least_width = 60, least_first_column = 12, most_changed_lines = 24;

class ExplanationText {
public:
    ExplanationText(unsigned width, bool colour)
        : width_(std::max<std::size_t>(width, least_width)), paint_(colour) {}

    void show(const Explanation& e) {
        const std::string title = printable(e.title) + ": ";
        out_ += paint_.heading(wrapped(title + heading_of(e), width_, 2)) + "\n";
        paragraph(printable(answer_in_words(e)), 2);
        for (const Grid& grid : grids_of(e)) show(grid);
        show_changes(e);
        section("Ruled out", e.conclusion.ruled_out);
        section("Not tried", e.conclusion.not_tried);
        out_ += "\n";
        paragraph(fmt::format("{} against {}, {} against {}; it took {}.", printable(e.device.b),
                              printable(e.device.a), printable(e.device_name.b),
                              printable(e.device_name.a), duration(e.took_seconds)),
                  0);
    }

    void paragraph(std::string_view text, std::size_t indent) {
        out_ += std::string(indent, ' ') + wrapped(text, width_, indent, indent) + "\n";
    }
    void empty_line() { out_ += "\n"; }
    std::string take() { return std::move(out_); }

private:
    void show(const Grid& grid) {
        if (grid.rows.empty() && grid.below.empty()) return;
        out_ += "\n" + paint_.heading(grid.title) + "\n";
        if (!grid.rows.empty()) table(grid);
        if (!grid.below.empty()) paragraph(grid.below, 2);
    }

    void table(const Grid& grid) {
        std::vector<std::size_t> columns;
        for (const std::string& name : grid.head) columns.push_back(columns_of(name));
        for (const Grid::Row& row : grid.rows) {
            for (std::size_t i = 0; i < columns.size(); ++i) {
                columns[i] = std::max(columns[i], columns_of(row.cells[i]));
            }
        }
        std::size_t rest = 2;
        for (std::size_t i = 1; i < columns.size(); ++i) rest += columns[i] + 2;
        if (rest + least_first_column > width_) return list(grid);
        columns[0] = std::min(columns[0], width_ - rest);
        line(grid.head, columns);
        for (const Grid::Row& row : grid.rows) {
            line(row.cells, columns);
            if (!row.note.empty()) paragraph(row.note, 6);
        }
    }

    /// What is too wide for a table: a paragraph a row.
    void list(const Grid& grid) {
        for (const Grid::Row& row : grid.rows) {
            std::vector<std::string> said;
            for (std::size_t i = 0; i < row.cells.size(); ++i) {
                if (row.cells[i].empty()) continue;
                said.push_back(grid.head[i].empty() ? row.cells[i]
                                                    : grid.head[i] + " " + row.cells[i]);
            }
            paragraph(fmt::format("{}", fmt::join(said, ", ")), 2);
            if (!row.note.empty()) paragraph(row.note, 6);
        }
    }

    void line(const std::vector<std::string>& cells, const std::vector<std::size_t>& columns) {
        std::string text = "  ";
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const std::string cell = clipped(cells[i], columns[i]);
            text += cell + std::string(columns[i] - columns_of(cell) + 2, ' ');
        }
        text.erase(text.find_last_not_of(' ') + 1);
        out_ += text + "\n";
    }

    void show_changes(const Explanation& e) {
        const std::vector<TextChanges> changes = text_changes(e, most_changed_lines);
        if (changes.empty()) return;
        out_ += "\n" + paint_.heading("Where the texts differ") + "\n";
        for (const TextChanges& one : changes) {
            paragraph(one.title, 2);
            for (const std::string& text : one.lines) {
                out_ += "    " + clipped(text, width_ - 4) + "\n";
            }
        }
    }

    void section(std::string_view title, const std::vector<std::string>& sentences) {
        if (sentences.empty()) return;
        out_ += "\n" + paint_.heading(title) + "\n";
        for (const std::string& sentence : sentences) paragraph(printable(sentence), 2);
    }

    std::size_t width_;
    Paint paint_;
    std::string out_;
};

}  // namespace

std::string text_report(const std::vector<Explanation>& explanations, unsigned width, bool colour) {
    ExplanationText text(width, colour);
    if (explanations.size() != 1) text.paragraph(tally_of(explanations), 0);
    for (const Explanation& e : explanations) {
        if (explanations.size() > 1) text.empty_line();
        text.show(e);
    }
    return text.take();
}

}  // namespace parallax
