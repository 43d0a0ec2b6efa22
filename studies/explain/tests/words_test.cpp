// The answer in words, for each kind of explanation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "studies/explain/explanation_names.hpp"
#include "studies/explain/tests/explanations.hpp"

namespace parallax::words_test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(Answer, FullyExplained) {
    EXPECT_EQ(
        answer_in_words(test::fully_explained()),
        "OpenCL (opencl:1) is 1.64x slower than CUDA (cuda:0) (1.63 to 1.65). 97 % of the gap "
        "arises in the front end, which makes PTX of the text (Code of both front ends, loaded by "
        "CUDA: 1.614 (1.6 to 1.62)). ALIGN=16 on OpenCL closes it: the slower side then takes "
        "1.002 times as long as the faster (0.996 to 1.008). Cause: OpenCL aligns local arrays to "
        "4 bytes, so that shared loads are 32 bits wide. Remedy: Say aligned(16) of local arrays.");
}

TEST(Answer, AfterTheFrontEnd) {
    Explanation e = test::fully_explained();
    std::swap(e.origin.at(0).share, e.origin.at(1).share);
    EXPECT_THAT(answer_in_words(e),
                HasSubstr("97 % of the gap arises after the front end, in the back end and the "
                          "run-time, which take PTX (OpenCL's own code, loaded by "
                          "OpenCL and by CUDA: 1.016"));
    e.origin.at(0).share = 0.8;
    e.origin.at(1).share = 0.2;
    EXPECT_THAT(answer_in_words(e), HasSubstr(" Another 20 % arises in the front end"));
    e.origin.at(0).share = 1.2;
    e.origin.at(1).share = -0.2;
    EXPECT_THAT(answer_in_words(e),
                HasSubstr("What happens in the front end, which makes PTX of the text works "
                          "against it, by 20 %."));
}

TEST(Answer, SeveralChangesThatClose) {
    Explanation e = test::fully_explained();
    e.trials.at(0).closed = false;
    e.trials.at(0).closes = 0.96;
    e.conclusion.by = {0, 1};
    EXPECT_THAT(answer_in_words(e),
                AllOf(HasSubstr("ALIGN=16 on OpenCL closes 96 % of it: "),
                      HasSubstr("So does #pragma unroll 4 on CUDA, which makes it as slow.")));
}

TEST(Answer, AChangeThatSlowsTheFasterSideIsNoRemedy) {
    Explanation e = test::on_one_cpu();
    e.conclusion.by = {1};
    EXPECT_THAT(answer_in_words(e),
                HasSubstr("ALIGN=4 on A closes it: the slower side then takes 1.002 times as long "
                          "as the faster (0.996 to 1.008). It does so by making the faster side "
                          "as slow (1.30x): it shows what the difference is, and is no remedy."));
    e.trials.at(1).own_change = 0.99;
    EXPECT_THAT(answer_in_words(e), Not(HasSubstr("no remedy"))) << "it did not get slower";
    e.conclusion.by = {0};
    EXPECT_THAT(answer_in_words(e), Not(HasSubstr("no remedy")));
}

TEST(Answer, ExplainedInPart) {
    EXPECT_EQ(
        answer_in_words(test::explained_in_part()),
        "CUDA (cuda:0) is 2.00x slower than OpenCL (opencl:1) (1.99 to 2.01). Neither side could "
        "be given the other's code, so where the gap arises is not known: OpenCL's driver takes "
        "no PTX. It is explained in part. ALIGN=16 on CUDA closes 40 % of it: the slower side "
        "then takes 1.516 times as long as the faster (1.51 to 1.53). Less of it: #pragma unroll "
        "4 on OpenCL (25 %); shares of changes that overlap do not add up. The other 60 % is not "
        "explained. Cause: Loads are narrower. Not tried, or not on both sides: inline PTX.");
}

TEST(Answer, Unexplained) {
    const std::string text = answer_in_words(test::unexplained());
    EXPECT_THAT(text, StartsWith("CUDA (cuda:0) is 1.050x slower than OpenCL (opencl:1) (1.044 to "
                                 "1.056). The gap arises in several places: 45 % in the back end"));
    EXPECT_THAT(text, HasSubstr("; 41 % after the front end"));
    EXPECT_THAT(text, EndsWith("It is not explained: none of the 2 changes that were tried takes "
                               "away 20 %. Ruled out: align, restrict."));
    Explanation one = test::unexplained();
    one.trials.pop_back();
    EXPECT_THAT(answer_in_words(one), HasSubstr("none of the 1 change that was tried"));
    one.trials.clear();
    EXPECT_THAT(answer_in_words(one), HasSubstr("no change could be tried"));
}

// A list of dozens of changes stands in a section of its own.
TEST(Answer, NamesOfWhatWasNotTriedAreEnough) {
    Explanation e = test::unexplained();
    e.conclusion.not_tried = {"padding, not in all positions: one more column on A (closes 5 %)",
                              "restrict, assembler: the budget had ended"};
    EXPECT_THAT(answer_in_words(e),
                EndsWith("Not tried, or not on both sides: padding, restrict, assembler."));
    e.trials.push_back({.status = TrialStatus::skipped});
    EXPECT_THAT(answer_in_words(e), EndsWith("assembler. --budget gives more."));
}

TEST(Answer, OnePlaceOfManyIsNotSeveral) {
    Explanation e = test::unexplained();
    e.origin.at(0).share = 0.01;
    for (std::size_t i = 1; i < e.origin.size(); ++i) e.origin[i].share.reset();
    EXPECT_THAT(answer_in_words(e), HasSubstr("Where the gap arises is known in part: 1 % "));
}

