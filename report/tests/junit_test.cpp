// The report for CI: failed, skipped and passed cases.
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "records/json.hpp"
#include "report/report.hpp"
#include "report/run/run_table.hpp"
#include "report/sarif.hpp"
#include "report/tests/diffs.hpp"
#include "studies/explain/tests/explanations.hpp"

namespace parallax::junit_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// One case's outcome, or its empty test element; the totals.
struct Seen {
    std::string line, totals;
};

Seen seen(const CaseDiff& c) {
    Diff diff = test::empty_diff();
    diff.cases = {c};
    const std::string text = report::junit_text(tests_of(diff));
    const auto line_from = [&](std::size_t at) {
        return text.substr(at, text.find('\n', at) - at);
    };
    const std::size_t test = text.find("<testcase");
    const std::string opening = line_from(test);
    return {opening.ends_with("/>")
                ? opening
                : line_from(text.find_first_not_of(" \n", text.find('\n', test))),
            line_from(text.find("tests="))};
}

constexpr auto passed = "<testcase classname=\"s.v\"";

TEST(JunitReport, EveryVerdict) {
    EXPECT_THAT(seen(test::same("s", "v")).line, HasSubstr(passed));
    EXPECT_THAT(seen(test::ran("s", "v", Verdict::faster, 0.5)).line, HasSubstr(passed));
    EXPECT_THAT(seen(test::ran("s", "v", Verdict::slower, 2)).line, HasSubstr(passed));
    EXPECT_THAT(seen(test::ran("s", "v", Verdict::undecided, 1.02)).line, HasSubstr(passed));
    EXPECT_EQ(seen(test::wrong("s", "v")).line,
              R"(<failure type="wrong" message="WRONG: B&#39;s answer is not right."/>)");
    EXPECT_EQ(seen(test::unsupported("s", "v")).line,
              R"(<skipped message="NOT COMPARABLE: B does not support it."/>)");
}

TEST(JunitReport, AnswersThatAreRightPass) {
    for (const Verdict verdict : {Verdict::equal, Verdict::within_tolerance}) {
        CaseDiff c = test::ran("s", "v", verdict, 1);
        c.a.status = c.b.status = Status::checked;
        EXPECT_THAT(seen(c).line, HasSubstr(passed));
    }
}

TEST(JunitReport, WhatWasRefusedOrIsDoubtfulIsSkippedUnlessStrict) {
    CaseDiff refused = test::unsupported("s", "v");
    refused.verdict = Verdict::refused;
    refused.b.status = Status::refused;
    EXPECT_THAT(seen(refused).line, HasSubstr("<skipped message=\"REFUSED: "));
    CaseDiff doubtful = test::same("s", "v");
    doubtful.b.doubts = {{DoubtKind::wide_tolerance, "zeros would be right, too."}};
    EXPECT_THAT(seen(doubtful).line, HasSubstr("<skipped message=\"SAME, doubtful: "));
    refused.b.strict_failure = "refused";
    doubtful.b.strict_failure = "doubtful";
    Diff diff = test::empty_diff();
    diff.strict = true;
    diff.cases = {refused, doubtful};
    EXPECT_THAT(
        report::junit_text(tests_of(diff)),
        AllOf(HasSubstr("failures=\"2\""), HasSubstr("<failure type=\"refused\""),
              HasSubstr("<failure type=\"doubtful\""), HasSubstr("Zeros would be right, too")));
}

TEST(JunitReport, EveryStatus) {
    CaseDiff c = test::unsupported("s", "v");
    c.b.status = Status::failed;
    EXPECT_THAT(seen(c).line, HasSubstr("<failure type=\"failed\""));
    c.b.status = Status::wrong;
    EXPECT_THAT(seen(c).line, HasSubstr("<failure type=\"wrong\""));
    c.b.status = Status::skipped;
    EXPECT_THAT(seen(c).line, HasSubstr("<skipped"));
    c.b.status.reset();
    EXPECT_THAT(seen(c).line, HasSubstr("<skipped"));
}

TEST(JunitReport, EveryDecision) {
    CaseDiff c = test::ran("s", "v", Verdict::slower, 1.2);
    c.decision = Decision::pass;
    EXPECT_THAT(seen(c).line, HasSubstr(passed));
    EXPECT_THAT(seen(c).totals, HasSubstr(R"(tests="1" failures="0" errors="0" skipped="0")"));
    c.decision = Decision::fail;
    EXPECT_EQ(
        seen(c).line,
        R"(<failure type="slower" message="CUDA is slower than was allowed, 1.200 (1.194-1.206): )"
        R"(The interval lies wholly above the margin."/>)");
    EXPECT_THAT(seen(c).totals, HasSubstr(R"(tests="1" failures="1" errors="0" skipped="0")"));
    c.decision = Decision::undecided;
    c.verdict = Verdict::undecided;
    EXPECT_THAT(seen(c).line,
                HasSubstr("<error type=\"undecided\" message=\"UNDECIDED. --max-slowdown "
                          "asks for a decision, and there is none: "));
    EXPECT_THAT(seen(c).totals, HasSubstr(R"(tests="1" failures="0" errors="1" skipped="0")"));
    c = test::unsupported("s", "v");
    c.decision = Decision::undecided;
    EXPECT_THAT(seen(c).line, HasSubstr("<error"));
    c = test::wrong("s", "v");
    c.decision = Decision::undecided;
    EXPECT_THAT(seen(c).line, HasSubstr("<failure type=\"wrong\""));
}

