// A diff as tests for CI.

#include "report/junit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"
#include "report/diff/findings.hpp"
#include "report/left_out.hpp"
#include "report/report.hpp"
#include "report/sarif.hpp"
#include "studies/diff/diff.hpp"

namespace parallax {
namespace {

using namespace report;

bool either(const CaseDiff& c, Status status) {
    return c.a.status == status || c.b.status == status;
}

/// `wrong`, `failed`, what strict_failure() names, `slower`; empty where nothing failed.
std::string_view failure_of(const CaseDiff& c, bool strict) {
    if (c.verdict == Verdict::wrong || either(c, Status::wrong)) return "wrong";
    if (c.verdict == Verdict::failed || either(c, Status::failed)) return "failed";
    if (strict && !strict_failure(c).empty()) return strict_failure(c);
    return c.decision == Decision::fail ? "slower" : "";
}

/// The side that a test which did not pass is about; B, as the new one, where both or none is.
const Side& side_to_blame(const CaseDiff& c) {
    const auto blame = [](const Side& one) {
        const Status status = one.status.value_or(Status::ok);
        if (is_right(status)) return one.doubts.empty() ? 0 : 1;
        return status == Status::wrong || status == Status::failed ? 3 : 2;
    };
    return blame(c.a) > blame(c.b) ? c.a : c.b;
}

/// The result of a case for CI: docs/reference/reports.md has the table.
TestOutcome outcome_of(const CaseDiff& c, bool strict) {
    if (!failure_of(c, strict).empty()) return TestOutcome::failure;
    if (c.decision == Decision::undecided) return TestOutcome::error;
    if (c.decision == Decision::pass && !is_doubtful(c)) return TestOutcome::passed;
    const bool no_answer = is_doubtful(c) || c.verdict == Verdict::not_comparable ||
                           c.verdict == Verdict::refused || either(c, Status::unsupported) ||
                           either(c, Status::skipped);
    return no_answer ? TestOutcome::skipped : TestOutcome::passed;
}

/// All that is known of a case: the parts that the page shows of it.
std::string details_of(const CaseDiff& c, const Diff& diff) {
    Document document{.title = {},
                      .blocks = {Paragraph{"verdict: " + verdict_text(c, side_names(diff))},
                                 Paragraph{"reason: " + printable(c.reason)}}};
    for (Section& part : parts_of(c, diff)) document.blocks.emplace_back(std::move(part));
    return text_of(document, 200, false);
}

std::string message_of(const CaseDiff& c, const Diff& diff, TestOutcome outcome,
                       std::string_view failure) {
    const Both<std::string> sides = side_names(diff);
    std::string text = word_of(c, sides);
    if (failure == "slower") {
        text = sides.b + " is slower than was allowed";
        // The basis of the decision: the ratio without the baseline's may show the opposite.
        if (c.against_baseline) {
            text += ", " + ratio_text(*c.against_baseline) + " of the baseline's ratio";
        } else if (c.ratio) {
            text += ", " + ratio_text(*c.ratio);
        }
    } else if (outcome == TestOutcome::error) {
        text += ". --max-slowdown asks for a decision, and there is none";
    }
    text +=
        ": " + clipped(printable(c.reason), 500) + first_error(c.a.log.empty() ? c.b.log : c.a.log);
    if (failure == "slower" && c.explanation) {
        const std::string& answer = c.explanation->answer;
        text += " Why: " + clipped(printable(answer), 2000);
    }
    return text;
}

TestResult test_of(const CaseDiff& c, const Diff& diff) {
    TestResult test{.suite = c.key.suite,
                    .classname = c.key.suite + "." + c.key.variant,
                    .name = title_of(c),
                    .seconds = c.b.seconds,
                    .outcome = outcome_of(c, diff.strict)};
    if (test.outcome == TestOutcome::passed) return test;
    const std::string_view failure = failure_of(c, diff.strict);
    test.type = test.outcome == TestOutcome::error ? undecided_test : failure;
    test.message = message_of(c, diff, test.outcome, failure);
    test.details = details_of(c, diff);
    test.repeat = printable(repeat_command(diff.command, diff.seed));
    const Side& side = side_to_blame(c);
    test.places = [suite = c.key.suite, file = side.file.empty() ? c.file : side.file,
                   kernel = side.launches.empty() ? c.key.variant : side.launches.front().name,
                   said = c.a.log + c.b.log == "" ? c.a.reason + "\n" + c.b.reason
                                                  : c.a.log + "\n" + c.b.log] {
        return source_places(suite, file, kernel, said);
    };
    return test;
}

std::vector<std::pair<std::string, std::string>> properties_of(const Diff& diff) {
    std::vector<std::pair<std::string, std::string>> found{
        {"A", diff.a.name}, {"B", diff.b.name}, {"margin", fmt::format("{}", diff.margin)}};
    if (diff.max_slowdown)
        found.emplace_back("max_slowdown", fmt::format("{}", *diff.max_slowdown));
    if (!diff.baseline.empty()) found.emplace_back("baseline", diff.baseline);
    for (const std::string& warning : warnings(diff)) found.emplace_back("warning", warning);
    for (const ProgramVerdict& one : diff.programs) {
        found.emplace_back("program", printable(sentence_of(one)));
    }
    if (clock_lied(diff)) {
        for (const std::string& line : against_itself(diff)) {
            found.emplace_back("against itself", line);
        }
    }
    return found;
}

}  // namespace

report::TestReport tests_of(const Diff& diff) {
    TestReport report{.name = "parallax diff", .properties = properties_of(diff), .tests = {}};
    for (const CaseDiff& c : diff.cases) report.tests.push_back(test_of(c, diff));
    return report;
}

}  // namespace parallax
