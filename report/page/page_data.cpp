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
            {"counts", json_of(counts)},
            {"cases", json_of(grid)},
            {"suites", suites},
            {"environment", json_of(environment_grid(diff))},
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
            {"points", any ? json_of(sweep_grid(result)) : Json::object()}};
}

}  // namespace parallax::report