TEST(JunitReport, AFailedBuildsMessageHasTheFirstError) {
    const std::string log = "In file mine.cl:\n  mine.cl:4:27: error: no 'x'\n1 error generated.\n";
    CaseDiff c = test::unsupported("s", "v");
    c.b.status = Status::failed;
    c.b.log = log;
    EXPECT_THAT(seen(c).line, HasSubstr("mine.cl:4:27: error: no &#39;x&#39;\"/>"));
    Record record;
    record.key = {.suite = "s", .variant = "v"};
    record.status = Status::failed;
    record.reason = "It did not compile.";
    record.log = log;
    EXPECT_THAT(report::run_tests({record}, false).tests.at(0).message,
                testing::EndsWith("It did not compile. mine.cl:4:27: error: no 'x'"));
    EXPECT_EQ(report::first_error("2 errors detected\nterror\n"), "");
    EXPECT_EQ(report::first_error("mine.cu(3): error: a \";\""), " mine.cu(3): error: a \";\"");
    EXPECT_EQ(report::first_error("ptxas error   : too much"), " ptxas error   : too much");
}

TEST(JunitReport, AFailureSaysWhyItIsSlower) {
    CaseDiff c = test::ran("s", "v", Verdict::slower, 1.64);
    c.explanation = test::answered(test::fully_explained());
    EXPECT_THAT(seen(c).line, Not(HasSubstr("aligned(16)"))) << "nothing was asked for";
    c.decision = Decision::fail;
    EXPECT_THAT(seen(c).line,
                AllOf(HasSubstr("wholly above the margin. Why: OpenCL is 1.64x slower"),
                      HasSubstr("say aligned(16)")));
    c.b.status = Status::wrong;
    EXPECT_THAT(seen(c).line, Not(HasSubstr("Why:"))) << "a wrong answer has no speed";
    c.b.status = Status::ok;
    c.explanation->answer = "<b>\"\x1b";
    EXPECT_THAT(seen(c).line, HasSubstr("Why: &lt;b&gt;&quot;\\x1b\"/>"));
}

TEST(RunAsJunit, APassingCaseHasNoDetailsAndOthersSayWhy) {
    Record right;
    right.key = {.suite = "mine", .variant = "a", .type = "float", .shape = {64}, .constants = {}};
    right.device = "host:0";
    right.status = Status::checked;
    Record wrong = right, refused = right, doubtful = right;
    wrong.status = Status::wrong;
    wrong.reason = "Element 3 is <4>.";
    wrong.log = "a log";
    refused.status = Status::refused;
    doubtful.doubts = {{DoubtKind::race, "equal inputs give other numbers."}};
    const std::string text =
        report::junit_text(report::run_tests({right, wrong, refused, doubtful}, false));
    EXPECT_EQ(text, R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="parallax run" tests="4" failures="1" errors="0" skipped="2" time="0.000000000">
  <testsuite name="mine" tests="4" failures="1" errors="0" skipped="2" time="0.000000000">
    <testcase classname="mine.a" name="mine/a float 64 on host:0" time="0.000000000"/>
    <testcase classname="mine.a" name="mine/a float 64 on host:0" time="0.000000000">
      <failure type="wrong" message="wrong: Element 3 is &lt;4&gt;."/>
      <system-out>Element 3 is &lt;4&gt;.
a log</system-out>
    </testcase>
    <testcase classname="mine.a" name="mine/a float 64 on host:0" time="0.000000000">
      <skipped message="refused: "/>
    </testcase>
    <testcase classname="mine.a" name="mine/a float 64 on host:0" time="0.000000000">
      <skipped message="doubtful: Equal inputs give other numbers."/>
    </testcase>
  </testsuite>
</testsuites>
)");
    EXPECT_THAT(report::junit_text(report::run_tests({refused, doubtful}, true)),
                AllOf(HasSubstr("failures=\"2\""), HasSubstr("<failure type=\"refused\""),
                      HasSubstr("<failure type=\"doubtful\" message=\"doubtful: Equal "
                                "inputs give other numbers.\"")));
    right.check.emplace().checked_against = "itself";
    EXPECT_THAT(report::junit_text(report::run_tests({right}, false)),
                HasSubstr("proves agreement, not truth."));
}

