// Tests rounds of A B B A: interim analyses, disturbed rounds, and the end of a measurement.
#include "measure/paired.hpp"

#include "common/statistics/interval.hpp"
#include "common/statistics/rounds.hpp"
#include "common/tests/scripted_clock.hpp"
#include "common/text/read_file.hpp"
#include "measure/tests/measured_pair.hpp"

namespace parallax::paired_test {
namespace {

using testing::HasSubstr;

PairRound round_of(double log_ratio, std::string disturbed = {}) {
    PairRound round;
    round.repeats_a = round.repeats_b = 1;
    round.a = {1e-3, 1e-3};
    round.b = {1e-3 * std::exp(log_ratio), 1e-3 * std::exp(log_ratio)};
    round.disturbed = std::move(disturbed);
    return round;
}

PairRule rule_of(double most_seconds = 1e9) {
    PairRule rule;
    rule.edges = edges_of(0.02, {});
    rule.most_seconds = most_seconds;
    return rule;
}

/// A log ratio of 2 % on average, so that nothing is ever decided.
double at_the_edge(unsigned number) {
    return std::log(1.02) + (number % 2 == 0 ? 0.01 : -0.01);
}

TEST(Quads, ALinearDriftCancels) {
    PairRound round;
    // A B B A, then B A A B, with times that grow by the same factor from batch to batch.
    const double drift = 1.01, ratio = 1.07;
    const std::string order = "ABBABAAB";
    for (std::size_t i = 0; i < order.size(); ++i) {
        const double time = std::pow(drift, static_cast<double>(i));
        if (order[i] == 'A') round.a.push_back(time);
        if (order[i] == 'B') round.b.push_back(time * ratio);
    }
    EXPECT_NEAR(log_ratio_of(round), std::log(ratio), 1e-14);
}

TEST(Quads, OneBadQuadOfThreeDoesNotCount) {
    PairRound round;
    round.a = {1, 1, 1, 1, 1, 1};
    round.b = {2, 2, 2, 2, 50, 60};
    EXPECT_NEAR(log_ratio_of(round), std::log(2), 1e-14);
}

TEST(Quads, HaveToBeWhole) {
    PairRound round;
    EXPECT_THROW(log_ratio_of(round), Error) << "none";
    round.a = round.b = {1};
    EXPECT_THROW(log_ratio_of(round), Error) << "half a quad";
    round.a = round.b = {1, 1, 1};
    EXPECT_THROW(log_ratio_of(round), Error) << "one and a half";
    round.a = {1, 1};
    EXPECT_THROW(log_ratio_of(round), Error) << "unequal";
}

TEST(Pairs, AreLookedAtAfterFixedCounts) {
    // More noise means a later decision, but never between two analyses.
    for (const auto& [noise, rounds, look] :
         {std::tuple{0.3, 14u, 1u}, {0.5, 28u, 3u}, {0.75, 56u, 5u}}) {
        const PairTiming timing = measure_pair(
            [loud = noise](unsigned n) {
                // All of fourteen steps from -1 to 1, in an order of no pattern.
                return round_of(0.2 + loud * (n * 5 % 14 - 6.5) / 6.5);
            },
            rule_of());
        EXPECT_EQ(timing.rounds.size(), rounds);
        EXPECT_EQ(timing.look, look);
        EXPECT_EQ(timing.stopped_by, "decided");
    }
}

/// A line of Markdown for each plan that a rule may result in, by the available time.
std::set<std::vector<unsigned>> plans_of(const std::vector<unsigned>& interim_analyses) {
    std::set<std::vector<unsigned>> plans;
    for (unsigned seconds = 0; seconds <= interim_analyses.front(); ++seconds) {
        PairRule rule = rule_of(seconds);
        rule.interim_analyses = interim_analyses;
        PairMeasurement measurement(rule);
        measurement.add(round_of(at_the_edge(0)), 0);
        measurement.add(round_of(at_the_edge(1)), 1);
        plans.insert(measurement.timing().interim_analyses);
    }
    return plans;
}

TEST(Pairs, PlansAndWhatTheyMissAreInTheManual) {
    std::set<std::vector<unsigned>> plans = plans_of(PairRule{}.interim_analyses);
    plans.merge(plans_of(careful_analyses));
    std::string table;
    for (const std::vector<unsigned>& plan : plans) {
        table += fmt::format("| {} |", fmt::join(plan, ", "));
        for (const unsigned rounds : {plan.front(), plan.back()}) {
            for (const double share : {0.2, 0.1}) {
                table += fmt::format(" {:.2g} % |", 100 * missed_share(share, rounds));
            }
        }
        table += "\n";
    }
    EXPECT_THAT(read_file(SOURCE_ROOT "/docs/concepts/verdicts.md", 1 << 20),
                HasSubstr("| --- |\n" + table + "\n"))
        << "docs/concepts/verdicts.md has this table:\n" + table;
}

TEST(Pairs, EndWhenTheLooksDo) {
    unsigned made = 0;
    const PairTiming timing = measure_pair(
        [&](unsigned number) {
            EXPECT_EQ(number, made++);
            return round_of(at_the_edge(number));
        },
        rule_of());
    EXPECT_EQ(made, 56u);
    EXPECT_EQ(timing.look, 5u);
    EXPECT_EQ(timing.stopped_by, "looks");
    EXPECT_EQ(timing.doubt(), "");
    EXPECT_EQ(verdict_of(*timing.ratio(), 0.02), Verdict::undecided);
    EXPECT_EQ(timing.ratio()->units_a, 56u);
}

TEST(Pairs, ShareTheErrorEvenlyBetweenTheLooks) {
    PairRule rule = rule_of();
    const PairTiming timing = measure_pair([](unsigned n) { return round_of(1e-4 * n); }, rule);
    ASSERT_EQ(timing.look, 1u);
    std::vector<RoundLog> logs;
    for (unsigned n = 0; n < 14; ++n) logs.push_back({1e-4 * n});
    const Ratio own = rounds_ratio(logs, placement_uncertainty(1e-3), 0.05 / 5, 0.95);
    EXPECT_NEAR(timing.ratio()->low, own.low, 1e-12);
    EXPECT_NEAR(timing.ratio()->high, own.high, 1e-12);
    EXPECT_EQ(timing.ratio()->confidence, 0.95) << "of all looks together";
}

TEST(Pairs, StopWhenDecided) {
    for (const double log_ratio : {0.0, 0.1, -0.1}) {
        const PairTiming timing = measure_pair(
            [&](unsigned n) { return round_of(log_ratio + 1e-4 * (n % 3)); }, rule_of());
        EXPECT_EQ(timing.stopped_by, "decided");
        EXPECT_EQ(timing.rounds.size(), 14u);
        EXPECT_EQ(timing.look, 1u);
    }
}

TEST(Pairs, AnyEdgeKeepsThemGoing) {
    PairRule rule = rule_of();
    rule.edges = edges_of(0.02, 0.1);
    const PairTiming timing = measure_pair(
        [](unsigned n) { return round_of(std::log(1.1) + (n % 2 == 0 ? 0.01 : -0.01)); }, rule);
    EXPECT_EQ(timing.stopped_by, "looks") << "SLOWER, but by more than is allowed?";
}

TEST(Pairs, DisturbedRoundsAreTriedAgain) {
    // Every third round is disturbed, and an outlier.
    const PairTiming timing = measure_pair(
        [](unsigned n) {
            return n % 3 == 1 ? round_of(3.0, "the clock fell") : round_of(1e-4 * (n % 2));
        },
        rule_of());
    EXPECT_EQ(timing.stopped_by, "decided");
    EXPECT_EQ(timing.log_ratios().size(), 14u);
    EXPECT_EQ(timing.rounds.size(), 21u);
    EXPECT_LT(timing.ratio()->high, 1.01);
    EXPECT_EQ(timing.doubt(), "");
}

TEST(Pairs, TooManyDisturbancesDecideNothing) {
    const PairTiming timing = measure_pair(
        [](unsigned) { return round_of(0, "2 other process(es) computed"); }, rule_of());
    EXPECT_EQ(timing.stopped_by, "disturbed");
    EXPECT_EQ(timing.look, 0u);
    EXPECT_EQ(timing.rounds.size(), 42u) << "three times the first look";
    ASSERT_TRUE(timing.ratio()) << "there is a result all the same";
    EXPECT_EQ(verdict_of(*timing.ratio(), 0.02), Verdict::same) << "which must not be used";
    EXPECT_EQ(timing.doubt(), "42 of 42 rounds were disturbed: 2 other process(es) computed.");
}

TEST(Pairs, DisturbancesAfterALookLeaveItsInterval) {
    const PairTiming timing = measure_pair(
        [](unsigned n) { return n < 16 ? round_of(at_the_edge(n)) : round_of(0, "heat"); },
        rule_of());
    EXPECT_EQ(timing.stopped_by, "disturbed");
    EXPECT_EQ(timing.rounds.size(), 112u) << "twice the last look";
    EXPECT_EQ(timing.look, 1u);
    EXPECT_EQ(timing.ratio()->units_a, 14u) << "rounds after the look are not in it";
    EXPECT_EQ(timing.doubt(), "");
    EXPECT_EQ(verdict_of(*timing.ratio(), 0.02), Verdict::undecided);
}

TEST(Pairs, TimeEndsThemOnlyAfterTheFirstLook) {
    const ScriptedClock clock(0);
    unsigned made = 0;
    const PairTiming timing = measure_pair(
        [&](unsigned n) {
            ++made;
            ScriptedClock::advance(0.2);
            return round_of(at_the_edge(n));
        },
        rule_of(0.1));
    EXPECT_EQ(made, 6u) << "the first look comes sooner, and is taken all the same";
    EXPECT_EQ(timing.interim_analyses, (std::vector<unsigned>{6, 12}));
    EXPECT_EQ(timing.look, 1u);
    EXPECT_EQ(timing.stopped_by, "time");
    EXPECT_EQ(timing.doubt(), "");
}

TEST(Pairs, AFirstRoundThatTakesLongIsNoMeasureOfTheOthers) {
    const ScriptedClock clock(0);
    const PairTiming timing = measure_pair(
        [&](unsigned n) {
            ScriptedClock::advance(n == 0 ? 0.5 : 0.001);
            return round_of(1e-4 * (n % 3));
        },
        rule_of(1));
    EXPECT_EQ(timing.interim_analyses, PairRule().interim_analyses);
    EXPECT_EQ(timing.rounds.size(), 14u);
}

TEST(Pairs, TimeEndsThemBetweenLooks) {
    const ScriptedClock clock(0);
    const PairTiming timing = measure_pair(
        [&](unsigned n) {
            if (n == 16) ScriptedClock::advance(1.1);
            return round_of(at_the_edge(n));
        },
        rule_of(1));
    EXPECT_EQ(timing.stopped_by, "time");
    EXPECT_EQ(timing.rounds.size(), 17u);
    EXPECT_EQ(timing.ratio()->units_a, 14u) << "that of the look, at its fixed count";
}

TEST(Pairs, WhatARoundThrowsGetsOut) {
    EXPECT_THROW(measure_pair(
                     [](unsigned n) -> PairRound {
                         if (n == 3) throw DeviceError("It is gone.");
                         return round_of(0);
                     },
                     rule_of()),
                 DeviceError);
    EXPECT_THROW(measure_pair([](unsigned) { return PairRound{}; }, rule_of()), Error);
}

TEST(Pairs, WithoutALookThereIsADoubt) {
    PairTiming timing;
    timing.interim_analyses = {5, 10};
    EXPECT_FALSE(timing.ratio());
    timing.rounds = {round_of(0)};
    EXPECT_FALSE(timing.ratio()) << "one round has no interval";
    timing.rounds = {round_of(0), round_of(0), round_of(0)};
    EXPECT_TRUE(timing.ratio());
    EXPECT_THAT(timing.doubt(), HasSubstr("3 round(s), fewer than the first look takes"));
}

}  // namespace
}  // namespace parallax::paired_test
