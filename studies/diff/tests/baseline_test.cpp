// Ratios against those of an earlier diff.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "studies/diff/diff_verdicts.hpp"
#include "studies/diff/tests/kept.hpp"

namespace parallax::baseline_test {
namespace {

using namespace test;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const Judgement five_percent{.margin = 0.02, .max_slowdown = 0.05};

std::vector<Kept> steady(double median, const Kept& kept = {}) {
    return runs_of({median, 1.0001 * median, 0.9999 * median}, kept);
}

/// B takes `ratio` times as long.
Diff ratio_of(double ratio) {
    return diff_of(steady(1e-3), steady(ratio * 1e-3, on_cuda()), five_percent);
}

TEST(Baseline, JudgesTheRatioOverTheEarlierOne) {
    // CUDA has always been 1.5x slower here: that is no change.
    Diff diff = ratio_of(1.5);
    EXPECT_EQ(exit_code(diff), 3);
    judge_against(diff, ratio_of(1.5), "base.jsonl");
    EXPECT_EQ(diff.baseline, "base.jsonl");
    ASSERT_TRUE(diff.cases.at(0).against_baseline);
    EXPECT_NEAR(diff.cases.at(0).against_baseline->value, 1, 1e-6);
    EXPECT_EQ(diff.cases.at(0).decision, Decision::pass);
    EXPECT_EQ(diff.cases.at(0).verdict, Verdict::slower) << "the verdict is about the two sides";
    EXPECT_EQ(exit_code(diff), 0);
}

TEST(Baseline, OfSidesTheOtherWayRoundIsTurned) {
    Diff diff = ratio_of(1.5);
    judge_against(diff, diff_of(steady(1.5e-3, on_cuda()), steady(1e-3), five_percent),
                  "base.jsonl");
    EXPECT_NEAR(diff.cases.at(0).against_baseline->value, 1, 1e-6);
    EXPECT_EQ(diff.cases.at(0).decision, Decision::pass);
    EXPECT_THAT(diff.warnings, Contains(HasSubstr("the other way round")));
    Diff same_way = ratio_of(1.5);
    judge_against(same_way, ratio_of(1.5), "base.jsonl");
    EXPECT_THAT(same_way.warnings, Not(Contains(HasSubstr("the other way round"))));
}

TEST(Baseline, AChangeShows) {
    Diff diff = ratio_of(1.0);
    EXPECT_EQ(exit_code(diff), 0);
    judge_against(diff, ratio_of(0.8), "base.jsonl");
    EXPECT_NEAR(diff.cases.at(0).against_baseline->value, 1.25, 1e-6);
    EXPECT_EQ(diff.cases.at(0).decision, Decision::fail);
    EXPECT_EQ(exit_code(diff), 3);
}

TEST(Baseline, WhatItLacksHasNothingToBeSlowerThan) {
    Kept other;
    other.variant = "other";
    const auto with_other = [&](double seconds) {
        std::vector<Kept> all = steady(seconds), more = steady(seconds, other);
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    Diff diff = diff_of(with_other(1e-3), with_other(1.5e-3), five_percent);
    judge_against(diff, ratio_of(1.5), "base.jsonl");
    EXPECT_TRUE(diff.cases.at(0).against_baseline);
    EXPECT_FALSE(diff.cases.at(1).against_baseline);
    EXPECT_EQ(diff.cases.at(1).decision, Decision::none);
    EXPECT_THAT(diff.cases.at(1).reason, HasSubstr("The baseline has no ratio for it"));
}

TEST(Baseline, WithoutACaseInCommonIsRefused) {
    Kept other;
    other.variant = "other";
    Diff diff = ratio_of(1.5);
    EXPECT_THROW(judge_against(diff, diff_of({other}, {other}, five_percent), "base.jsonl"),
                 NothingToCompare);
    Diff again = ratio_of(1.5);
    EXPECT_THROW(
        judge_against(again, diff_of({Kept{}}, {ended(Status::unsupported, "No.")}), "base.jsonl"),
        NothingToCompare)
        << "it has the case, but no ratio";
}

TEST(Baseline, CasesAreKnownByAllTheirConstants) {
    Kept eight, other;
    eight.constants = {{"GROUP", 8}};
    // The title of neither names GROUP, as it does not differ within a diff.
    Diff diff = diff_of(steady(1e-3, eight), steady(1e-3, eight), five_percent);
    EXPECT_THROW(judge_against(diff, ratio_of(1), "base.jsonl"), NothingToCompare);
    EXPECT_EQ(diff.cases.at(0).title, "copy/plain float 1000");
    EXPECT_FALSE(diff.cases.at(0).key == ratio_of(1).cases.at(0).key);
    // The order of constants does not matter.
    Kept one, two;
    one.constants = {{"A", 1}, {"B", 2}};
    two.constants = {{"B", 2}, {"A", 1}};
    EXPECT_TRUE(case_of({one}, {one}).key == case_of({two}, {two}).key);
}

/// A live diff with a run for each of these ratios.
Diff live_diff_of(const std::vector<double>& ratios, const Judgement& judgement = {}) {
    std::vector<Json> lines;
    for (std::size_t i = 0; i < ratios.size(); ++i) {
        Kept a, b = on_cuda();
        a.run = b.run = "run " + std::to_string(i);
        a.side = 'a', b.side = 'b';
        lines.push_back(line(a)), lines.push_back(line(b));
        KeptPair pair;
        pair.run = a.run;
        for (double& one : pair.log_ratios) one += std::log(ratios[i]);
        lines.push_back(line(pair));
    }
    const ResultSet set = set_of("live.jsonl", lines);
    return build_diff(sides_within(set, {}), judgement);
}

TEST(Baseline, ItsRunsShowWhatIsNoise) {
    const Judgement by_noise{.max_slowdown = 0.02, .by_noise = true};
    const std::vector<double> quiet{1, 1.001, 0.999, 1.0005}, noisy{1, 1.06, 0.94, 1.02, 0.98};
    const auto judged = [&](double now, const std::vector<double>& then, const Judgement& asked) {
        Diff diff = live_diff_of({now}, asked);
        judge_against(diff, live_diff_of(then), "base.jsonl");
        return diff.cases.at(0);
    };
    EXPECT_EQ(judged(1.05, quiet, by_noise).decision, Decision::fail);
    EXPECT_EQ(judged(1.015, quiet, by_noise).decision, Decision::pass) << "within the margin";
    EXPECT_EQ(judged(1.05, noisy, by_noise).decision, Decision::pass) << "runs differ by as much";
    EXPECT_EQ(judged(1.5, noisy, by_noise).decision, Decision::fail);
    const CaseDiff unknown = judged(1.05, {1, 1.001}, by_noise);
    EXPECT_EQ(unknown.decision, Decision::undecided);
    EXPECT_THAT(unknown.reason, HasSubstr("fewer than 3 runs"));
    // A fixed limit is not called exceeded by what may be noise.
    EXPECT_EQ(judged(1.08, quiet, five_percent).decision, Decision::fail);
    EXPECT_EQ(judged(1.08, noisy, five_percent).decision, Decision::undecided);
}

TEST(Baseline, WithoutARatioThereIsNothingToJudge) {
    Diff diff = diff_of({Kept{}}, {ended(Status::wrong, "No.")}, five_percent);
    judge_against(diff, ratio_of(1), "base.jsonl");
    EXPECT_FALSE(diff.cases.at(0).against_baseline);
    EXPECT_EQ(diff.cases.at(0).decision, Decision::fail);
}

TEST(Baseline, OfAnotherKindOfDeviceDecidesNothingAndSaysSo) {
    Kept a, b = on_cuda();
    a.name = b.name = "Another GPU";
    const Diff other = diff_of(steady(1e-3, a), steady(1.5e-3, b), five_percent);
    Diff diff = ratio_of(1.5);
    judge_against(diff, other, "base.jsonl");
    ASSERT_FALSE(diff.warnings.empty());
    EXPECT_THAT(diff.warnings.front(), HasSubstr("base.jsonl is of Another GPU, and this diff of "
                                                 "Some GPU"));
    EXPECT_TRUE(diff.cases.at(0).against_baseline) << "it is shown";
    EXPECT_EQ(diff.cases.at(0).decision, Decision::undecided);
    EXPECT_EQ(exit_code(diff), 4);
    Diff another_card = ratio_of(1.5);
    a.name = b.name = "Some GPU";
    a.uuid = b.uuid = "0e";
    judge_against(another_card, diff_of(steady(1e-3, a), steady(1.5e-3, b)), "base.jsonl");
    EXPECT_EQ(another_card.cases.at(0).decision, Decision::pass) << "of the same kind";
}

TEST(Baseline, WithoutALimitThereIsNoDecision) {
    Diff diff = diff_of(steady(1e-3), steady(1.5e-3));
    judge_against(diff, ratio_of(1), "base.jsonl");
    EXPECT_TRUE(diff.cases.at(0).against_baseline);
    EXPECT_EQ(diff.cases.at(0).decision, Decision::none);
}

/// A live diff with a pair that was, or was not, disturbed.
Diff live_diff(const KeptPair& pair) {
    Kept a, b = on_cuda();
    a.side = 'a';
    b.side = 'b';
    const ResultSet set = set_of("live", {line(a), line(b), line(pair)});
    return build_diff(sides_within(set, {}), five_percent);
}

TEST(Baseline, ADisturbedOneDecidesNothing) {
    const KeptPair disturbed{.look = 0, .disturbed = "heat"};
    Diff diff = live_diff({});
    judge_against(diff, live_diff(disturbed), "base.jsonl");
    EXPECT_EQ(diff.cases.at(0).decision, Decision::undecided);
    Diff now = live_diff(disturbed);
    judge_against(now, live_diff({}), "base.jsonl");
    EXPECT_EQ(now.cases.at(0).decision, Decision::undecided);
    Diff both_calm = live_diff({});
    judge_against(both_calm, live_diff({}), "base.jsonl");
    EXPECT_EQ(both_calm.cases.at(0).decision, Decision::pass);
}

}  // namespace
}  // namespace parallax::baseline_test
