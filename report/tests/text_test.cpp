// The report on a terminal: what it says, in which order, in how many columns.
#include "common/text/text.hpp"

#include <algorithm>
#include <span>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/diff/findings.hpp"
#include "report/report.hpp"
#include "report/tests/diffs.hpp"

namespace parallax::text_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

/// From the first line that starts so, `count` lines.
std::string part(const std::string& text, const std::string& start, std::size_t count) {
    const std::vector<std::string> lines = lines_of(text);
    const auto found = std::ranges::find_if(
        lines, [&](const std::string& line) { return line.starts_with(start); });
    std::string out;
    for (auto line = found; line != lines.end() && count > 0; ++line, --count) out += *line + "\n";
    return out;
}

/// Longer than `width` is only a line of a single word.
void expect_fits(const std::string& text, std::size_t width) {
    for (const std::string& line : lines_of(text)) {
        if (columns_of(line) <= width) continue;
        const std::string words = line.substr(line.find_first_not_of(' '));
        EXPECT_EQ(words.find(' '), std::string::npos) << line;
    }
}

void expect_printable(const std::string& text) {
    std::string joined = text;
    std::erase(joined, '\n');
    EXPECT_EQ(printable(joined), joined);
}

// clang-format off
TEST(TextReport, ARightAnswerThatIsSuspiciousIsNotOk) {
    Diff diff = test::empty_diff();
    diff.cases.push_back(test::same("mine", "plain"));
    diff.cases.back().a.doubts = {
        {DoubtKind::open_questions, "nobody has looked the manifest over."}};
    EXPECT_THAT(part(text_report(diff, 110, false), "  mine/plain", 1),
                testing::ContainsRegex("doubtful 1.00 ms .*SAME, doubtful"));
    EXPECT_THAT(text_report(diff, 110, false), HasSubstr("1 SAME, 1 doubtful (mine/plain).\n"));
    EXPECT_THAT(markdown_report(diff), HasSubstr("doubtful"));
}

