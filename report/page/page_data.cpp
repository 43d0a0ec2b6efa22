// Puts what the pages draw into JSON.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/text/text.hpp"
#include "common/version.hpp"
#include "report/diff/cases.hpp"
#include "report/diff/findings.hpp"
#include "report/explain/explanation_parts.hpp"
#include "report/page/page.hpp"
#include "report/sweep/sweep_report.hpp"
#include "studies/diff/diff.hpp"

namespace parallax::report {
namespace {

constexpr std::size_t most_page_lines = 300;

/// The verdicts that cases have, in the order of the legend, each with the number of its cases.
Json verdicts_json(const Diff& diff) {
    using enum Verdict;
    const Both<std::string> sides = side_names(diff);
    Json list = Json::array();
    for (const Verdict verdict : {same, faster, slower, undecided, equal, within_tolerance, wrong,
                                  failed, refused, not_comparable}) {
        const auto count = std::ranges::count(diff.cases, verdict, &CaseDiff::verdict);
        if (count == 0) continue;
        list.push_back(
            {{"word", word_of(verdict, sides)}, {"tone", tone_name(verdict)}, {"count", count}});
    }
    return list;
}

std::string subtitle(const Diff& diff) {
    if (diff.cases.empty()) return "There are no cases: neither side has anything to compare.";
    const Both<std::string> sides = side_names(diff);
    return fmt::format(
        "{0}, {1}. A ratio is {3}'s time divided by {2}'s: above 1, {3} is slower. SAME means "
        "within {4}.{5}",
        counted(diff.cases.size(), "case"),
        !diff.live                  ? "from stored records"
        : diff.summary.measured > 0 ? "measured alternately"
                                    : "nothing was timed",
        sides.a, sides.b, percent(diff.margin),
        column_names(diff).a == sides.a
            ? ""
            : fmt::format(" In tables {} is A, {} is B.", sides.a, sides.b));
}

std::string ratios_note(const Diff& diff) {
    const Both<std::string> sides = side_names(diff);
    return fmt::format(
        "{}'s time divided by {}'s with its interval, largest gap first, for the cases of the "
        "table: its filter chooses which. The band is the margin of {}; left of it {} is slower, "
        "right of it {}.",
        sides.b, sides.a, percent(diff.margin), sides.a, sides.b);
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
    // In the order of the terminal's table.
    const std::vector<const CaseDiff*> cases = by_weight(diff);
    const Names short_names(diff);
    Json suites = Json::array(), labels = Json::array();
    for (const CaseDiff* c : cases) {
        suites.push_back(printable(c->key.suite));
        labels.push_back(short_names.of(*c));
    }
    Grid grid = cases_grid(diff, cases);
    grid.drop_empty_columns();
    const Grid counts = counts_grid(diff);
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
    const Both<std::string> names = side_names(diff);
    return {{"names", {{"a", names.a}, {"b", names.b}}},
            {"title", pair_of(diff)},
            {"subtitle", subtitle(diff)},
            {"gaps", gaps},
            {"sentence", verdicts_of(diff)},
            {"answers", answers_of(diff)},
            {"warnings", said_first(diff)},
            {"verdicts", verdicts_json(diff)},
            {"sections", json_of(sections_of(diff))},
            {"counts", json_of(counts)},
            {"cases", json_of(grid)},
            {"suites", suites},
            {"labels", labels},
            {"environment", json_of(environment_grid(diff))},
            {"never", never},
            {"ratios_note", ratios_note(diff)},
            {"roofline", roofline_json(diff)},
            {"rates", rates_json(diff)},
            {"curves", curves_json(diff)},
            {"csv", csv_report(diff)},
            {"foot", fmt::format("Written by Parallax {}. The page loads nothing; its data can be "
                                 "saved as JSON and CSV above.",
                                 program_version)}};
}

Json details_data(const Diff& diff, const std::vector<KernelTexts>& files) {
    Json list = Json::array();
    const Both<std::string> sides = side_names(diff);
    for (const CaseDiff* one : by_weight(diff)) {
        const CaseDiff& c = *one;
        Json json{{"subtitle", subtitle_of(c)},
                  {"verdict", verdict_text(c, sides)},
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
