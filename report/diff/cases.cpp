// Makes the cells of cases.
#include "report/diff/cases.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "common/suite/suite.hpp"
#include "common/text/text.hpp"
#include "report/wording.hpp"
#include "studies/diff/diff.hpp"

namespace parallax::report {
namespace {

constexpr double widest_reach = 4, least_reach = 0.01, least_margins_shown = 3;

/// The colour of a status.
Verdict tone_of(Status status) {
    switch (status) {
        case Status::ok: return Verdict::same;
        case Status::checked: return Verdict::equal;
        case Status::wrong: return Verdict::wrong;
        case Status::failed: return Verdict::failed;
        case Status::refused: return Verdict::refused;
        case Status::unsupported:
        case Status::skipped: break;
    }
    return Verdict::not_comparable;
}

Cell status_cell(const Side& side) {
    const Verdict tone = is_doubtful(side) ? Verdict::undecided
                         : side.status     ? tone_of(*side.status)
                                           : Verdict::not_comparable;
    return {std::string(status_text(side)), {}, tone};
}

std::optional<double> known(double number) {
    return number > 0 ? std::optional(number) : std::nullopt;
}

Cell rate_cell(const Side& side, const CaseDiff& c) {
    const bool operations = counts_operations(c);
    const double rate = operations ? side.operations_per_second() : side.bytes_per_second();
    return {speed_text(rate, operations, c), known(rate)};
}

Cell share_cell(const Side& side) {
    if (!(side.share > 0)) return {};
    return {fmt::format("{} {}", percent(side.share), printable(side.share_of, 12)), side.share};
}

/// The comparison of the two answers, sorted by their distance.
Cell answer_cell(const CaseDiff& c, const Both<std::string>& sides) {
    constexpr double unknown_distance = 1e299, wrong = 1e300;
    const bool wrong_a = c.a.status == Status::wrong, wrong_b = c.b.status == Status::wrong;
    if (wrong_a || wrong_b) {
        return {wrong_a && wrong_b ? "both wrong" : sides.of(wrong_b) + " wrong", wrong,
                Verdict::wrong};
    }
    if (c.answer.identical == true) return {"identical", 0.0};
    if (c.answer.identical == false) {
        if (!c.answer.distance) return {"differ", unknown_distance};
        const double ulp = c.answer.distance->largest_ulp;
        return {ulp_text(ulp) + " ULP apart", ulp};
    }
    return c.answer.right_a && c.answer.right_b ? Cell("not compared") : Cell();
}

bool is_drawable(const Ratio& ratio) {
    return std::ranges::all_of(std::array{ratio.low, ratio.value, ratio.high},
                               [](double x) { return x > 0 && std::isfinite(x); });
}

GridRow row_of(const CaseDiff& c, const Both<std::string>& sides) {
    GridRow row{.cells = {Cell(title_of(c), Cell::Style::code)},
                .note = reason_of(c, sides),
                .tags = labels_of(c)};
    row.cells.resize(case_decision + 1);
    row.cells[case_verdict] = {verdict_text(c, sides), static_cast<double>(weight_of(c.verdict)),
                               c.verdict};
    if (c.verdict != Verdict::same && c.verdict != Verdict::not_comparable &&
        !is_about_answers(c.verdict)) {
        row.cells[case_verdict].style = Cell::Style::strong;
    }
    if (c.ratio) {
        row.cells[case_ratio] = {ratio_text(*c.ratio), c.ratio->value};
        row.cells[case_interval] = {{}, c.ratio->high / c.ratio->low, c.verdict};
        if (is_drawable(*c.ratio)) {
            row.cells[case_interval].range = Range{c.ratio->low, c.ratio->value, c.ratio->high};
        }
    }
    row.cells[case_status_a] = status_cell(c.a);
    row.cells[case_status_b] = status_cell(c.b);
    row.cells[case_time_a] = {time_text(c.a.seconds), known(c.a.seconds)};
    row.cells[case_time_b] = {time_text(c.b.seconds), known(c.b.seconds)};
    row.cells[case_rate_a] = rate_cell(c.a, c);
    row.cells[case_rate_b] = rate_cell(c.b, c);
    row.cells[case_share_a] = share_cell(c.a);
    row.cells[case_share_b] = share_cell(c.b);
    row.cells[case_answer] = answer_cell(c, sides);
    if (c.decision != Decision::none) {
        const bool fails = c.decision == Decision::fail;
        row.cells[case_decision] = {
            std::string(word_of(c.decision)), {}, fails ? Verdict::wrong : Verdict::not_comparable};
    }
    return row;
}

/// Wide enough for nearly all intervals, and for three margins at least.
Scale scale_of(const Diff& diff) {
    std::vector<double> reaches;
    for (const CaseDiff& c : diff.cases) {
        if (!c.ratio || !is_drawable(*c.ratio)) continue;
        reaches.push_back(
            std::max(std::abs(std::log(c.ratio->low)), std::abs(std::log(c.ratio->high))));
    }
    std::ranges::sort(reaches);
    const double most = reaches.empty() ? 0 : reaches[reaches.size() * 95 / 100];
    const double margin = diff.margin > 0 ? diff.margin : 0;
    const double reach =
        std::min(std::log(widest_reach),
                 std::max({most * 1.1, least_margins_shown * std::log1p(margin), least_reach}));
    return {.low = std::exp(-reach),
            .high = std::exp(reach),
            .band_low = 1 / (1 + margin),
            .band_high = 1 + margin,
            .one = 1,
            .logarithmic = true};
}

}  // namespace

Grid cases_grid(const Diff& diff, const std::vector<const CaseDiff*>& cases) {
    const Both<std::string> sides = column_names(diff);
    Grid grid{.title = "Cases",
              .columns = {{"case", "title"},
                          {"verdict", "verdict"},
                          {ratio_name(sides), "ratio"},
                          {"interval", "interval"},
                          {sides.a, "status-a"},
                          {sides.b, "status-b"},
                          {"time " + sides.a, "time-a", true},
                          {"time " + sides.b, "time-b", true},
                          {"rate " + sides.a, "rate-a", true},
                          {"rate " + sides.b, "rate-b", true},
                          {"ceiling " + sides.a, "share-a", true},
                          {"ceiling " + sides.b, "share-b", true},
                          {"answer", "answer"},
                          {"decision", "decision"}}};
    grid.columns[case_interval].scale = scale_of(diff);
    for (const CaseDiff* c : cases) grid.rows.push_back(row_of(*c, sides));
    return grid;
}

Grid counts_grid(const Diff& diff) {
    Grid grid{.title = "Verdicts", .columns = {{"suite", "name"}}};
    for (const Verdict verdict : weighty_first) {
        grid.columns.push_back({word_of(verdict, column_names(diff)), {}, true});
    }
    std::map<std::string, std::size_t> rows;
    for (const CaseDiff& c : diff.cases) {
        const std::string name = printable(c.key.suite);
        const auto [place, is_new] = rows.try_emplace(name, grid.rows.size());
        if (is_new) {
            GridRow& row =
                grid.rows.emplace_back(GridRow{.cells = {Cell(name, Cell::Style::code)}});
            row.cells.resize(weighty_first.size() + 1);
        }
        const auto at = std::ranges::find(weighty_first, c.verdict) - weighty_first.begin();
        Cell& cell = grid.rows[place->second].cells[static_cast<std::size_t>(at) + 1];
        cell.value = cell.value.value_or(0) + 1;
        cell.text = fmt::format("{}", *cell.value);
        cell.tone = c.verdict;
    }
    grid.drop_empty_columns();
    return grid;
}

bool counts_operations(const CaseDiff& c) {
    const Side& side = c.a.seconds > 0 ? c.a : c.b;
    return side.operations > 0 && !Work{side.bytes, side.operations}.moves_much();
}

std::string reason_of(const CaseDiff& c, const Both<std::string>& sides) {
    std::string text = printable(c.reason);
    const auto add = [&](std::string_view side, const std::string& reason) {
        if (reason.empty() || c.reason.find(reason) != std::string::npos) return;
        text += fmt::format("{}{}: {}", text.empty() ? "" : " ", side, printable(reason));
    };
    if (!is_about_answers(c.verdict)) {
        add(sides.a, c.a.reason);
        add(sides.b, c.b.reason);
    }
    const std::string why =
        c.verdict == Verdict::same || !c.explanation ? "" : printable(c.explanation->answer);
    if (why.empty() && !c.known_cause.empty()) {
        return text + " Known cause: " + printable(c.known_cause);
    }
    return why.empty() ? text : text + " Why: " + why;
}

}  // namespace parallax::report
