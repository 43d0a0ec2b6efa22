// Conclusions from simulated trials: which knob is named, and when none is.
#include "studies/explain/conclude.hpp"

#include <set>

#include <gmock/gmock.h>

#include "common/error.hpp"
#include "studies/explain/knobs.hpp"

namespace parallax::conclude_test {
namespace {

using testing::Contains;
using testing::HasSubstr;

Ratio ratio(double value, double half_width = 0.005) {
    Ratio r;
    r.value = value;
    r.low = value / (1 + half_width);
    r.high = value * (1 + half_width);
    return r;
}

/// A gap and its trials, as an explanation has them before it is concluded.
struct Made {
    Explanation e;
    std::vector<TrialWords> reasons;

    explicit Made(double gap) {
        e.device = {"opencl:0", "cuda:0"};
        e.gap = ratio(gap);
        e.verdict = gap > 1.02 ? Verdict::slower : gap < 0.98 ? Verdict::faster : Verdict::same;
    }
    Made& trial(std::vector<std::string> knobs, KnobSide side, double with,
                double half_width = 0.005) {
        Trial t;
        t.knobs = std::move(knobs);
        t.setting = t.knobs.front() + " turned";
        t.side = side;
        t.status = TrialStatus::measured;
        t.ratio = ratio(with, half_width);
        rate(t, e.gap, 0.02);
        e.trials.push_back(t);
        reasons.push_back({"cause of " + t.knobs.front(), "remedy of " + t.knobs.front()});
        return *this;
    }
    /// The trial before gives exactness up.
    Made& traded() {
        reasons.back().trade = true;
        return *this;
    }
    Made& ended(const std::string& knob, KnobSide side, TrialStatus status) {
        Trial t;
        t.knobs = {knob};
        t.setting = knob + " turned";
        t.side = side;
        t.status = status;
        t.reason = "A reason.";
        e.trials.push_back(t);
        reasons.push_back({"no cause", "no remedy"});
        return *this;
    }
    const Conclusion& conclusion() {
        conclude(e, reasons);
        return e.conclusion;
    }
    std::string named() {
        const Conclusion& c = conclusion();
        return c.by.empty() ? "" : e.trials[c.by.front()].knobs.front();
    }
};

TEST(Rate, ClosesCountsLogarithms) {
    Trial t;
    t.ratio = ratio(1.1, 0);
    rate(t, ratio(1.21), 0.02);
    EXPECT_NEAR(t.closes, 0.5, 1e-9);
    EXPECT_FALSE(t.closed);
    t.ratio = ratio(1.0);
    rate(t, ratio(1.21), 0.02);
    EXPECT_NEAR(t.closes, 1, 1e-9);
    EXPECT_LT(t.closes_low, t.closes);
    EXPECT_GT(t.closes_high, t.closes);
    EXPECT_TRUE(t.closed);
}

TEST(Rate, TheDirectionOfTheGapDoesNotMatter) {
    Trial slower, faster;
    slower.ratio = ratio(1.1);
    rate(slower, ratio(1.21), 0.02);
    faster.ratio = ratio(1 / 1.1);
    rate(faster, ratio(1 / 1.21), 0.02);
    EXPECT_NEAR(slower.closes, faster.closes, 1e-9);
    EXPECT_LE(faster.closes_low, faster.closes_high);
}

TEST(Conclude, TheKnobThatClosesTheGapIsNamed) {
    Made made(1.5);
    made.trial({"unrolling"}, KnobSide::b, 1.49)
        .trial({"alignment"}, KnobSide::b, 1.001)
        .trial({"register cap"}, KnobSide::b, 1.2);
    EXPECT_EQ(made.named(), "alignment");
    EXPECT_TRUE(made.e.conclusion.explained);
    EXPECT_EQ(made.e.conclusion.cause, "cause of alignment");
    EXPECT_EQ(made.e.conclusion.remedy, "remedy of alignment");
    EXPECT_THAT(made.e.conclusion.ruled_out, Contains(HasSubstr("unrolling: ")));
    EXPECT_THAT(made.e.conclusion.ruled_out, testing::Not(Contains(HasSubstr("register cap"))));
}

TEST(Conclude, WhicheverSideIsSlower) {
    Made made(1 / 1.5);
    made.trial({"alignment"}, KnobSide::a, 1.0).trial({"unrolling"}, KnobSide::a, 1 / 1.3);
    EXPECT_EQ(made.named(), "alignment");
}

TEST(Conclude, WhatDoesMoreThanCloseIsNotTheCause) {
    Made made(1.2);
    made.trial({"relaxed mathematics"}, KnobSide::b, 0.8)
        .trial({"exact division"}, KnobSide::b, 1.002);
    EXPECT_EQ(made.named(), "exact division");
}

TEST(Conclude, AChangeOfOneThingStandsBeforeOneOfManyRules) {
    Made made(1.5);
    made.trial({"relaxed mathematics"}, KnobSide::b, 1.001)
        .trial({"mathematics"}, KnobSide::b, 1.012);
    EXPECT_EQ(made.named(), "mathematics");
    Made alone(1.5);
    EXPECT_EQ(alone.trial({"relaxed mathematics"}, KnobSide::b, 1.001).named(),
              "relaxed mathematics");
}

TEST(Conclude, AGainOfItsOwnExplainsNothing) {
    Made made(1.03);
    made.trial({"index width"}, KnobSide::b, 0.6).trial({"unrolling"}, KnobSide::b, 1.03);
    EXPECT_EQ(made.named(), "");
    EXPECT_FALSE(made.e.conclusion.explained);
}

TEST(Conclude, AKnobThatMakesBothAlikeExplains) {
    Made made(1.3);
    made.trial({"index width"}, KnobSide::b, 1.1).trial({"index width"}, KnobSide::both, 1.001);
    EXPECT_EQ(made.named(), "index width");
    EXPECT_EQ(made.e.trials.front().side, KnobSide::both);
    EXPECT_EQ(made.e.conclusion.cause, "cause of index width");
}

TEST(Conclude, WhatSlowsTheFasterSideIsNoRemedyOnBothSidesEither) {
    Made made(1.5);
    made.trial({"unrolling"}, KnobSide::both, 1.001).trial({"unrolling"}, KnobSide::b, 1.5);
    made.e.trials.front().own_change = 1.001;
    for (const bool is_b : {false, true}) {
        KernelEvidence one;
        one.kernel = "f";
        one.ptx.emplace();
        one.ptx->count[0] = is_b ? 4 : 64;
        one.ptx_text = is_b ? "rem.u32 r_0\n" : "mul r_0\n";
        made.e.evidence.of(is_b) = {one};
    }
    EXPECT_EQ(made.named(), "");
    EXPECT_EQ(made.e.conclusion.remedy, "");
    EXPECT_THAT(
        made.e.conclusion.where,
        HasSubstr("OpenCL's compiler unrolls a loop here that CUDA's does not. In the PTX of "
                  "'f', OpenCL first and CUDA second: instructions 64 and 4, "));
}

TEST(Conclude, WhatBothGainByIsNotWhatTheyDifferIn) {
    Made made(1.2);
    made.trial({"contraction"}, KnobSide::b, 0.8).trial({"contraction"}, KnobSide::both, 1.0);
    made.e.trials.back().own_change = 0.67;
    EXPECT_EQ(made.named(), "");
    const Trial* const common = common_gain(made.e);
    ASSERT_TRUE(common);
    EXPECT_NEAR(faster_sides_change(*common, made.e.gap), 0.67 * 1.2, 1e-9);
    EXPECT_EQ(made.e.conclusion.where, "");
    // Only a little more than the gap is the gap.
    Made other(1.2);
    other.trial({"contraction"}, KnobSide::b, 0.97).trial({"contraction"}, KnobSide::both, 1.0);
    EXPECT_EQ(other.named(), "contraction");
    EXPECT_FALSE(common_gain(other.e));
}

TEST(Conclude, WhatMostlySlowsTheFasterSideIsNoCause) {
    // The slower side gains 13 % of the gap, and the faster one loses the rest.
    Made made(1.36);
    made.trial({"unrolling"}, KnobSide::b, 1.304).trial({"unrolling"}, KnobSide::both, 0.996);
    made.e.trials.back().own_change = 0.96;
    EXPECT_EQ(made.named(), "");
    EXPECT_EQ(made.e.conclusion.where, "") << "the slower side has it as well";
}

TEST(Conclude, AGainManyTimesTheGapIsNoPartOfIt) {
    Made made(1.028);
    made.trial({"vector loads"}, KnobSide::both, 1.012, 0.001);
    made.e.trials.back().own_change = 0.6;
    EXPECT_EQ(made.named(), "");
}

TEST(Conclude, WithQueuesTheFasterSidesLossIsWhatTheSlowerOneLacks) {
    Made made(4.15);
    made.trial({"queues"}, KnobSide::both, 1.013);
    made.e.trials.back().own_change = 0.54;
    EXPECT_EQ(made.named(), "queues");
}

TEST(Conclude, WhatItsReverseDoesAsWellIsNoCause) {
    Made made(1.2);
    made.trial({"index width"}, KnobSide::b, 1.0).trial({"index width"}, KnobSide::b, 1.002);
    made.e.trials.back().setting = "the other way";
    made.reasons.front().reverse = "the other way";
    made.reasons.back().reverse = made.e.trials.front().setting;
    made.trial({"register cap"}, KnobSide::b, 1.005);
    EXPECT_EQ(made.named(), "register cap") << "any other code is faster";
    Made nothing_else(1.2);
    nothing_else.trial({"index width"}, KnobSide::b, 1.0)
        .trial({"index width"}, KnobSide::b, 1.002);
    nothing_else.e.trials.back().setting = "the other way";
    nothing_else.e.trials.front().own_change = 0.83;
    nothing_else.reasons.front().reverse = "the other way";
    nothing_else.reasons.back().reverse = "index width turned";
    EXPECT_EQ(nothing_else.named(), "");
    EXPECT_EQ(nothing_else.e.conclusion.where,
              "It is not how wide indices are: with index width turned and with the other way "
              "alike, CUDA takes 0.83 of its time.");
    Made one_way(1.2);
    one_way.trial({"index width"}, KnobSide::b, 1.0).trial({"index width"}, KnobSide::b, 1.25);
    one_way.e.trials.back().setting = "the other way";
    one_way.reasons.front().reverse = "the other way";
    EXPECT_EQ(one_way.named(), "index width");
}

TEST(Conclude, WhatLeavesAloneWhatItSpeaksOfIsNoCause) {
    Made made(1.2);
    made.trial({"register cap"}, KnobSide::b, 1.0);
    made.reasons.back().missed = true;
    EXPECT_EQ(made.named(), "") << "the number of registers stayed";
}

TEST(Conclude, OneKnobBeforeTwo) {
    Made made(1.5);
    made.trial({"unrolling", "index width"}, KnobSide::b, 1.0)
        .trial({"alignment"}, KnobSide::b, 1.005);
    EXPECT_EQ(made.named(), "alignment");
}

TEST(Conclude, MendingBeforeExplaining) {
    Made made(1.5);
    made.trial({"unrolling"}, KnobSide::a, 1.0).trial({"alignment"}, KnobSide::b, 1.005);
    EXPECT_EQ(made.named(), "alignment");
}

TEST(Conclude, WhatMakesTheFasterSideSlowIsNoCauseAndSaysWhereTheyDiffer) {
    Made made(1.5);
    made.trial({"assembler"}, KnobSide::a, 1.001).trial({"unrolling"}, KnobSide::b, 1.5);
    EXPECT_EQ(made.named(), "");
    EXPECT_FALSE(made.e.conclusion.explained);
    EXPECT_EQ(made.e.conclusion.cause + made.e.conclusion.remedy, "");
    EXPECT_THAT(made.e.conclusion.where, HasSubstr(knob_named("assembler").about));
    // The slower side, turned alike, minds it: it says nothing of the difference.
    Made other(1.5);
    other.trial({"unrolling"}, KnobSide::a, 1.001).trial({"unrolling"}, KnobSide::b, 2.2);
    EXPECT_EQ(other.named() + other.e.conclusion.where, "");
}

TEST(Conclude, WhatTheGapStaysWithOnBothSidesIsNoCause) {
    Made made(1.5);
    made.trial({"unrolling"}, KnobSide::b, 1.0).trial({"unrolling"}, KnobSide::both, 1.5);
    EXPECT_EQ(made.named(), "");
    EXPECT_FALSE(made.e.conclusion.explained);
}

TEST(Conclude, APartIsAPart) {
    Made made(1.5);
    made.trial({"unrolling"}, KnobSide::b, 1.2).trial({"alignment"}, KnobSide::b, 1.495);
    EXPECT_EQ(made.named(), "unrolling");
    EXPECT_FALSE(made.e.conclusion.explained);
    Made less(1.5);
    less.trial({"unrolling"}, KnobSide::b, 1.25);
    EXPECT_EQ(less.named(), "") << "it closes 45 %";
    EXPECT_EQ(less.e.conclusion.cause, "");
}

TEST(Conclude, AWideIntervalExplainsNothing) {
    Made made(1.05);
    made.trial({"unrolling"}, KnobSide::b, 1.0, 0.2);
    EXPECT_EQ(made.named(), "");
    EXPECT_FALSE(made.e.conclusion.explained);
}

TEST(Conclude, NothingIsNamedWhereNothingHelps) {
    Made made(1.3);
    made.trial({"unrolling"}, KnobSide::b, 1.31)
        .ended("restrict", KnobSide::b, TrialStatus::no_effect)
        .ended("relaxed mathematics", KnobSide::b, TrialStatus::wrong)
        .ended("profiling", KnobSide::b, TrialStatus::skipped);
    EXPECT_EQ(made.named(), "");
    const Conclusion& c = made.e.conclusion;
    EXPECT_TRUE(c.has_gap);
    EXPECT_EQ(c.cause, "");
    EXPECT_THAT(c.ruled_out, Contains(HasSubstr("restrict: CUDA the same code")));
    EXPECT_THAT(c.ruled_out, Contains(HasSubstr("unrolling: ")));
    EXPECT_THAT(c.not_tried, Contains(HasSubstr("profiling: ")));
    EXPECT_THAT(c.ruled_out, Contains("relaxed mathematics: CUDA a wrong answer"));
}

TEST(Conclude, PositionsOfAKnobAreOneEntry) {
    Made made(1.3);
    made.trial({"unrolling"}, KnobSide::b, 1.305)
        .trial({"unrolling"}, KnobSide::b, 1.298)
        .ended("unrolling", KnobSide::b, TrialStatus::no_effect)
        .ended("unrolling", KnobSide::b, TrialStatus::no_effect)
        .trial({"unrolling"}, KnobSide::a, 1.301)
        .trial({"restrict"}, KnobSide::b, 1.3)
        .ended("restrict", KnobSide::a, TrialStatus::skipped);
    const Conclusion& c = made.conclusion();
    EXPECT_THAT(c.ruled_out, Contains("unrolling: OpenCL 0 %; CUDA -1 to 1 %, the same code"));
    EXPECT_THAT(c.not_tried,
                Contains("restrict, not in all positions: OpenCL not tried; CUDA 0 %"));
}

TEST(Conclude, AFailedChangeIsNamedWithItsReason) {
    Made made(1.3);
    made.trial({"unrolling"}, KnobSide::b, 1.0)
        .ended("unrolling", KnobSide::b, TrialStatus::failed)
        .ended("restrict", KnobSide::b, TrialStatus::failed);
    const Conclusion& c = made.conclusion();
    EXPECT_TRUE(c.explained);
    EXPECT_THAT(c.not_tried, Contains("unrolling turned on CUDA: A reason"))
        << "though another position is the cause";
    EXPECT_THAT(c.not_tried, Contains("restrict: CUDA restrict turned: A reason"));
}

TEST(Conclude, WithoutAGapTheFastestComesFirst) {
    Made made(1.0);
    made.trial({"unrolling"}, KnobSide::b, 1.0).trial({"alignment"}, KnobSide::b, 0.8);
    made.e.trials.at(0).own_change = 1.0;
    made.e.trials.at(1).own_change = 0.8;
    const Conclusion& c = made.conclusion();
    EXPECT_FALSE(c.has_gap);
    EXPECT_TRUE(c.by.empty());
    EXPECT_EQ(made.e.trials.front().knobs.front(), "alignment");
}

TEST(Conclude, ADeviceAgainstItselfHasNoGapWhateverItsClockSays) {
    Made made(1.5);
    made.e.device = {"opencl:0", "opencl:0"};
    made.trial({"unrolling"}, KnobSide::b, 1.0);
    EXPECT_EQ(made.named(), "");
    EXPECT_FALSE(made.e.conclusion.has_gap);
    EXPECT_FALSE(made.e.conclusion.explained);
}

TEST(Conclude, WithoutTrialsThereIsNoCause) {
    Made made(1.5);
    EXPECT_EQ(made.named(), "");
    EXPECT_TRUE(made.e.conclusion.has_gap);
}

TEST(Knobs, NamesAreTheirOwn) {
    std::set<std::string> seen;
    for (const Knob& knob : knobs()) EXPECT_TRUE(seen.insert(knob.name).second) << knob.name;
    EXPECT_GE(seen.size(), 16u);
    EXPECT_THROW(knob_named("no such knob"), UsageError);
}

TEST(Trades, ComeBehindWhatGivesNothingUp) {
    EXPECT_EQ(Made(1.5)
                  .trial({"mathematics"}, KnobSide::b, 1.0)
                  .traded()
                  .trial({"doubles"}, KnobSide::b, 1.012)
                  .named(),
              "doubles");
    Made alone(1.5);
    EXPECT_EQ(alone.trial({"mathematics"}, KnobSide::b, 1.0).traded().named(), "mathematics");
    EXPECT_FALSE(alone.e.conclusion.explained);
    EXPECT_EQ(alone.e.conclusion.cause, "") << "both sides may gain by it";
}

TEST(Trades, OfOneSideAloneAreNotNamedWhereTheGapStaysOnBoth) {
    Made one(1.5);
    one.trial({"mathematics"}, KnobSide::b, 1.0).traded();
    one.trial({"mathematics"}, KnobSide::both, 1.5).traded();
    EXPECT_EQ(one.named(), "");
    EXPECT_EQ(one.e.conclusion.remedy, "");
    Made both(1.5);
    both.trial({"mathematics"}, KnobSide::b, 1.0).traded();
    both.trial({"mathematics"}, KnobSide::both, 1.01).traded();
    EXPECT_EQ(both.named(), "mathematics");
    EXPECT_TRUE(both.e.conclusion.explained);
    EXPECT_NE(both.e.conclusion.cause, "");
    Made part(1.5);
    part.trial({"mathematics"}, KnobSide::b, 1.2).traded();
    part.trial({"mathematics"}, KnobSide::both, 1.5).traded();
    EXPECT_EQ(part.named(), "");
}

}  // namespace
}  // namespace parallax::conclude_test
