// All rows in one table, and what became of every claim in another.
#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text.hpp"
#include "report/markdown_words.hpp"
#include "report/published/published_print.hpp"
#include "studies/published/published_cases.hpp"

namespace parallax::cli {
namespace {

/// The head and then a line a claim; empty: nothing was measured.
std::vector<std::vector<std::string>> outcomes(const std::vector<RowView>& rows) {
    std::vector<TodaysRecords::Where> wheres;
    for (const RowView& row : rows) {
        for (const ShapeView& shape : row.shapes) {
            for (const ShapeView::Outcome& outcome : shape.outcomes) {
                if (std::ranges::find(wheres, outcome.where) == wheres.end()) {
                    wheres.push_back(outcome.where);
                }
            }
        }
    }
    if (wheres.empty()) return {};
    std::vector<std::vector<std::string>> lines(1, {"what was published"});
    for (const auto& where : wheres) lines[0].push_back(title_of(where));
    for (const RowView& row : rows) {
        for (const ShapeView& shape : row.shapes) {
            lines.push_back({shape.claim->name});
            for (const auto& where : wheres) {
                const auto found =
                    std::ranges::find(shape.outcomes, where, &ShapeView::Outcome::where);
                lines.back().push_back(found == shape.outcomes.end() ? "" : found->text);
            }
        }
    }
    return lines;
}

}  // namespace

void print_rows_text(const std::vector<RowView>& rows, std::ostream& out) {
    Table table(std::vector(2, Table::Align::left));
    for (const RowView& row : rows) table.add({row.row->name, row.row->title});
    out << "Rows\n" << table.text(4) << "\n";
}

void print_rows_markdown(const std::vector<RowView>& rows, std::ostream& out) {
    out << report::head_row({"row", "", "shapes"});
    for (const RowView& row : rows) {
        std::vector<std::string> names;
        for (const ShapeView& shape : row.shapes) names.push_back(shape.claim->name);
        out << report::row(
            {"`" + row.row->name + "`", row.row->title, fmt::format("{}", fmt::join(names, "; "))});
    }
    out << "\n";
}

void print_outcomes_text(const std::vector<RowView>& rows, std::ostream& out) {
    const auto lines = outcomes(rows);
    if (lines.empty()) return;
    // A device a paragraph: their columns would be wider than a terminal.
    for (std::size_t i = 1; i < lines[0].size(); ++i) {
        Table table(std::vector(3, Table::Align::left));
        std::size_t k = 0;
        for (const RowView& row : rows) {
            std::string name = row.row->name;
            for (std::size_t claim = 0; claim < row.shapes.size(); ++claim) {
                if (lines[++k][i].empty()) continue;
                table.add({name, lines[k][0], lines[k][i]});
                name.clear();
            }
        }
        out << "Published shapes on " << lines[0][i] << "\n" << table.text(4) << "\n";
    }
}

void print_outcomes_markdown(const std::vector<RowView>& rows, std::ostream& out) {
    const auto lines = outcomes(rows);
    if (lines.empty()) return;
    std::vector<std::string> head;
    for (const std::string& cell : lines[0]) head.push_back(report::escaped(cell));
    out << report::head_row(head);
    for (std::size_t i = 1; i < lines.size(); ++i) out << report::row(lines[i]);
    out << "\n";
}

}  // namespace parallax::cli
