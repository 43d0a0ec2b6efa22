// The table of cases as text, fitted to the width of the terminal.
#include "report/diff/case_table_text.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "common/text/grouping.hpp"
#include "common/text/text.hpp"
#include "report/diff/cases.hpp"
#include "report/diff/ratio_bar.hpp"
#include "report/wording.hpp"

namespace parallax::report {
namespace {

constexpr std::size_t most_unfolded = 60;
constexpr unsigned widest_bar = 41, good_bar = 11, least_bar = 5;
constexpr std::size_t column_gap = 2;

/// How much the columns of the sides say.
enum Detail : std::size_t { in_full, in_short, without_times };

/// A line of the matrix: brief_columns(), in each detail.
struct MatrixLine {
    std::string title;
    std::array<std::vector<std::string>, 3> cells;
    Verdict verdict = Verdict::same;
    std::optional<Ratio> ratio;
};

/// @param time  null: the column has none
std::string cell_text(const Cell& cell, const Cell* time, Detail detail) {
    const bool has_time = time && !time->text.empty();
    if (!time) return cell.text;
    if (detail == without_times) return cell.short_text;
    if (detail == in_short && has_time && cell.short_text == "ok") return time->text;
    const std::string& status = detail == in_full ? cell.text : cell.short_text;
    return status + (status.empty() || !has_time ? "" : " ") + (has_time ? time->text : "");
}

MatrixLine matrix_line(const GridRow& row, const CaseDiff& c,
                       const std::vector<BriefColumn>& columns) {
    MatrixLine line{
        .title = row.title("[", "]"), .cells = {}, .verdict = c.verdict, .ratio = c.ratio};
    for (const Detail detail : {in_full, in_short, without_times}) {
        for (const BriefColumn& column : columns) {
            const Cell* const time = column.of.size() > 1 ? &row.cells[column.of[1]] : nullptr;
            line.cells[detail].push_back(cell_text(row.cells[column.of[0]], time, detail));
        }
    }
    return line;
}

/// All cases of one suite that are SAME.
MatrixLine folded_line(const std::vector<const CaseDiff*>& cases,
                       const std::vector<BriefColumn>& columns) {
    Ratio range{.value = std::numeric_limits<double>::quiet_NaN(),
                .low = std::numeric_limits<double>::infinity(),
                .high = 0};
    for (const CaseDiff* c : cases) {
        if (!c->ratio) continue;
        range.low = std::min(range.low, c->ratio->value);
        range.high = std::max(range.high, c->ratio->value);
    }
    std::vector<std::string> cells;
    for (const BriefColumn& column : columns) {
        cells.push_back(column.of.size() > 1           ? "ok"
                        : column.of[0] == case_verdict ? "SAME"
                        : column.of[0] == case_ratio   ? range_text(cases)
                                                       : "");
    }
    return {.title = fmt::format("{} ({})", printable(cases.front()->key.suite),
                                 counted(cases.size(), "case")),
            .cells = {cells, cells, cells},
            .verdict = Verdict::same,
            .ratio = range};
}

std::vector<MatrixLine> matrix_lines(const Diff& diff, const std::vector<BriefColumn>& columns) {
    const std::vector<const CaseDiff*> cases = by_weight(diff);
    const Grid grid = cases_grid(diff, cases);
    std::vector<MatrixLine> lines;
    const bool folds = diff.cases.size() > most_unfolded;
    std::vector<std::pair<std::string_view, std::vector<std::size_t>>> suites;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (!folds || cases[i]->verdict != Verdict::same) {
            lines.push_back(matrix_line(grid.rows[i], *cases[i], columns));
            continue;
        }
        at_key(suites, cases[i]->key.suite).push_back(i);
    }
    for (const auto& [name, places] : suites) {
        std::vector<const CaseDiff*> same;
        for (const std::size_t i : places) same.push_back(cases[i]);
        lines.push_back(same.size() == 1
                            ? matrix_line(grid.rows[places.front()], *same.front(), columns)
                            : folded_line(same, columns));
    }
    return lines;
}

class Matrix {
public:
    Matrix(const Diff& diff, std::size_t width, const Paint& paint)
        : width_(width),
          paint_(paint),
          brief_(brief_columns(column_names(diff))),
          rows_(matrix_lines(diff, brief_)) {
        lay_out();
        bar_.emplace(bar_columns_ ? bar_columns_ : least_bar, diff.margin, ratios());
    }