TEST(RunAsJunit, ATestThatDidNotPassSaysHowToRepeatIt) {
    Record wrong;
    wrong.key = {.suite = "mine", .variant = "a", .type = "float", .shape = {64}, .constants = {}};
    wrong.device = "host:0";
    wrong.status = Status::wrong;
    wrong.reason = "Element 3 is 4.";
    wrong.run.seed = 42;
    wrong.run.command = {"run",     "my kernels/a.json", "--check", "-o",
                         "r.jsonl", "--junit=j.xml",     "--seed",  "1"};
    const report::TestReport tests = report::run_tests({wrong}, false);
    const std::string again = "To repeat: parallax run 'my kernels/a.json' --check --seed 42";
    EXPECT_EQ(tests.tests.at(0).repeat, again.substr(11));
    EXPECT_THAT(report::junit_text(tests), HasSubstr("Element 3 is 4. To repeat: parallax run "));
    const Json sarif = Json::parse(report::sarif_text(tests));
    const Json result = sarif["runs"][0]["results"][0];
    EXPECT_EQ(result["message"]["text"],
              "mine/a float 64 on host:0: wrong: Element 3 is 4. " + again);
    EXPECT_FALSE(result.contains("locations")) << "its sources are not known";
    Diff diff = test::empty_diff();
    diff.cases = {test::wrong("s", "v")};
    diff.command = {"diff", "opencl", "cuda", "-o", "a.html", "--data", "d.jsonl"};
    diff.seed = 5;
    diff.summary = summary_of(diff);
    for (const std::string& text : {report::junit_text(tests_of(diff)), markdown_report(diff)})
        EXPECT_THAT(text, HasSubstr("To repeat: parallax diff opencl cuda --seed 5"));
}

// clang-format off
TEST(JunitReport, OneCase) {
    Diff diff = test::empty_diff();
    diff.max_slowdown = 0.05;
    diff.cases = {test::failed("strided_copy", "offset")};
    EXPECT_EQ(report::junit_text(tests_of(diff)),
R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="parallax diff" tests="1" failures="1" errors="0" skipped="0" time="0.000000000">
  <testsuite name="strided_copy" tests="1" failures="1" errors="0" skipped="0" time="0.000000000">
    <properties>
      <property name="A" value="opencl:1"/>
      <property name="B" value="cuda:0"/>
      <property name="margin" value="0.02"/>
      <property name="max_slowdown" value="0.05"/>
    </properties>
    <testcase classname="strided_copy.offset" name="strided_copy/offset float 1024x1024" time="0.000000000">
      <failure type="failed" message="FAILED: B failed. x.cu(3): error: expected a &quot;;&quot;"/>
      <system-out>verdict: FAILED
reason: B failed.

Both sides
                   OpenCL: opencl:1       CUDA: cuda:0
  status           ok                     failed
  reason                                  It does not build.
  time of one run  1.00 ms
  runs read        1
  work of one run  0 bytes, 0 operations
  The compiler of CUDA says:
    x.cu(3): error: expected a &quot;;&quot;
      int i
          ^

Same kernel?
  Yes.

Same answer?
  OpenCL is right, at most 0 ULP from the reference.
  The two answers were not compared with each other.
</system-out>
    </testcase>
  </testsuite>
</testsuites>
)");
}

TEST(JunitReport, NoCase) {
    EXPECT_EQ(report::junit_text(tests_of(test::empty_diff())),
R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="parallax diff" tests="0" failures="0" errors="0" skipped="0" time="0.000000000">
</testsuites>
)");
}
// clang-format on

TEST(JunitReport, RatiosThatAreNone) {
    for (const double value : {std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::infinity(), 0.0, -1.0}) {
        const Seen found = seen(test::ran("s", "v", Verdict::undecided, value));
        EXPECT_THAT(found.line, HasSubstr(passed));
        EXPECT_THAT(found.totals, HasSubstr("time=\"0.000000000\""));
    }
}

TEST(JunitReport, SaysWhenTheClockLied) {
    Diff diff = test::small_diff();
    EXPECT_THAT(report::junit_text(tests_of(diff)), Not(HasSubstr("against itself")));
    diff.self[0].verdict = Verdict::faster;
    EXPECT_THAT(report::junit_text(tests_of(diff)),
                HasSubstr("<property name=\"against itself\" value=\"opencl:1"));
}

}  // namespace
}  // namespace parallax::junit_test
