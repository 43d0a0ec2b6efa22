// Tests medians, their intervals, and the timing loop that collects samples.
#include "common/statistics/statistics.hpp"

#include <random>

#include <gtest/gtest.h>

#include "common/error.hpp"
#include "measure/timing_loop.hpp"

namespace parallax::statistics_test {
namespace {

TEST(Median, OfFewSamples) {
    EXPECT_EQ(estimate_median(std::vector{3.0}).median, 3);
    EXPECT_EQ(estimate_median(std::vector{1.0, 2.0}).median, 1.5);
    EXPECT_EQ(estimate_median(std::vector{9.0, 1.0, 2.0}).median, 2);
    EXPECT_ANY_THROW(estimate_median({}));
}

TEST(Median, IntervalIsTheKnownOneOfOrderStatistics) {
    // Conover, Practical Nonparametric Statistics: n = 10, 95 %: 2nd and 9th; n = 20: 6th and 15th.
    std::vector<double> ten, twenty;
    for (int i = 1; i <= 10; ++i) ten.push_back(i);
    for (int i = 1; i <= 20; ++i) twenty.push_back(i);
    const Estimate a = estimate_median(ten), b = estimate_median(twenty);
    EXPECT_EQ(a.low, 2);
    EXPECT_EQ(a.high, 9);
    EXPECT_NEAR(a.confidence, 0.9785, 1e-4);
    EXPECT_EQ(b.low, 6);
    EXPECT_EQ(b.high, 15);
    EXPECT_NEAR(b.confidence, 0.9586, 1e-4);
}

TEST(Median, TooFewSamplesGiveTheExtremesAndSaySo) {
    const Estimate e = estimate_median(std::vector{1.0, 2.0, 3.0});
    EXPECT_EQ(e.low, 1);
    EXPECT_EQ(e.high, 3);
    EXPECT_NEAR(e.confidence, 0.75, 1e-9);
}

TEST(Median, IntervalCoversAsOftenAsItSays) {
    std::mt19937_64 random(1);
    std::exponential_distribution<double> draw(1.0);
    int covered = 0;
    constexpr int tries = 2000;
    for (int i = 0; i < tries; ++i) {
        std::vector<double> samples(25);
        for (double& sample : samples) sample = draw(random);
        const Estimate e = estimate_median(samples);
        covered += e.low <= std::log(2.0) && std::log(2.0) <= e.high;
    }
    // 95.7 % with 25 samples; four standard deviations of 2000 tries are 1.8 %.
    EXPECT_GT(covered, tries * 0.939);
    EXPECT_LT(covered, tries * 0.976);
}

TEST(Median, SpreadIsAShareOfTheMedian) {
    EXPECT_DOUBLE_EQ(estimate_median(std::vector{8.0, 10.0, 10.0, 11.0, 14.0}).spread, 0.1);
}

/// A runnable whose runs all take `seconds`, and that records its calls.
struct Steady {
    double seconds = 1e-4;
    std::vector<unsigned> calls;
    Runnable runnable() {
        return [this](unsigned repeats) {
            calls.push_back(repeats);
            return Elapsed{seconds * repeats, seconds * repeats};
        };
    }
};

TEST(Clock, WarmsUpAndFillsTheBatch) {
    Steady steady;
    StoppingRule rule;
    rule.batch_seconds = 1e-3;
    const Timing timing = measure([&](unsigned) { return steady.runnable(); }, rule);
    ASSERT_GE(steady.calls.size(), 3u);
    EXPECT_EQ(steady.calls[0], 1u) << "the warm-up";
    ASSERT_EQ(timing.repeats.size(), rule.rounds);
    for (const unsigned repeats : timing.repeats)
        EXPECT_GE(repeats * steady.seconds, rule.batch_seconds);
    EXPECT_DOUBLE_EQ(timing.estimate.median, 1e-4);
    EXPECT_EQ(timing.samples.size(), rule.least_samples) << "steady: it stops as soon as it may";
    EXPECT_EQ(timing.stopped_by, "narrow");
    EXPECT_EQ(timing.round.back(), rule.rounds - 1);
    EXPECT_EQ(timing.host_samples.size(), timing.samples.size());
}

TEST(Clock, LongRunsAreNotRepeated) {
    Steady steady{0.5, {}};
    StoppingRule rule;
    rule.batch_seconds = 1e-3;
    const Timing timing = measure([&](unsigned) { return steady.runnable(); }, rule);
    EXPECT_EQ(timing.repeats, (std::vector<unsigned>{1, 1, 1}));
}

TEST(Clock, NoisyRunsTakeMoreSamplesUpToTheMost) {
    std::mt19937_64 random(2);
    std::uniform_real_distribution<double> draw(0.5, 1.5);
    StoppingRule rule;
    rule.batch_seconds = 0;
    rule.most_seconds = 60;
    const Timing timing = measure(
        [&](unsigned) {
            return [&](unsigned repeats) { return Elapsed{draw(random) * repeats, 0}; };
        },
        rule);
    EXPECT_EQ(timing.samples.size(), rule.most_samples);
    EXPECT_EQ(timing.stopped_by, "most_samples");
}

TEST(Clock, EveryRoundIsMadeAnew) {
    unsigned made = 0;
    Steady steady;
    StoppingRule rule;
    rule.rounds = 4;
    measure(
        [&](unsigned round) {
            EXPECT_EQ(round, made++);
            return steady.runnable();
        },
        rule);
    EXPECT_EQ(made, 4u);
}

TEST(Clock, AClockThatStandsStillIsAnError) {
    EXPECT_THROW(measure([](unsigned) { return [](unsigned) {
                                            return Elapsed{0, 1};
                                        }; },
                         StoppingRule{.most_seconds = 0.01}),
                 DeviceError);
}

TEST(Clock, CanBeInterrupted) {
    Steady steady;
    int looks = 0;
    EXPECT_THROW(measure([&](unsigned) { return steady.runnable(); }, StoppingRule{},
                         [&] {
                             if (++looks == 5) throw Interrupted();
                         }),
                 Interrupted);
}

}  // namespace
}  // namespace parallax::statistics_test