TEST(Answer, AGainOfItsOwnIsNoCause) {
    Explanation e = test::unexplained();
    Trial gain;
    gain.knobs = {"index width"};
    gain.setting = "32-bit indices";
    gain.side = e.b_is_slower() ? KnobSide::b : KnobSide::a;
    gain.status = TrialStatus::measured;
    gain.ratio = test::made_ratio(1);
    gain.closes = gain.closes_low = gain.closes_high = 3;
    gain.own_change = 0.5;
    e.trials.push_back(gain);
    const std::string text = answer_in_words(e);
    EXPECT_THAT(text, HasSubstr("It is not explained"));
    EXPECT_THAT(text,
                HasSubstr("takes 0.500 times as long with 32-bit indices: a gain of its own"));
    e.trials.back().closes = 0.5;
    EXPECT_THAT(answer_in_words(e), Not(HasSubstr("a gain of its own")));
}

TEST(Answer, WhereItArisesIsNotKnown) {
    Explanation e = test::unexplained();
    e.origin.clear();
    EXPECT_THAT(answer_in_words(e), Not(HasSubstr("arises")));
    e.why_no_origin = "A CPU has no PTX";
    EXPECT_THAT(answer_in_words(e), HasSubstr("where the gap arises is not known: A CPU has no "
                                              "PTX. It is"));
    e.why_no_origin.clear();
    e.origin = {{"front end", "", {}, "The driver refused it.", {}}};
    EXPECT_THAT(answer_in_words(e), HasSubstr("is not known: The driver refused it."));
}

TEST(Answer, NoGap) {
    EXPECT_EQ(
        answer_in_words(test::same_speed()),
        "OpenCL (opencl:1) and CUDA (cuda:0) take the same time: CUDA's divided by OpenCL's is "
        "1.003 (0.997 to 1.009). There is no gap to explain.");
    EXPECT_EQ(answer_in_words(test::undecided()),
              "Whether OpenCL (opencl:1) and CUDA (cuda:0) differ is not decided: CUDA's time "
              "divided by OpenCL's is 1.018 (1.012 to 1.024), and the interval contains an edge of "
              "the margin. A larger --budget narrows it.");
    Explanation claimed = test::undecided();
    claimed.conclusion.has_gap = true;
    EXPECT_EQ(answer_in_words(claimed), answer_in_words(test::undecided()))
        << "what is not decided is no gap yet";
}

TEST(Answer, NoSpeeds) {
    EXPECT_EQ(answer_in_words(test::wrong_answer()),
              "OpenCL (opencl:1) and CUDA (cuda:0): an answer is not right or a side failed, so "
              "there are no speeds to explain. Cause: CUDA's element 7 is 3, not 4. 'parallax diff "
              "opencl:1 cuda:0 -s transpose/broken' says what it is.");
    EXPECT_EQ(answer_in_words(test::not_comparable()),
              "OpenCL (opencl:1) and CUDA (cuda:0) cannot be compared: a side is missing or "
              "unsupported, or it is not the same kernel, so there are no speeds to explain. "
              "'parallax diff opencl:1 cuda:0 -s transpose/builtin' says what it is.");
}

TEST(Answer, Launching) {
    EXPECT_THAT(answer_in_words(test::launching()),
                HasSubstr("this gap is about launching, not about what the kernel does. An empty "
                          "launch takes 4 us on OpenCL and 6 us on CUDA. A larger problem (-n)"));
    Explanation e = test::launching();
    e.stages.at(0).seconds.b.reset();
    EXPECT_THAT(answer_in_words(e), Not(HasSubstr("An empty launch takes")));
}

TEST(Answer, WhatLaunchingCostsNeedsNoChangeOfTheKernel) {
    Explanation e = test::launching();
    e.conclusion.by.clear();
    const std::string text = answer_in_words(e);
    EXPECT_THAT(text, HasSubstr("No change of the kernel that was tried makes up for it."));
    EXPECT_THAT(text, Not(HasSubstr("It is not explained")));
}

TEST(Answer, OnOneCpu) {
    EXPECT_EQ(answer_in_words(test::on_one_cpu()),
              "B (opencl:0) is 1.30x slower than A (opencl:0) (1.29 to 1.31). Put in on purpose, "
              "on B: ALIGN=4. Neither side could be given the other's code, so where the gap "
              "arises is not known: A CPU has no PTX. ALIGN=16 on B closes it: the slower side "
              "then takes 1.001 times as long as the faster (0.995 to 1.007). So does ALIGN=4 on "
              "A, which makes it as slow. Cause: ALIGN=4 was put in.");
}

TEST(Names, OfSides) {
    Explanation e = test::fully_explained();
    EXPECT_EQ(short_names(e).a, "OpenCL");
    EXPECT_EQ(full_names(e).b, "CUDA (cuda:0)");
    e.device = {"opencl:0", "opencl:1"};
    EXPECT_EQ(short_names(e).b, "opencl:1");
    EXPECT_EQ(full_names(e).b, "B (opencl:1)");
    EXPECT_EQ(changed_side(e, KnobSide::a), "opencl:0");
    EXPECT_EQ(changed_side(e, KnobSide::both), "both sides");
}

TEST(Names, OfFigures) {
    EXPECT_EQ(share_words(0.968), "97 %");
    EXPECT_EQ(share_words(1), "100 %");
    EXPECT_EQ(share_words(0.0423), "4.2 %");
    EXPECT_EQ(share_words(-0.3), "-30 %");
    EXPECT_EQ(share_words(0), "0 %");
    EXPECT_EQ(times_words(1.0234), "1.023x");
    EXPECT_EQ(times_words(12.34), "12.3x");
    EXPECT_EQ(times_words(1234.5), "1234x");
}

}  // namespace
}  // namespace parallax::words_test
