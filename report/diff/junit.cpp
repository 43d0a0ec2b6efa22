// The report for CI, in the XML that JUnit made common.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/grouping.hpp"
#include "common/text/text.hpp"
#include "report/diff/case_parts.hpp"
#include "report/diff/findings.hpp"
#include "report/report.hpp"
#include "report/texts/html_words.hpp"
#include "studies/diff/side_names.hpp"
#include "studies/diff/summary.hpp"

namespace parallax {
namespace {

using namespace report;

enum class ExitStatus { pass, failure, error, skipped };

bool either(const CaseDiff& c, Status status) {
    return c.a.status == status || c.b.status == status;
}

/// `wrong`, `failed`, `refused`, `doubtful`, `slower`; empty where nothing failed.
std::string_view failure_of(const CaseDiff& c, bool strict) {
    if (c.verdict == Verdict::wrong || either(c, Status::wrong)) return "wrong";
    if (c.verdict == Verdict::failed || either(c, Status::failed)) return "failed";
    if (strict && c.verdict == Verdict::refused) return "refused";
    if (strict && is_doubtful(c)) return "doubtful";
    return c.decision == Decision::fail ? "slower" : "";
}

/// What CI sees of a case: docs/reference/reports.md has the table.
ExitStatus ending_of(const CaseDiff& c, bool strict) {
    if (!failure_of(c, strict).empty()) return ExitStatus::failure;
    if (c.decision == Decision::open) return ExitStatus::error;
    if (c.decision == Decision::pass) return ExitStatus::pass;
    const bool no_answer = c.verdict == Verdict::not_comparable || c.verdict == Verdict::refused ||
                           either(c, Status::unsupported) || either(c, Status::skipped);
    return no_answer ? ExitStatus::skipped : ExitStatus::pass;
}

std::string xml_seconds(double seconds) {
    return fmt::format("{:.9f}", std::isfinite(seconds) && seconds > 0 ? seconds : 0.0);
}

std::string property(std::string_view name, const std::string& value) {
    return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, html_text(value));
}

/// All that is known of a case: the parts that the page shows of it, a line a row.
std::string details_of(const CaseDiff& c, const Diff& diff) {
    std::string text =
        fmt::format("verdict: {}\nreason: {}\n", verdict_text(c.verdict, c.ratio, side_names(diff)),
                    printable(c.reason));
    for (const Section& part : parts_of(c, diff)) {
        text += part.title + "\n";
        for (const Block& block : part.blocks) {
            if (const auto* list = std::get_if<List>(&block)) {
                for (const std::string& sentence : list->items) text += "  " + sentence + "\n";
            } else if (const auto* grid = std::get_if<Grid>(&block)) {
                for (const GridRow& row : grid->rows) text += "  " + spoken(*grid, row) + "\n";
            } else if (const auto* texts = std::get_if<Texts>(&block)) {
                for (const Preformatted& log : texts->items) {
                    text += fmt::format("{}\n{}\n", log.heading, fmt::join(log.lines, "\n"));
                }
            }
        }
    }
    return html_text(text);
}

std::string message_of(const CaseDiff& c, const Diff& diff, ExitStatus ending,
                       std::string_view failure) {
    const Both<std::string> sides = side_names(diff);
    std::string text = word_of(c.verdict, sides);
    if (failure == "slower") {
        text = sides.b + " is slower than was allowed";
        // What was decided by: without the baseline's the ratio may say the opposite.
        if (c.against_baseline) {
            text += ", " + ratio_text(*c.against_baseline) + " of the baseline's ratio";
        } else if (c.ratio) {
            text += ", " + ratio_text(*c.ratio);
        }
    } else if (ending == ExitStatus::error) {
        text += ", undecided where a decision was asked for";
    }
    text += ": " + clipped(printable(c.reason), 500);
    for (const Side* side : {&c.a, &c.b}) {
        if (failure == "doubtful")
            text += " " + printable(fmt::format(
                              "{}", fmt::join(remarks_of(side->notes, side->doubts), " ")));
    }
    if (failure == "slower" && c.explanation) {
        const std::string& answer = c.explanation->answer;
        text += " Why: " + clipped(printable(answer), 2000);
    }
    return html_text(text);
}

std::string test_of(const CaseDiff& c, const Diff& diff) {
    std::string text = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{}\">\n",
                                   html_text(printable(c.key.suite + "." + c.key.variant)),
                                   html_text(title_of(c)), xml_seconds(c.b.seconds));
    const ExitStatus ending = ending_of(c, diff.strict);
    const std::string_view failure = failure_of(c, diff.strict);
    const std::string message = message_of(c, diff, ending, failure);
    switch (ending) {
        case ExitStatus::failure:
            text += fmt::format("      <failure type=\"{}\" message=\"{}\"/>\n", failure, message);
            break;
        case ExitStatus::error:
            text += fmt::format("      <error type=\"undecided\" message=\"{}\"/>\n", message);
            break;
        case ExitStatus::skipped:
            text += fmt::format("      <skipped message=\"{}\"/>\n", message);
            break;
        case ExitStatus::pass: break;
    }
    return text + "      <system-out>" + details_of(c, diff) + "</system-out>\n    </testcase>\n";
}

/// The attributes of a suite or of all.
std::string totals(const std::vector<const CaseDiff*>& cases, bool strict) {
    const auto count = [&](ExitStatus ending) {
        return std::ranges::count(cases, ending,
                                  [&](const CaseDiff* c) { return ending_of(*c, strict); });
    };
    double seconds = 0;
    for (const CaseDiff* c : cases) {
        if (std::isfinite(c->b.seconds) && c->b.seconds > 0) seconds += c->b.seconds;
    }
    return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}" time="{}")",
                       cases.size(), count(ExitStatus::failure), count(ExitStatus::error),
                       count(ExitStatus::skipped), xml_seconds(seconds));
}

std::string properties_of(const Diff& diff) {
    std::string text = "    <properties>\n";
    text += property("A", printable(diff.a.name));
    text += property("B", printable(diff.b.name));
    text += property("margin", fmt::format("{}", diff.margin));
    if (diff.max_slowdown) text += property("max_slowdown", fmt::format("{}", *diff.max_slowdown));
    if (!diff.baseline.empty()) text += property("baseline", printable(diff.baseline));
    for (const std::string& warning : warnings(diff)) text += property("warning", warning);
    for (const ProgramVerdict& one : diff.programs) {
        text += property("program", printable(sentence_of(one, side_names(diff).b)));
    }
    if (clock_lied(diff)) {
        for (const std::string& line : against_itself(diff))
            text += property("against itself", line);
    }
    return text + "    </properties>\n";
}

}  // namespace

std::string junit_report(const Diff& diff) {
    std::vector<std::pair<std::string_view, std::vector<const CaseDiff*>>> suites;
    std::vector<const CaseDiff*> all;
    for (const CaseDiff& c : diff.cases) {
        all.push_back(&c);
        at_key(suites, c.key.suite).push_back(&c);
    }
    const std::string properties = properties_of(diff);
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    text += fmt::format("<testsuites name=\"parallax diff\" {}>\n", totals(all, diff.strict));
    for (const auto& [name, cases] : suites) {
        text += fmt::format("  <testsuite name=\"{}\" {}>\n{}", html_text(printable(name)),
                            totals(cases, diff.strict), properties);
        for (const CaseDiff* c : cases) text += test_of(*c, diff);
        text += "  </testsuite>\n";
    }
    return text + "</testsuites>\n";
}

}  // namespace parallax
