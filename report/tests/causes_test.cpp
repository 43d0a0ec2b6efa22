// The teaching page of causes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/diff/findings.hpp"
#include "report/report.hpp"
#include "report/tests/diffs.hpp"
#include "studies/explain/tests/explanations.hpp"

namespace parallax::causes_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string page_of(const std::vector<Explanation>& explanations) {
    return causes_page(explanations, "parallax explain --made-up a.jsonl");
}

TEST(Causes, SaysHowItWasMade) {
    EXPECT_THAT(page_of({}), AllOf(StartsWith("# Causes\n"),
                                   HasSubstr("```sh\nparallax explain --made-up a.jsonl\n```\n"),
                                   HasSubstr("No gap has been explained yet.")));
}

TEST(Causes, GroupsByKnob) {
    Explanation other = test::fully_explained(), more = test::fully_explained();
    other.title = "multiply/tiled float 1024";
    other.conclusion.by = {1};
    other.conclusion.cause = "Loops are not unrolled.";
    more.title = "multiply/blocked float 1024";
    const std::string page = page_of({other, test::fully_explained(), more});
    const std::size_t align = page.find("\n## align\n"), unroll = page.find("\n## unroll\n");
    ASSERT_NE(align, std::string::npos);
    ASSERT_NE(unroll, std::string::npos);
    EXPECT_LT(align, unroll) << "what explains most comes first";
    const std::string first = page.substr(align, unroll - align);
    EXPECT_THAT(first,
                AllOf(HasSubstr("**What it is.** OpenCL aligns local arrays to 4 bytes, so that "
                                "shared loads are 32 bits wide.\n\n**What to do.** Say"),
                      HasSubstr("the compilers report: registers 96 -&#62; 128; 128-bit shared"),
                      HasSubstr("| transpose/tiled float 4096x4096 | Some GPU: opencl:1, cuda:0 | "
                                "OpenCL is 1.64x slower | ALIGN=16 on OpenCL | 100 % | 0.998 "
                                "(0.992-1.004) | SAME |\n"),
                      HasSubstr("| multiply/blocked"), Not(HasSubstr("multiply/tiled"))));
    EXPECT_THAT(page.substr(unroll), HasSubstr("Loops are not unrolled."));
}

TEST(Causes, AChangeThatTurnsTheGapRoundSaysSo) {
    Explanation e = test::fully_explained();
    Trial& trial = e.trials.at(e.conclusion.by.front());
    trial.closed = false;
    trial.closes = 1.16;
    EXPECT_THAT(page_of({e}), HasSubstr("| 116 % | 0.998 (0.992-1.004) | reversed |\n"));
    trial.closes = 0.96;
    EXPECT_THAT(page_of({e}), HasSubstr(" | smaller |\n"));
}

TEST(Causes, WhatIsNotExplainedIsSaid) {
    const std::string page = page_of({test::explained_in_part(), test::unexplained()});
    EXPECT_THAT(page, HasSubstr("No gap has been explained yet."));
    EXPECT_THAT(page, HasSubstr("## Explained in part"));
    EXPECT_THAT(page, HasSubstr("| ALIGN=16 on CUDA | 60 % |"));
    EXPECT_THAT(page, Not(HasSubstr("restrict on both"))) << "it closes nothing";
    EXPECT_THAT(page, HasSubstr("## Without an explanation"));
    EXPECT_THAT(page, HasSubstr("| CUDA is 1.050x slower | align: closes 2 %.<br>restrict: the "
                                "same code |"));
    EXPECT_THAT(page, Not(HasSubstr("Left out")));
}

TEST(Causes, AGainOfBothIsNotWithoutAnExplanation) {
    const std::string page = page_of({test::with_common_gain()});
    EXPECT_THAT(
        page, AllOf(HasSubstr("## Gains of both sides"),
                    HasSubstr("| contraction allowed on both sides | 98 % |"),
                    Not(HasSubstr("Without an explanation")), Not(HasSubstr("Explained in part"))));
}

TEST(Causes, OnlyRealGapsCount) {
    const std::string page =
        page_of({test::same_speed(), test::undecided(), test::wrong_answer(),
                 test::not_comparable(), test::on_one_cpu(), test::launching()});
    EXPECT_THAT(page, AllOf(HasSubstr("Left out: 6 cases"), Not(HasSubstr("ALIGN")),
                            Not(HasSubstr("| case |")), Not(HasSubstr("## "))));
}

TEST(Causes, DataIsNotTakenForMarkup) {
    Explanation e = test::fully_explained();
    e.conclusion.cause = e.title = e.device_name.a = e.trials[0].knobs[0] = "<img>|`x`\n# y";
    EXPECT_THAT(page_of({e}),
                AllOf(Not(HasSubstr("<img>")), Not(HasSubstr("`x`")), Not(HasSubstr("\n# y"))));
}

TEST(LargestGaps, AreOfEachSide) {
    Diff diff = test::empty_diff();
    diff.cases = {test::ran("a", "one", Verdict::slower, 1.9),
                  test::ran("a", "two", Verdict::slower, 1.8),
                  test::ran("a", "three", Verdict::slower, 1.7),
                  test::ran("a", "four", Verdict::slower, 1.6)};
    const auto names = [&] {
        std::string all;
        for (const report::Gap& gap : report::largest_gaps(diff)) all += gap.name + " ";
        return all;
    };
    EXPECT_EQ(names(), "a/one a/two a/three ");
    diff.cases.push_back(test::ran("a", "five", Verdict::faster, 0.8));
    EXPECT_EQ(names(), "a/one a/two a/five ");
    diff.cases.push_back(test::ran("a", "six", Verdict::faster, 0.5));
    EXPECT_EQ(names(), "a/six a/one a/two ");
}

}  // namespace
}  // namespace parallax::causes_test
