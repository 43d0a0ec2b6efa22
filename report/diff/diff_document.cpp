// The diff as a document, which is drawn for a terminal and for a pull request.
#include <fmt/format.h>

#include "common/text/text.hpp"
#include "common/text/unique_values.hpp"
#include "report/diff/cases.hpp"
#include "report/diff/findings.hpp"
#include "report/report.hpp"
#include "studies/diff/diff.hpp"

namespace parallax {
namespace {

using namespace report;

/// With more cases those that are SAME are folded, one row per suite.
constexpr std::size_t most_unfolded = 60;
constexpr std::size_t most_logs = 8;
/// Of the first screen.
constexpr std::size_t most_rows = 8, most_reasons = 3, most_log_lines = 6;
/// Fewer rows are shown where the names or reasons of cases are long.
constexpr std::ptrdiff_t most_lines = 40;
/// GitHub takes no more than 65,536 characters.
constexpr std::size_t most_markdown = 59'800;

/// The time of a side, and its status unless it is ok. Without a reference answers agree, at best.
Cell side_cell(const GridRow& row, CaseColumn status, CaseColumn time, bool only_agrees) {
    Cell cell = row.cells[status];
    if (only_agrees && cell.text == name_of(Status::checked)) cell.text = "agree";
    const std::string& seconds = row.cells[time].text;
    if (!seconds.empty()) cell.text = cell.text == "ok" ? seconds : cell.text + " " + seconds;
    return cell;
}

/// What matters first. The page has columns for the rest of what is known of a case.
Grid brief_cases(const Diff& diff, const std::vector<const CaseDiff*>& cases) {
    Grid all = cases_grid(diff, cases);
    const Both<std::string> sides = column_names(diff);
    Grid grid{.title = {},
              .columns = {"case", sides.a, sides.b, "verdict", ratio_name(sides), "interval"}};
    grid.columns.back().scale = all.columns[case_interval].scale;
    std::vector<std::pair<std::string, std::vector<const CaseDiff*>>> suites;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (cases.size() > most_unfolded && cases[i]->verdict == Verdict::same) {
            at_key(suites, printable(cases[i]->key.suite)).push_back(cases[i]);
            continue;
        }
        GridRow& row = all.rows[i];
        const bool only_agrees = cases[i]->answer.only_agree;
        grid.rows.push_back(
            {.cells = {row.cells[case_title],
                       side_cell(row, case_status_a, case_time_a, only_agrees),
                       side_cell(row, case_status_b, case_time_b, only_agrees),
                       row.cells[case_verdict], row.cells[case_ratio], row.cells[case_interval]},
             .note = {},
             .tone = {},
             .tags = std::move(row.tags)});
    }
    for (const auto& [suite, same] : suites) {
        grid.rows.push_back(
            {.cells = {Cell(suite, Cell::Style::code), "", "", "SAME", range_text(same), ""},
             .note = {},
             .tone = {},
             .tags = {counted(same.size(), "case")}});
    }
    grid.drop_empty_columns();
    if (sides.a == "A") {
        grid.below =
            fmt::format("A is {}, B is {}. ", printable(diff.a.name), printable(diff.b.name));
    }
    if (diff.summary.measured > 0) grid.below += fmt::format("Above 1, {} is slower.", sides.b);
    return grid;
}

/// @param headed  by its first sentence
Document summary_document(const Diff& diff, bool headed, bool is_brief = false) {
    Sentences lines = diff.two_programs ? Sentences{printable(sentence_of(*diff.two_programs))}
                                        : headline(diff, is_brief);
    Section head{.title = headed ? lines.front() : "", .level = 3};
    if (!headed) head.blocks.emplace_back(Paragraph{lines.front()});
    for (auto line = lines.begin() + 1; line != lines.end(); ++line) head.say(std::move(*line));
    Section warned{.title = {}, .blocks = {Warnings{warnings(diff)}}};
    if (is_brief) std::swap(warned, head);  // what to do comes first
    return {.title = {}, .blocks = {not_reached(diff), std::move(warned), std::move(head)}};
}

/// Grids of sections have a row a case or more: the page shows them. Of logs it has the rest.
void shorten(Section& section) {
    std::erase_if(section.blocks,
                  [](const Block& one) { return std::holds_alternative<Grid>(one); });
    Texts* const logs =
        section.blocks.empty() ? nullptr : std::get_if<Texts>(&section.blocks.back());
    if (!logs || logs->items.size() <= most_logs) return;
    logs->items[most_logs] = {
        fmt::format("{}; the report as JSON has them.",
                    counted(logs->items.size() - most_logs, "more compiler log"))};
    logs->items.resize(most_logs + 1);
}

/// Whether it is no more than one of many: the sides are alike.
bool is_unremarkable(const CaseDiff* c) {
    return weight_of(c->verdict) >= weight_of(Verdict::within_tolerance) && !is_doubtful(*c);
}

/// `32 more SAME, 0.984 to 1.010; 3 more UNDECIDED.` @param more  ` more` where others are shown
std::string not_shown(const std::vector<const CaseDiff*>& cases, const Both<std::string>& sides,
                      std::string_view more) {
    std::vector<std::pair<std::string, std::vector<const CaseDiff*>>> by_word;
    for (const CaseDiff* c : cases) at_key(by_word, plain_word_of(*c, sides)).push_back(c);
    std::vector<std::string> words;
    for (const auto& [word, which] : by_word) {
        const bool has_range = which.front()->verdict == Verdict::same;
        words.push_back(fmt::format("{}{} {}{}", which.size(), more, word,
                                    has_range ? ", " + range_text(which) : ""));
    }
    return fmt::format("{}.", fmt::join(words, "; "));
}

/// The answer, the cases in which something matters, and what to do next.
Document first_screen(const Diff& diff, std::size_t rows) {
    if (diff.two_programs) {
        // The cases are its replays; the table of pairs has their ratios.
        Section programs = program_pair_section(*diff.two_programs);
        programs.title.clear();
        return {.title = {},
                .blocks = {not_reached(diff),
                           Section{.title = {}, .blocks = {Warnings{warnings(diff)}}},
                           std::move(programs)}};
    }
    Document document = summary_document(diff, false, true);
    std::vector<const CaseDiff*> shown, rest;
    for (const CaseDiff* c : by_weight(diff)) {
        const bool is_said = shown.size() < rows && !is_unremarkable(c);
        (is_said || diff.cases.size() == 1 ? shown : rest).push_back(c);
    }
    if (!shown.empty()) {
        document.blocks.emplace_back(Section{.title = {}, .blocks = {brief_cases(diff, shown)}});
    }
    Section told{.title = {}};
    for (std::string& line : captured_programs(diff)) told.say(std::move(line));
    for (std::string& line : against_baseline(diff)) told.say(std::move(line));
    if (!rest.empty()) told.say(not_shown(rest, side_names(diff), shown.empty() ? "" : " more"));
    Remarks why = reasons(diff);
    std::erase_if(why, [](const auto& one) {
        const CaseDiff* c = one.second.front();
        const bool has_cause = c->explanation || !c->known_cause.empty();
        return (is_gap(c->verdict) && !has_cause && !is_doubtful(*c)) || is_unremarkable(c);
    });
    for (std::string& line : sentences_of(why, diff, most_reasons)) told.say(std::move(line));
    for (std::string& line : sameness(diff)) told.say(std::move(line));
    std::vector<Preformatted> logs = compiler_logs(diff);
    if (!logs.empty()) {
        logs.resize(1);
        if (logs[0].lines.size() > most_log_lines) logs[0].lines.resize(most_log_lines);
        told.blocks.emplace_back(Texts{std::move(logs)});
    }
    document.blocks.emplace_back(std::move(told));
    if (!diff.cases.empty()) {
        document.blocks.emplace_back(Section{.title = {}, .blocks = {Paragraph{next_step(diff)}}});
    }
    return document;
}

Document diff_document(const Diff& diff, bool headed) {
    Document document = summary_document(diff, headed);
    if (!diff.cases.empty()) {
        document.blocks.emplace_back(
            Section{.title = {}, .blocks = {brief_cases(diff, by_weight(diff))}});
    }
    for (Section& one : sections_of(diff)) {
        if (one.title != two_programs_title) shorten(one);
        document.blocks.emplace_back(std::move(one));
    }
    return document;
}

}  // namespace

std::string text_summary(const Diff& diff, unsigned width, bool colour) {
    return text_of(summary_document(diff, false), width, colour);
}

std::string text_first_screen(const Diff& diff, unsigned width, bool colour) {
    std::string text;
    for (std::size_t rows = most_rows; rows > 0; --rows) {
        text = text_of(first_screen(diff, rows), width, colour);
        if (std::ranges::count(text, '\n') <= most_lines) break;
    }
    return text;
}

std::string text_report(const Diff& diff, unsigned width, bool colour) {
    return text_of(diff_document(diff, false), width, colour);
}

std::string markdown_report(const Diff& diff) {
    return markdown_of(diff_document(diff, true), most_markdown);
}

}  // namespace parallax
