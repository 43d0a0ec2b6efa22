// Puts what the pages draw into JSON.
#include "report/page/page_data.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/text/text.hpp"
#include "common/version.hpp"
#include "report/diff/case_parts.hpp"
#include "report/diff/cases.hpp"
#include "report/diff/findings.hpp"
#include "report/explain/explanation_parts.hpp"
#include "report/page/charts.hpp"
#include "report/sweep/sweep_report.hpp"

namespace parallax::report {
namespace {

constexpr std::size_t most_page_lines = 300;

/// A text alone is a JSON string.
Json json_of(const Cell& cell) {
    Json json{{"text", cell.text}};
    if (cell.value && std::isfinite(*cell.value)) json["value"] = *cell.value;
    if (cell.tone) json["tone"] = tone_name(*cell.tone);
    if (cell.range) json["range"] = {cell.range->low, cell.range->value, cell.range->high};
    return json.size() == 1 ? Json(cell.text) : json;
}

Json json_of(const Column& column) {
    Json json{{"name", column.name}};
    if (!column.key.empty()) json["key"] = column.key;
    if (column.is_number) json["number"] = true;
    if (column.scale) {
        const Scale& scale = *column.scale;
        json["scale"] = {{"low", scale.low},
                         {"high", scale.high},
                         {"band", {scale.band_low, scale.band_high}},
                         {"one", scale.one},
                         {"log", scale.logarithmic}};
    }
    return json;
}

Json json_of(const GridRow& row) {
    Json cells = Json::array();
    for (const Cell& cell : row.cells) cells.push_back(json_of(cell));
    Json json{{"cells", std::move(cells)}};
    if (!row.note.empty()) json["note"] = row.note;
    if (row.tone) json["tone"] = tone_name(*row.tone);
    if (!row.tags.empty()) json["tags"] = row.tags;
    return json;
}

Json json_of(const std::vector<Section>& sections) {
    Json list = Json::array();
    for (const Section& section : sections) list.push_back(report::json_of(section));
    return list;
}

/// The verdicts that cases have, in the order of the legend, each with the number of its cases.
Json verdicts_json(const Diff& diff) {
    using enum Verdict;
    Json list = Json::array();
    for (const Verdict verdict : {same, faster, slower, undecided, equal, within_tolerance, wrong,
                                  failed, refused, not_comparable}) {
        const auto count = std::ranges::count(diff.cases, verdict, &CaseDiff::verdict);
        if (count == 0) continue;
        list.push_back(
            {{"word", word_of(verdict)}, {"tone", tone_name(verdict)}, {"count", count}});
    }
    return list;
}

std::string subtitle(const Diff& diff) {
    if (diff.cases.empty()) return "There are no cases: neither side has anything to compare.";
    return fmt::format(
        "{}, {}. A ratio is the time of B over the time of A: above 1, B is slower. Same means "
        "within {}.",
        counted(diff.cases.size(), "case"),
        !diff.live                  ? "from stored records"
        : diff.summary.measured > 0 ? "measured in turns"
                                    : "nothing was timed",
        percent(diff.margin));
}

std::string ratios_note(const Diff& diff) {
    return fmt::format(
        "Time of B over time of A with its interval, for cases of the table; filter or sort it to "
        "choose which. The band is the margin of {}; left of it B is faster, right of it slower.",
        percent(diff.margin));
}

}  // namespace

std::string tone_name(Verdict verdict) {
    std::string name = lower_case(word_of(verdict));
    std::ranges::replace(name, ' ', '-');
    return name;
}

Json json_of(const Grid& grid) {
    Json columns = Json::array(), rows = Json::array();
    for (const Column& column : grid.columns) columns.push_back(json_of(column));
    for (const GridRow& row : grid.rows) rows.push_back(json_of(row));
    return {{"title", grid.title}, {"columns", columns}, {"rows", rows}, {"below", grid.below}};
}

Json json_of(const Section& section) {
    Json json{{"title", section.title}};
    if (section.is_open) json["open"] = true;
    if (!section.sentences.empty()) json["sentences"] = section.sentences;
    for (const Grid& grid : section.grids) {
        if (!grid.rows.empty() || !grid.below.empty()) json["grids"].push_back(json_of(grid));
    }
    for (const TextLines& text : section.texts) {
        json["texts"].push_back(
            {{"heading", text.heading}, {"lines", text.lines}, {"difference", text.is_difference}});
    }
    return json;
}

/// What was left out, and warnings.
Sentences said_first(const Diff& diff) {
    Sentences lines = warnings(diff);
    const LeftOut rest = left_out(diff);
    if (!rest.sentence.empty()) lines.insert(lines.begin(), rest.sentence + " " + rest.command);
    return lines;
}

Json page_data(const Diff& diff) {
    std::vector<const CaseDiff*> cases;
    Json suites = Json::array(), figures = Json::array();
    for (const CaseDiff& c : diff.cases) {
        cases.push_back(&c);
        suites.push_back(printable(c.key.suite));
    }
    Grid grid = cases_grid(diff, cases);
    grid.drop_empty_columns();
    const Grid counts = counts_grid(diff, false);
    for (const auto& [label, value, note] : figures_of(diff)) {
        figures.push_back({{"label", label}, {"value", value}, {"note", note}});
    }
    std::vector<Section> sections = sections_of(diff);
    std::erase_if(sections, [](const Section& one) { return one.title == "In one number"; });
    Json gaps = Json::array();
    for (const Gap& gap : largest_gaps(diff)) {
        gaps.push_back({{"case", gap.place},
                        {"name", gap.name},
                        {"words", gap.words},
                        {"tone", tone_name(gap.verdict)},
                        {"cause", gap.cause}});
    }
    Sentences never;
    for (const std::string& text : diff.never_equal) never.push_back(printable(text));
    return {{"names", {{"a", printable(diff.a.name)}, {"b", printable(diff.b.name)}}},
            {"subtitle", subtitle(diff)},
            {"sentence", in_a_sentence(diff)},
            {"gaps", gaps},
            {"headline", headline(diff)},
            {"warnings", said_first(diff)},
            {"verdicts", verdicts_json(diff)},
            {"figures", figures},
            {"sections", json_of(sections)},
            {"counts", report::json_of(counts)},
            {"cases", report::json_of(grid)},
            {"suites", suites},
            {"environment", report::json_of(environment_grid(diff))},
            {"never", never},
            {"ratios_note", ratios_note(diff)},
            {"roofline", roofline_json(diff)},
            {"rates", rates_json(diff)},
            {"curves", curves_json(diff)},
            {"foot", fmt::format("Written by Parallax {}. The page loads nothing; its data can be "
                                 "saved as JSON and CSV above.",
                                 program_version)}};
}

Json details_data(const Diff& diff, const std::vector<KernelTexts>& files) {
    Json list = Json::array();
    for (const CaseDiff& c : diff.cases) {
        Json json{{"subtitle", subtitle_of(c)},
                  {"verdict", word_of(c.verdict)},
                  {"reason", printable(c.reason)},
                  {"parts", json_of(parts_of(c, diff))}};
        const auto texts = std::ranges::find(files, c.file, &KernelTexts::file);
        if (texts != files.end()) json["texts"] = texts - files.begin();
        if (const auto& explanation = c.explanation) {
            json["why"] = {{"answer", printable(explanation->answer)},
                           {"sections", json_of(sections_of(*explanation, most_page_lines))}};
        }
        list.push_back(std::move(json));
    }
    return list;
}

Json sweep_data(const SweepResult& result) {
    const bool any = result.points.suite != nullptr;
    Sentences said;
    for (const auto& lines : {result.claims(), result.differences()}) {
        for (const std::string& line : lines) said.push_back(printable(line));
    }
    Sentences remarks;
    for (const std::string& line : result.remarks()) remarks.push_back(printable(line));
    return {{"title", any ? printable(result.title()) : ""},
            {"said", said},
            {"remarks", remarks},
            {"curve", any ? curve_json(result) : Json::object()},
            {"points", any ? report::json_of(sweep_grid(result)) : Json::object()}};
}

}  // namespace parallax::report
