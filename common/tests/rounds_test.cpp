// Tests what an interval of rounds contains in addition to their scatter.
#include "common/statistics/rounds.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/statistics/interval.hpp"

namespace parallax::rounds_test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<RoundLog> rounds_of(const std::vector<double>& logs) {
    std::vector<RoundLog> rounds;
    for (const double log : logs) rounds.push_back({log, rounds.size() % 2 == 0});
    return rounds;
}

/// Fourteen rounds without a pattern, between -size and size.
std::vector<double> plain(double size) {
    std::vector<double> logs;
    for (int n = 0; n < 14; ++n) logs.push_back(size * (n * 5 % 14 - 6.5) / 6.5);
    return logs;
}

double reach(const Ratio& ratio) {
    return std::log(ratio.high / ratio.value);
}

TEST(Rounds, WhatTheirOrderIsWorthIsNoScatter) {
    std::vector<double> logs = plain(0.001);
    const Ratio before = rounds_ratio(rounds_of(logs), 0, 0.05, 0.95);
    for (std::size_t i = 0; i < logs.size(); ++i) logs[i] += i % 2 == 0 ? -0.024 : 0.022;
    const Ratio now = rounds_ratio(rounds_of(logs), 0, 0.05, 0.95);
    EXPECT_NEAR(std::log(now.value / before.value), -0.001, 1e-12) << "the mean of both orders";
    EXPECT_NEAR(reach(now), reach(before), 1e-12);
    EXPECT_EQ(now.degrees, 12);
    EXPECT_EQ(now.caution, "");
}

TEST(Rounds, OrdersOfUnequalNumberHaveEqualWeight) {
    // Five rounds of A first at 0.01 and three of B first at -0.01: the order, and nothing else.
    std::vector<RoundLog> rounds;
    for (int i = 0; i < 5; ++i) rounds.push_back({0.01, true});
    for (int i = 0; i < 3; ++i) rounds.push_back({-0.01, false});
    EXPECT_NEAR(rounds_ratio(rounds, 0, 0.05, 0.95).value, 1, 1e-12);
}

TEST(Rounds, OfOneOrderAreStudents) {
    std::vector<RoundLog> rounds;
    for (const double log : {0.01, 0.02, 0.03, 0.04, 0.05}) rounds.push_back({log, true});
    const Ratio own = paired_ratio(std::vector{0.01, 0.02, 0.03, 0.04, 0.05}, 0.0125, 0.95);
    const Ratio ratio = rounds_ratio(rounds, 0, 0.0125, 0.95);
    EXPECT_NEAR(ratio.low, own.low, 1e-12);
    EXPECT_NEAR(ratio.high, own.high, 1e-12);
    EXPECT_EQ(ratio.confidence, 0.95);
    EXPECT_EQ(ratio.basis, "paired rounds");
}

TEST(Rounds, NoNumberOfThemIsSurerThanTheirPlacement) {
    const Ratio alike = rounds_ratio(rounds_of(std::vector(30, 0.01)), 0.004, 0.05, 0.95);
    EXPECT_NEAR(reach(alike), 0.004, 1e-9);
    EXPECT_EQ(alike.placement, 0.004);
    const Ratio bare = rounds_ratio(rounds_of(plain(0.01)), 0, 0.05, 0.95);
    const Ratio placed = rounds_ratio(rounds_of(plain(0.01)), 0.004, 0.05, 0.95);
    EXPECT_NEAR(reach(placed), std::hypot(reach(bare), 0.004), 1e-12);
}

TEST(Rounds, APlacementCountsMostForShortLaunches) {
    EXPECT_NEAR(placement_uncertainty(10e-6), 0.02, 0.001) << "two tenths of a microsecond of ten";
    EXPECT_NEAR(placement_uncertainty(1), 0.002, 1e-4);
    EXPECT_GT(placement_uncertainty(3e-6), 0.05);
    EXPECT_NEAR(placement_uncertainty(0), 0.002, 1e-12) << "not known";
}

TEST(Rounds, TwoStatesAreBothHeld) {
    std::vector<double> logs = plain(0.001);
    for (const std::size_t i : {3u, 8u}) logs[i] += std::log(1.1);
    const Ratio ratio = rounds_ratio(rounds_of(logs), 0, 0.05, 0.95);
    EXPECT_LT(ratio.low, 1.0);
    EXPECT_GT(ratio.high, 1.08);
    EXPECT_EQ(verdict_of(ratio, 0.02), Verdict::undecided);
    EXPECT_THAT(ratio.caution, HasSubstr("two states: 12 of them at"));
    EXPECT_THAT(ratio.caution, HasSubstr(", 2 at"));
    // Where both bounds are on one side of the edges the result is decided.
    for (double& log : logs) log += 0.5;
    EXPECT_EQ(verdict_of(rounds_ratio(rounds_of(logs), 0, 0.05, 0.95), 0.02), Verdict::slower);
}

TEST(Rounds, ARoundThatOneBatchExplainsIsNoState) {
    std::vector<RoundLog> rounds = rounds_of(plain(0.001));
    // A batch 10 % longer than the other of its side: half of that is in the round.
    rounds[5] = {0.05, false, 0.1};
    EXPECT_EQ(rounds_ratio(rounds, 0, 0.05, 0.95).caution, "");
    rounds[5].spread = 0.002;
    EXPECT_THAT(rounds_ratio(rounds, 0, 0.05, 0.95).caution, HasSubstr("two states"));
    // With such batches in every round, none shows a second mode.
    for (RoundLog& round : rounds) round.spread = 0.1;
    EXPECT_EQ(rounds_ratio(rounds, 0, 0.05, 0.95).caution, "");
}