    std::string text() const {
        MatrixLine head{.title = titles_apart() ? "" : "case", .cells = {}, .ratio = {}};
        for (const BriefColumn& one : brief_) head.cells[detail_].push_back(one.name);
        std::string out = line(head, ratios().empty() ? std::string() : bar_->axis());
        for (const MatrixLine& row : rows_) {
            out += line(row, row.ratio ? bar_->text(*row.ratio) : std::string());
        }
        return out;
    }

private:
    bool titles_apart() const { return title_columns_ <= column_gap; }

    std::vector<Ratio> ratios() const {
        std::vector<Ratio> ratios;
        for (const MatrixLine& row : rows_) {
            if (row.ratio) ratios.push_back(*row.ratio);
        }
        return ratios;
    }

    /// Columns of the cells between title and bar, gaps included, in this detail. A row with
    /// nothing behind its verdict may spread that over the columns there.
    std::size_t measure(Detail detail) {
        detail_ = detail;
        columns_.clear();
        for (const BriefColumn& one : brief_) columns_.push_back(columns_of(one.name));
        for (const MatrixLine& row : rows_) {
            const std::vector<std::string>& cells = row.cells[detail];
            for (std::size_t i = 0; i < cells.size(); ++i) {
                if (i >= verdict_place() && cells.back().empty()) continue;
                columns_[i] = std::max(columns_[i], columns_of(cells[i]));
            }
        }
        std::size_t sum = column_gap;
        for (const std::size_t columns : columns_) sum += columns + column_gap;
        return sum;
    }

    std::size_t verdict_place() const {
        const auto found = std::ranges::find(brief_, std::vector{case_verdict}, &BriefColumn::of);
        return static_cast<std::size_t>(found - brief_.begin());
    }

    /// With times in full where they fit, else shortened, else without; with the titles on lines of
    /// their own where few would fit next to the shortest bar.
    void lay_out() {
        std::vector<std::size_t> titles{4};
        for (const MatrixLine& row : rows_) titles.push_back(columns_of(row.title));
        std::ranges::sort(titles);
        std::size_t taken = measure(in_full);
        if (taken + titles.back() + good_bar * 3 / 2 > width_) taken = measure(in_short);
        if (taken > width_) taken = measure(without_times);
        title_columns_ = column_gap;
        for (const std::size_t bar : {good_bar, least_bar}) {
            const std::size_t room = width_ - std::min<std::size_t>(taken + bar, width_);
            const auto fit = std::ranges::upper_bound(titles, room) - titles.begin();
            if (fit * 3 < std::ssize(titles) * 2) continue;
            title_columns_ = titles[static_cast<std::size_t>(fit - 1)];
            break;
        }
        const std::size_t used = title_columns_ + taken;
        const std::size_t rest = width_ > used ? width_ - used : 0;
        bar_columns_ =
            rest < least_bar
                ? 0
                : static_cast<unsigned>((std::min<std::size_t>(rest, widest_bar) - 1) / 2 * 2 + 1);
    }

    std::string line(const MatrixLine& row, const std::string& bar) const {
        std::string out, start = row.title;
        if (columns_of(start) > title_columns_) {
            out = wrapped(start, width_, 2 * column_gap) + "\n";
            start.clear();
        }
        start += std::string(title_columns_ - columns_of(start), ' ');
        std::string plain = start, painted = start;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const std::string& cell = row.cells[detail_][i];
            const std::size_t columns = columns_of(cell);
            const std::string space(columns < columns_[i] ? columns_[i] - columns : 0, ' ');
            const std::string before(column_gap, ' ');
            plain.append(before).append(cell).append(space);
            const std::string shown =
                i == verdict_place() ? paint_.verdict(row.verdict, cell) : cell;
            painted.append(before).append(shown).append(space);
        }
        if (bar_columns_ > 0 && !bar.empty()) {
            plain += std::string(column_gap, ' ') + bar;
            painted += std::string(column_gap, ' ') + bar;
        }
        plain.erase(plain.find_last_not_of(' ') + 1);
        painted.erase(painted.find_last_not_of(' ') + 1);
        if (columns_of(plain) > width_) {
            return out + std::string(column_gap, ' ') +
                   wrapped(plain, width_, 2 * column_gap, column_gap) + "\n";
        }
        return out + painted + "\n";
    }

    std::size_t width_;
    const Paint& paint_;
    std::vector<BriefColumn> brief_;
    std::vector<MatrixLine> rows_;
    Detail detail_ = in_full;
    std::vector<std::size_t> columns_;
    std::size_t title_columns_ = 0;
    unsigned bar_columns_ = 0;
    std::optional<RatioBar> bar_;
};

}  // namespace

std::string matrix(const Diff& diff, std::size_t width, const Paint& paint) {
    return Matrix(diff, width, paint).text();
}

}  // namespace parallax::report