TEST(TextReport, SmallDiff) {
    const std::string text = text_report(test::small_diff(), 110, false);
    EXPECT_THAT(text, StartsWith(
R"(Look at strided_copy/offset, strided_copy/strided first: only right answers have a speed to compare.
OpenCL (opencl:1) and CUDA (cuda:0) on NVIDIA H100: 1 WRONG (strided_copy/offset), 1 FAILED
  (strided_copy/strided), 1 SAME, CUDA slower in 2, OpenCL slower in 1, 1 UNDECIDED, 1 NOT COMPARABLE.
OpenCL is slower in 1 case, the cost of staying with OpenCL: multiply/blocked 1.64x.
CUDA is slower in 2 cases, the gain of staying with OpenCL: stencil1d/global 1.40x, stencil1d/staged 1.050x.
Median of CUDA over OpenCL: 1.035 (4 cases, from 0.610 to 1.400); launch-bound, apart: 1.003.

)"));
    EXPECT_EQ(part(text, "  case", 9),
R"(  case                             OpenCL   CUDA         verdict              CUDA over OpenCL     0.58 1  1.7
  strided_copy/offset float        1.00 ms  wrong        WRONG
  1024x1024
  strided_copy/strided float       1.00 ms  failed       FAILED
  1024x1024
  multiply/blocked float           1.00 ms  610 us       OpenCL 1.64x slower  0.610 (0.607-0.613)  ├█  ┊│┊
  1024x1024
  stencil1d/global float           1.00 ms  1.40 ms      CUDA 1.40x slower    1.400 (1.393-1.407)      ┊│┊ █
  1024x1024
)");
    EXPECT_THAT(text, HasSubstr(
R"(
  Above 1, CUDA is slower. │ is 1, ┊ an edge of the margin, ├█┤ the ratio and its interval, ◄ ► beyond the
  scale.
)"));
    EXPECT_EQ(part(text, "Why", 26),
R"(Why
  strided_copy/offset: WRONG. B's answer is not right. CUDA: Element 7 is 3, not 4.
  strided_copy/strided: FAILED. B failed. CUDA: It does not build.
  multiply/blocked: OpenCL slower. The interval lies wholly below the margin.
  stencil1d/global, stencil1d/staged: CUDA slower. The interval lies wholly above the margin.
  reduction/items: UNDECIDED. The interval holds an edge of the margin.
  reduction/builtin: NOT COMPARABLE. B does not support it. CUDA: CUDA has no work_group_reduce_add.
  The compiler of cuda:0 says of strided_copy/strided:
    x.cu(3): error: expected a ";"
      int i
          ^

Same kernel?
  Yes in 7 of 8 cases that both sides have.
  Not comparable for its kernel source: aaaa (OpenCL), bbbb (CUDA) - reduction/builtin
  build options: -cl-std=CL1.2 (OpenCL), --std=c++17 (CUDA) - transpose/naive
  compiler: OpenCL C 1.2 (OpenCL), NVRTC 13.0 (CUDA)
  Never equal: the front end of the compiler

Same answer?
  Right on both sides: 5 of 8 cases.
  Bitwise identical: 4 of 5 compared.
  multiply/blocked float 1024x1024: 3 of 1024 elements differ, the median of them by 1 ULP, the largest by 2;
    first at [17]: OpenCL 1.5, CUDA 1.25.
  Furthest from the reference: OpenCL 0 ULP, CUDA 2 ULP (multiply/blocked float 1024x1024).
  Not repeatable on CUDA: multiply/blocked.
)");
}

TEST(TextReport, NarrowHasEveryFigure) {
    for (const unsigned width : {60u, 80u}) {
        const std::string text = text_report(test::small_diff(), width, false);
        for (const char* word : {"1.40 ms", "1.40x", "1.400 (1.393-1.407)", "unsupported"}) {
            EXPECT_THAT(text, HasSubstr(word)) << width;
        }
    }
}

TEST(TextReport, WideHasTimes) {
    EXPECT_EQ(part(text_report(test::small_diff(), 200, false), "  reduction/", 2),
R"(  reduction/items float 1024x1024                      1.00 ms  1.02 ms      UNDECIDED            1.020 (1.015-1.025)                     ┊│█
  reduction/builtin float 1024x1024                    1.00 ms  unsupported  NOT COMPARABLE
)");
}

TEST(TextReport, StoredAgainstABaseline) {
    const std::string text = text_report(test::stored_diff(), 100, false);
    EXPECT_THAT(text, StartsWith(
R"(runs.jsonl (old/runs.jsonl) and new.jsonl on NVIDIA H100: 1 SAME, new.jsonl slower in 1, 1
  UNDECIDED, 1 NOT COMPARABLE; nothing wrong.
Asked for: new.jsonl at most 5 % slower than in the baseline: 1 within it, 1 NOT: transpose/tiled; 1
  UNDECIDED: transpose/padded; 1 without a decision: reduction/builtin.
new.jsonl is slower in 1 case: transpose/tiled 1.20x.
)"));
    EXPECT_THAT(text, HasSubstr(
R"(
Against the baseline
  base.jsonl: the ratio moved beyond the margin in 2 of 3 cases (this ratio over the baseline's).
  transpose/tiled: 1.200 (1.194-1.206)
  transpose/padded: 1.050 (1.045-1.055)

How it was measured
  Margin 2 %: SAME is a ratio whose interval lies from 0.980 to 1.020.
  Stored: runs.jsonl has 5 runs (15 records), new.jsonl has 3 runs (3 records).
  Constants: the same on both sides.
  Float rules of both sides: no fused multiply-adds, correctly rounded division, denormals kept.
  Intervals of 95 % each, and of 85 % for all of them together, from paired rounds.
  Least change that could be seen: a ratio of 1.010 at best (transpose/naive), of 1.030 at worst
    (transpose/padded).
)"));
}
// clang-format on

TEST(TextReport, NoCase) {
    const std::string text = text_report(test::empty_diff(), 80, true);
    EXPECT_THAT(text, StartsWith("OpenCL (opencl:1) and CUDA (cuda:0) on NVIDIA H100: there is no "
                                 "case to compare.\n"));
    EXPECT_THAT(text, Not(HasSubstr("verdict")));
}

TEST(TextReport, OneCase) {
    Diff diff = test::empty_diff();
    diff.cases = {test::same("transpose", "naive")};
    EXPECT_THAT(text_report(diff, 80, false),
                StartsWith("Changing the API gains nothing here.\nOpenCL (opencl:1) and CUDA "
                           "(cuda:0) on NVIDIA H100: 1 SAME; nothing wrong.\n"));
    diff.cases = {test::unsupported("transpose", "naive")};
    EXPECT_THAT(text_report(diff, 100, false),
                HasSubstr("1 NOT COMPARABLE; nothing could be compared."));
}

TEST(TextReport, WhatWasCheckedAndNotTimedIsRightAndNotNothing) {
    Diff diff = test::empty_diff();
    diff.cases = {test::unsupported("transpose", "naive"), test::unsupported("transpose", "tiled")};
    EXPECT_THAT(report::verdicts_of(diff), HasSubstr("nothing could be compared."));
    diff.cases[0].a.status = diff.cases[0].b.status = Status::checked;
    diff.cases[0].verdict = Verdict::equal;
    EXPECT_THAT(text_report(diff, 90, false), HasSubstr("1 EQUAL, 1 NOT COMPARABLE; answers"));
}

TEST(TextSummary, IsTheAnswerAlone) {
    const Diff diff = test::small_diff();
    const std::string text = text_summary(diff, 100, false);
    EXPECT_THAT(text_report(diff, 100, false), StartsWith(text + "\n"));
    EXPECT_LT(lines_of(text).size(), 12);
    EXPECT_THAT(text, Not(HasSubstr("Same kernel?")));
}

/// Only one side's time is known to differ.
CaseDiff gap(const std::string& variant, double ratio) {
    return test::ran("a", variant, ratio > 1 ? Verdict::slower : Verdict::faster, ratio);
}

/// The longest that one case can say: two sources, other bits, a warning, and a gap.
CaseDiff one_gap(const std::string& variant, double ratio) {
    CaseDiff c = test::ran("transpose", variant, Verdict::slower, ratio);
    c.kernel = {.same = false,
                .differences = {{"kernel file", "a.cl", "b.cu"},
                                {"launch configuration", std::string(300, 'g'), "other"},
                                {"build options", std::string(300, 'o'), "other"}},
                .two_kernels = true};
    c.answer.identical = false;
    c.answer.distance = AnswerDistances{.elements = 1024, .differing = 3};
    c.a.unchecked = c.b.unchecked = {std::string(300, 'u')};
    return c;
}

TEST(FirstScreen, SaysWhatToDoThenTheCountAndHoldsOneCaseIn25Lines) {
    Diff diff = test::empty_diff();
    diff.cases = {one_gap("tiled", 1.2)};
    diff.warnings = {"transpose has no reference: " + std::string(200, 'w')};
    diff.summary = summary_of(diff);
    const std::string text = text_first_screen(diff, 100, false);
    EXPECT_LE(lines_of(text).size(), 25) << text;
    EXPECT_THAT(text, testing::MatchesRegex("OpenCL can stay: CUDA is slower here.\n"
                                            "OpenCL \\(opencl:1\\) and CUDA \\(cuda:0\\)(.|\n)*"
                                            "Warning: transpose has no reference(.|\n)*"));
    EXPECT_THAT(text, HasSubstr("Same kernel? Two sources; what differs: kernel file, launch "
                                "configuration, build options."));
    EXPECT_THAT(text,
                HasSubstr("Next: 'parallax explain transpose/tiled', on that GPU, finds out why"));
    EXPECT_THAT(text, Not(HasSubstr("How it was measured")));
}

TEST(FirstScreen, Holds28CasesIn40Lines) {
    Diff diff = test::empty_diff();
    for (unsigned i = 0; i < 28; ++i)
        diff.cases.push_back(one_gap("variant_with_a_long_name_" + std::to_string(i), 1.2));
    diff.summary = summary_of(diff);
    const std::string text = text_first_screen(diff, 100, false);
    EXPECT_LE(lines_of(text).size(), 40) << text;
    EXPECT_THAT(text, HasSubstr("20 more CUDA slower"));
    for (CaseDiff& c : diff.cases) {
        c.verdict = Verdict::undecided;
        c.launching = c.in_cache = true;
        c.reason = std::string(250, 'r') + c.key.variant;
    }
    const std::string longer = text_first_screen(diff, 64, false);
    EXPECT_LE(lines_of(longer).size(), 40) << longer;
}

TEST(Text, WhatWasNotTimedIsNotCalledTimed) {
    Diff diff = test::empty_diff();
    diff.live = true;
    diff.max_slowdown = 0.05;
    diff.cases = {test::wrong("transpose", "bad")};
    diff.summary = summary_of(diff);
    EXPECT_THAT(text_report(diff, 100, false), HasSubstr("Live: no case was timed on both sides."));
    CaseDiff equal = test::same("transpose", "tiled");
    equal.verdict = Verdict::equal;
    equal.ratio = {};
    equal.decision = Decision::undecided;
    diff.cases = {equal};
    EXPECT_THAT(text_report(diff, 200, false),
                HasSubstr("1 UNDECIDED, as nothing was timed: transpose/tiled"));
    diff.cases.push_back(test::same("transpose", "plain"));
    diff.summary = summary_of(diff);
    EXPECT_THAT(text_report(diff, 100, false),
                HasSubstr("Decided: 1 of 1 case; 1 without a ratio."));
}

TEST(FirstScreen, NoCaseThatMattersIsFolded) {
    Diff diff = test::empty_diff();
    for (unsigned i = 0; i < 20; ++i)
        diff.cases.push_back(test::same("transpose", "v" + std::to_string(i)));
    diff.cases.push_back(test::wrong("transpose", "bad"));
    diff.summary = summary_of(diff);
    const std::string text = text_first_screen(diff, 100, false);
    EXPECT_THAT(text, StartsWith("Look at transpose/bad first: "));
    EXPECT_THAT(text, HasSubstr("20 more SAME"));
    EXPECT_THAT(text, HasSubstr("transpose/bad: WRONG."));
}

TEST(FirstScreen, HasWhatWasAskedFor) {
    Diff diff = test::stored_diff();
    EXPECT_THAT(text_first_screen(diff, 100, false), HasSubstr("base.jsonl: the ratio moved"));
    diff = test::empty_diff();
    diff.cases = {gap("b", 1.2)};
    diff.cases.back().known_cause = "Indices have 64 bits.";
    EXPECT_THAT(text_first_screen(diff, 100, false), HasSubstr("Indices have 64 bits."));
    EXPECT_THAT(text_first_screen(diff, 100, false), Not(HasSubstr("parallax explain")));
}

TEST(Advice, FollowsTheMedianAndLeavesLaunchBoundCasesApart) {
    const auto advice = [](std::vector<CaseDiff> cases) {
        Diff diff = test::empty_diff();
        diff.cases = std::move(cases);
        diff.summary = summary_of(diff);
        return report::headline(diff).front();
    };
    EXPECT_EQ(advice({test::same("a", "b")}), "Changing the API gains nothing here.");
    EXPECT_THAT(advice({test::same("a", "b"), test::same("a", "c"), gap("d", 1.3)}),
                StartsWith("Changing the API gains nothing in these 3 cases: the median is 1.0"));
    std::vector<CaseDiff> ten;
    for (int i = 0; i < 10; ++i) ten.push_back(test::same("a", fmt::format("b{}", i)));
    EXPECT_THAT(advice(ten),
                StartsWith("Changing the API gains nothing in general: the median is"));
    EXPECT_THAT(advice({gap("b", 1.2), gap("c", 1.3)}),
                StartsWith("OpenCL can stay: CUDA is slower in these 2 cases: the median is 1.2"));
    EXPECT_THAT(advice({gap("b", 0.8), gap("c", 0.7)}),
                StartsWith("CUDA is faster in these 2 cases: "));
    const auto undecided = [](const std::string& variant) {
        return test::ran("a", variant, Verdict::undecided, 1.02);
    };
    EXPECT_EQ(advice({undecided("b"), undecided("c")}),
              "Nothing is decided: give it more time with --budget.");
    EXPECT_THAT(advice({undecided("b"), undecided("c"), test::same("a", "d")}),
                StartsWith("Little is decided: "));
    EXPECT_THAT(advice({test::same("a", "b"), gap("c", 13)}),
                StartsWith("No side is faster in most cases: "));
    std::vector<CaseDiff> cases{test::same("a", "b"), gap("launches", 3), gap("more", 3)};
    for (CaseDiff& c : std::span(cases).subspan(1)) c.launching = true;
    EXPECT_EQ(advice(cases), "Changing the API gains nothing here.");
}

TEST(TextReport, MissingSide) {
    Diff diff = test::empty_diff();
    diff.cases = {test::unsupported("transpose", "naive")};
    diff.cases[0].b = {};
    diff.b.facts.clear();
    const std::string text = text_report(diff, 140, false);
    EXPECT_THAT(text, StartsWith("opencl:1 and cuda:0 on NVIDIA H100 and unknown: 1 NOT"));
    EXPECT_THAT(text, HasSubstr("1.00 ms   missing  NOT COMPARABLE\n"));
    EXPECT_THAT(text, HasSubstr("No case is there on both sides."));
}

TEST(TextReport, OfACaseThatTheTimeDidNotReachNothingIsSaid) {
    Diff diff = test::empty_diff();
    diff.cases = {test::same("a", "b"), test::unsupported("a", "c")};
    diff.cases[1].a.status = diff.cases[1].b.status = Status::skipped;
    const std::string text = text_report(diff, 140, false);
    EXPECT_THAT(text, HasSubstr(": 1 SAME, 1 NOT MEASURED; nothing wrong"));
    EXPECT_THAT(text, HasSubstr("Yes in 1 of 1 cases that both sides have."));
    EXPECT_THAT(text, HasSubstr("Right on both sides: 1 of 1 cases."));
    EXPECT_THAT(text, Not(HasSubstr("NOT COMPARABLE")));
}

TEST(TextReport, FoldsManySame) {
    const std::string text = text_report(test::large_diff(2000), 100, false);
    EXPECT_LE(lines_of(text).size(), 60);
    EXPECT_THAT(text, HasSubstr("suite0 [200 cases]"));
    EXPECT_THAT(text, HasSubstr("SAME               0.995 to 1.015"));
    EXPECT_THAT(text, HasSubstr("suite9/variant39 float 1999 "));
    EXPECT_THAT(text, HasSubstr("... (20 cases): CUDA"));
    EXPECT_THAT(text_report(test::large_diff(60), 100, false), Not(HasSubstr("[6 cases]")));
    EXPECT_THAT(text_report(test::large_diff(61), 100, false), HasSubstr("suite9 [6 cases]"));
}

TEST(TextReport, WarnsFirstAndSaysWhenTheClockLied) {
    Diff diff = test::small_diff();
    diff.warnings = {"The device was in use by others."};
    diff.self[1].verdict = Verdict::slower;
    diff.self[1].ratio = test::ratio_of(1.034);
    const std::string text = text_report(diff, 120, false);
    EXPECT_THAT(text, StartsWith("Warning: The device was in use by others.\n\nLook at "));
    EXPECT_THAT(text, HasSubstr("\nTHE CLOCK LIED: 1 of 2 cases measured against itself came out "
                                "different, by up to 1.034x;"));
    EXPECT_THAT(text, HasSubstr("  cuda:0 against itself: 0 of 1 SAME; furthest from 1: 1.034 "
                                "(1.029-1.039)"));
    EXPECT_THAT(text, HasSubstr("on cuda:0 came out 1.034x apart from itself"));
}

TEST(TextReport, ColoursVerdictsOnlyWhenAsked) {
    const Diff diff = test::small_diff();
    const std::string plain = text_report(diff, 100, false),
                      coloured = text_report(diff, 100, true);
    EXPECT_THAT(plain, Not(HasSubstr("\033")));
    EXPECT_THAT(coloured, HasSubstr("\033[1;31mWRONG\033[0m"));
    EXPECT_THAT(coloured, HasSubstr("\033[32mOpenCL 1.64x slower\033[0m"));
    EXPECT_THAT(coloured, HasSubstr("\033[33mCUDA 1.40x slower\033[0m"));
    std::string bare;
    for (std::size_t i = 0; i < coloured.size(); ++i) {
        if (coloured[i] == '\033')
            i = coloured.find('m', i);
        else
            bare += coloured[i];
    }
    EXPECT_EQ(bare, plain);
}

TEST(TextReport, FitsAndIsPrintable) {
    for (const Diff& diff : {test::empty_diff(), test::small_diff(), test::stored_diff(),
                             test::hostile_diff(), test::large_diff(200)}) {
        for (const unsigned width : {60u, 61u, 79u, 80u, 100u, 101u, 140u, 200u}) {
            const std::string text = text_report(diff, width, false);
            expect_fits(text, width);
            expect_printable(text);
        }
    }
}

}  // namespace
}  // namespace parallax::text_test
