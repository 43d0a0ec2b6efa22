// The report for a pull request, in GitHub's Markdown.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "common/text/grouping.hpp"
#include "common/text/text.hpp"
#include "report/diff/cases.hpp"
#include "report/diff/findings.hpp"
#include "report/report.hpp"
#include "studies/diff/summary.hpp"

namespace parallax {
namespace {

using namespace report;

constexpr std::size_t most_not_same = 50;

/// Bytes of the report at the end of each part. GitHub refuses a comment above 65,536 characters;
/// what a part leaves over, the next ones may use.
namespace limit {
constexpr std::size_t head = 8'000, not_same = 22'000, reasons = 28'000, logs = 36'000,
                      findings = 46'500, environment = 48'000, same = 54'000, matrix = 59'800;
}

Section folded_section(std::string title, Blocks blocks) {
    return {.title = std::move(title), .blocks = std::move(blocks), .is_folded = true};
}

/// Those of a grid's rows whose case is, or is not, SAME without a doubt.
Grid rows_that(const Grid& all, bool are_same) {
    Grid some = all;
    std::erase_if(some.rows, [&](const GridRow& row) {
        return (row.cells[case_verdict].text == word_of(Verdict::same)) != are_same;
    });
    return some;
}

Section not_same_section(const Diff& diff, const Grid& cases) {
    Grid rows = rows_that(cases, false);
    const std::size_t all = rows.rows.size();
    rows.rows.resize(std::min(all, most_not_same));
    Section section{.title = {}, .ends_by = limit::not_same};
    section.blocks.emplace_back(brief_grid(rows, brief_columns(column_names(diff))));
    if (all > most_not_same) {
        section.blocks.emplace_back(Paragraph{
            fmt::format("{} more are not SAME; all of them are in the matrix below as far as there "
                        "is room, and in the report as JSON.",
                        all - most_not_same)});
    }
    return section;
}

/// All of them, and folded.
std::vector<Section> same_sections(const Diff& diff, const Grid& cases) {
    const Grid same = rows_that(cases, true);
    const Both<std::string> sides = column_names(diff);
    std::vector<std::pair<std::string, std::vector<const CaseDiff*>>> suites;
    for (const CaseDiff* c : by_weight(diff)) {
        if (c->verdict == Verdict::same && !is_doubtful(*c))
            at_key(suites, printable(c->key.suite)).push_back(c);
    }
    Grid folded{.title = {}, .columns = {"suite", "SAME", ratio_name(sides)}};
    for (const auto& [suite, of_suite] : suites) {
        folded.rows.push_back({.cells = {Cell(suite, Cell::Style::code),
                                         std::to_string(of_suite.size()), range_text(of_suite)}});
    }
    const std::string title = fmt::format("{} SAME", same.rows.size());
    return {
        folded_section(title, {brief_grid(same, {{sides.a, {case_time_a}},
                                                 {sides.b, {case_time_b}},
                                                 {ratio_name(sides), {case_ratio}}})}),
        folded_section(title, {Paragraph{"Folded, a line a suite: GitHub takes no longer text."},
                               std::move(folded)})};
}

/// All cases, and counts of them by variant and by suite.
std::vector<Section> matrix_sections(const Diff& diff) {
    std::vector<const CaseDiff*> as_measured;
    for (const CaseDiff& c : diff.cases) as_measured.push_back(&c);
    const std::string title = "Matrix";
    const Both<std::string> sides = column_names(diff);
    const Paragraph folded{"Folded into counts: GitHub takes no longer text."};
    return {folded_section(
                title, {brief_grid(cases_grid(diff, as_measured), {{sides.a, {case_status_a}},
                                                                   {sides.b, {case_status_b}},
                                                                   {"verdict", {case_verdict}}})}),
            folded_section(title, {folded, counts_grid(diff, true)}),
            folded_section(title, {folded, counts_grid(diff, false)})};
}

Section environment_section(const Diff& diff) {
    const Both<std::string> sides = column_names(diff);
    Grid grid{.title = {}, .columns = {"", sides.a, sides.b}};
    for (const GridRow& one : environment_grid(diff).rows) {
        if (!one.tone) continue;
        grid.rows.push_back({.cells = {one.cells[0], one.cells[1], one.cells[2]}});
    }
    Sentences never;
    for (const std::string& text : diff.never_equal) {
        never.push_back("Never equal: " + printable(text));
    }
    return {.title = counted(grid.rows.size(), "difference") + " between the environments",
            .blocks = {Section{.title = {},
                               .blocks = {std::move(grid)},
                               .ends_by = limit::environment - 1'000},
                       List{std::move(never)}},
            .is_folded = true,
            .ends_by = limit::environment};
}

}  // namespace

std::string markdown_report(const Diff& diff) {
    Document document;
    const auto add = [&](Section section, std::size_t ends_by) {
        section.ends_by = ends_by;
        if (!section.empty()) document.blocks.emplace_back(std::move(section));
    };
    const auto bold = [](std::string title, Sentences sentences, std::size_t ends_by) {
        Section section{.title = std::move(title), .level = 0, .ends_by = limit::logs + ends_by};
        if (!sentences.empty()) section.blocks.emplace_back(List{std::move(sentences)});
        return section;
    };
    // The first that fits whole, else as much of the last as fits.
    const auto add_what_fits = [&](std::vector<Section> choices, std::size_t ends_by) {
        const std::size_t before = markdown_of(document).size();
        const auto fits = [&](const Section& one) {
            return before + markdown_of({.title = {}, .blocks = {one}}).size() + 200 <= ends_by;
        };
        const auto found = std::ranges::find_if(choices, fits);
        add(found == choices.end() ? choices.back() : *found, ends_by);
    };
    const Grid cases = cases_grid(diff, by_weight(diff));
    Sentences head = headline(diff);
    Section top{.title = head.front(), .level = 3, .ends_by = limit::head};
    top.blocks.emplace_back(List{{head.begin() + 1, head.end()}});

    add(not_reached(diff), 0);
    add({.title = {}, .blocks = {Warnings{warnings(diff)}}}, limit::head / 2);
    document.blocks.emplace_back(std::move(top));
    add(not_same_section(diff, cases), limit::not_same);
    add({.title = {}, .blocks = {List{sentences_of(reasons(diff), diff)}}}, limit::reasons);
    add(folded_section("What the compilers say", {Texts{compiler_logs(diff)}}), limit::logs);
    for (Section& one : std::array{bold("The program", captured_programs(diff), 500),
                                   bold("Against the baseline", against_baseline(diff), 2'500),
                                   bold("Each side against itself", against_itself(diff), 3'500)}) {
        add(std::move(one), one.ends_by);
    }
    Blocks how;
    for (Section& one : std::array{
             bold("Same kernel?", same_kernel(diff), 5'000),
             bold("Same answer?", same_answer(diff), 6'500),
             bold("What was not checked", not_checked(diff), 1'500),
             bold("How it was measured", measuring(diff), 7'500),
             bold("To know", sentences_of(notes(diff), diff), limit::findings - limit::logs)}) {
        const bool is_of_cases = one.title.starts_with("Same");
        if (!one.empty() && !(is_of_cases && diff.cases.empty())) how.emplace_back(std::move(one));
    }
    add(folded_section("Same kernel? Same answer? How was it measured?", std::move(how)),
        limit::findings);
    add(environment_section(diff), limit::environment);
    add_what_fits(same_sections(diff, cases), limit::same);
    add_what_fits(matrix_sections(diff), limit::matrix);
    return markdown_of(document);
}

}  // namespace parallax