TEST(Rounds, OneFarOffDoesNotHideThatTheOthersFollow) {
    std::vector<double> logs;
    for (int n = 0; n < 30; ++n) logs.push_back(0.01 * std::cos(n * 3.14159 / 13));
    logs[15] += 0.2;
    EXPECT_THAT(rounds_ratio(rounds_of(logs), 0, 0.05, 0.95).caution, HasSubstr("follow"));
}

/// Many rounds without a pattern around 0.03, and some outliers.
std::vector<double> with_strays(std::size_t count, std::initializer_list<std::size_t> strays) {
    std::vector<double> logs;
    while (logs.size() < count) logs.push_back(0.03 + plain(0.005)[logs.size() % 14]);
    for (const std::size_t stray : strays) logs[stray] -= 0.6;
    return logs;
}

TEST(Rounds, OneOfTwentyMayBeAStray) {
    const Ratio ratio = rounds_ratio(rounds_of(with_strays(40, {11, 24})), 0, 0.05, 0.95);
    EXPECT_NEAR(std::log(ratio.value), 0.03, 0.001);
    EXPECT_EQ(verdict_of(ratio, 0.02), Verdict::slower);
    EXPECT_EQ(ratio.caution, "2 of its 40 rounds lay far off the others and are left out.");
}

TEST(Rounds, MoreThanOneOfTwentyAreNoStrays) {
    const Ratio ratio = rounds_ratio(rounds_of(with_strays(40, {5, 11, 24})), 0, 0.05, 0.95);
    EXPECT_EQ(verdict_of(ratio, 0.02), Verdict::undecided);
    EXPECT_THAT(ratio.caution, Not(HasSubstr("left out")));
    const Ratio few = rounds_ratio(rounds_of(with_strays(14, {5})), 0, 0.05, 0.95);
    EXPECT_EQ(verdict_of(few, 0.02), Verdict::undecided) << "one of fourteen may be a state";
}

TEST(Rounds, ThatFollowOneAnotherReachNoFurtherThanTheyDo) {
    // All below 1, most near the upper end: outliers below say nothing about those above.
    std::vector<double> logs;
    for (int n = 0; n < 20; ++n) logs.push_back(-0.1 - (n < 5 ? 0.02 * (5 - n) : 0.001 * (n % 3)));
    const Ratio ratio = rounds_ratio(rounds_of(logs), 0, 0.05, 0.95);
    ASSERT_THAT(ratio.caution, HasSubstr("follow"));
    EXPECT_LE(ratio.low, std::exp(-0.19));
    EXPECT_EQ(verdict_of(ratio, 0.02), Verdict::faster);
}

TEST(Rounds, ASmallGapIsNoState) {
    std::vector<double> logs = plain(0.0001);
    for (const std::size_t i : {0u, 3u, 4u, 7u, 8u, 11u, 12u}) logs[i] += 0.003;
    EXPECT_EQ(rounds_ratio(rounds_of(logs), 0, 0.05, 0.95).caution, "") << "placement covers it";
}

TEST(Rounds, ThatFollowOneAnotherAreWorthFewer) {
    // Half a wave: each round is like the one before. In another order it is scatter.
    std::vector<double> wave, mixed;
    for (int n = 0; n < 14; ++n) {
        wave.push_back(0.01 * std::cos(n * 3.14159 / 13));
        mixed.push_back(0.01 * std::cos((n * 5 % 14) * 3.14159 / 13));
    }
    const Ratio together = rounds_ratio(rounds_of(wave), 0, 0.05, 0.95);
    const Ratio apart = rounds_ratio(rounds_of(mixed), 0, 0.05, 0.95);
    EXPECT_EQ(apart.caution, "");
    EXPECT_THAT(together.caution, HasSubstr("follow one another (correlation 0."));
    EXPECT_GT(reach(together), 2 * reach(apart));
    EXPECT_GE(together.high / together.value, std::exp(0.0099)) << "as far as the rounds reach";
}

TEST(Rounds, ThatFollowALittleAreWorthALittleFewer) {
    std::vector<double> logs;
    for (int n = 0; n < 14; ++n) logs.push_back(0.01 * std::cos(n * 2 * 3.14159 / 4.5));
    const Ratio ratio = rounds_ratio(rounds_of(logs), 0, 0.05, 0.95);
    EXPECT_EQ(ratio.caution, "") << "they are scatter all the same";
    const double scatter = student_quantile(0.975, ratio.degrees) * ratio.log_error;
    EXPECT_GT(reach(ratio), 1.2 * scatter);
    EXPECT_LT(reach(ratio), 2 * scatter);
}

TEST(Rounds, FewOfThemShowNeitherStatesNorFollowing) {
    const Ratio ratio = rounds_ratio(rounds_of({0, 0, 0, 0.1, 0.1}), 0, 0.05, 0.95);
    EXPECT_EQ(ratio.caution, "");
}

TEST(Rounds, MissAsOftenAsTheySay) {
    std::mt19937_64 random(4);
    std::normal_distribution<double> normal;
    unsigned missed = 0;
    constexpr unsigned trials = 4000;
    for (unsigned trial = 0; trial < trials; ++trial) {
        std::vector<double> logs;
        for (int i = 0; i < 14; ++i) {
            logs.push_back(0.01 * normal(random) + (i % 2 == 0 ? 0.02 : -0.02));
        }
        const Ratio ratio = rounds_ratio(rounds_of(logs), 0, 0.05, 0.95);
        missed += ratio.low > 1 || ratio.high < 1;
    }
    // 5 %, less the widening for apparent autocorrelation; six standard errors.
    EXPECT_LE(missed, trials / 20 + 83);
    EXPECT_GE(missed, trials / 100) << "and it is not wide for nothing";
}

}  // namespace
}  // namespace parallax::rounds_test
