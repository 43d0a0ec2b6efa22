// Intervals of ratios against tables, published examples and simulation; verdicts on their edges.
#include "common/statistics/interval.hpp"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "common/error.hpp"

namespace parallax::interval_test {
namespace {

const double infinite = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();

Ratio interval(double low, double high) {
    Ratio ratio;
    ratio.value = std::sqrt(low * high);
    ratio.low = low;
    ratio.high = high;
    return ratio;
}

/// Hours of sleep gained with two drugs, as printed in Student's paper of 1908.
const std::vector<double> sleep_a{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
const std::vector<double> sleep_b{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

std::vector<double> exponentials_of(const std::vector<double>& logs) {
    std::vector<double> values;
    for (const double log : logs) values.push_back(std::exp(log));
    return values;
}

TEST(Interval, QuantilesAreThoseOfTheTables) {
    EXPECT_NEAR(student_quantile(0.975, 1), 12.706, 1e-3);
    EXPECT_NEAR(student_quantile(0.975, 4), 2.776, 1e-3);
    EXPECT_NEAR(student_quantile(0.995, 9), 3.250, 1e-3);
    EXPECT_NEAR(student_quantile(0.975, 1e6), 1.960, 1e-3);
    EXPECT_NEAR(student_quantile(0.025, 4), -2.776, 1e-3);
}

TEST(Interval, PairedByHand) {
    // Mean 0.03, squares 0.001 over 4 degrees, error of the mean sqrt(0.00025 / 5); t is 2.776445.
    const Ratio r = paired_ratio(std::vector{0.01, 0.02, 0.03, 0.04, 0.05}, 0.05, 0.95);
    const double error = std::sqrt(0.00005);
    EXPECT_NEAR(r.value, std::exp(0.03), 1e-12);
    EXPECT_NEAR(r.log_error, error, 1e-12);
    EXPECT_NEAR(std::log(r.low), 0.03 - 2.776445 * error, 1e-8);
    EXPECT_NEAR(std::log(r.high), 0.03 + 2.776445 * error, 1e-8);
    EXPECT_EQ(r.degrees, 4);
    EXPECT_EQ(r.units_a, 5u);
    EXPECT_EQ(r.units_b, 5u);
    EXPECT_EQ(r.confidence, 0.95);
    EXPECT_EQ(r.basis, "paired rounds");
    EXPECT_NEAR(r.width(), r.high / r.low - 1, 0);
}

TEST(Interval, PairedAsPublished) {
    // R's t.test(..., paired = TRUE) of the sleep data: 0.7001142 to 2.4598858, 9 degrees.
    std::vector<double> gains;
    for (std::size_t i = 0; i < sleep_a.size(); ++i) gains.push_back(sleep_b[i] - sleep_a[i]);
    const Ratio r = paired_ratio(gains, 0.05, 0.95);
    EXPECT_NEAR(std::log(r.value), 1.58, 1e-9);
    EXPECT_NEAR(std::log(r.low), 0.7001142, 1e-6);
    EXPECT_NEAR(std::log(r.high), 2.4598858, 1e-6);
    EXPECT_EQ(r.degrees, 9);
}

TEST(Interval, UnpairedAsPublished) {
    // R's t.test of the sleep data: -0.2054832 to 3.3654832, 17.776 degrees.
    const Ratio r = unpaired_ratio(exponentials_of(sleep_a), exponentials_of(sleep_b), 0.05);
    EXPECT_NEAR(std::log(r.value), 1.58, 1e-9);
    EXPECT_NEAR(std::log(r.low), -0.2054832, 1e-6);
    EXPECT_NEAR(std::log(r.high), 3.3654832, 1e-6);
    EXPECT_NEAR(r.degrees, 17.776, 5e-4);
    EXPECT_EQ(r.basis, "runs");
    EXPECT_NEAR(r.confidence, 0.95, 1e-12);
}

TEST(Interval, UnpairedWithOneSideThatDoesNotVary) {
    const Ratio r = unpaired_ratio(std::vector{1.0, 1.0, 1.0, 1.0}, std::vector{1.0, 1.1}, 0.05);
    EXPECT_NEAR(r.degrees, 1, 1e-9) << "those of the side that does";
    EXPECT_EQ(r.units_a, 4u);
    EXPECT_EQ(r.units_b, 2u);
    const Ratio still = unpaired_ratio(std::vector{1.0, 1.0}, std::vector{2.0, 2.0}, 0.05);
    EXPECT_NEAR(still.low, 2, 1e-12);
    EXPECT_NEAR(still.high, 2, 1e-12);
    EXPECT_EQ(verdict_of(still, 0.02), Verdict::slower);
}

TEST(Interval, SwappingTheSidesTurnsItRound) {
    const std::vector<double> a{1.0, 1.1, 1.05}, b{1.2, 1.0, 1.3, 1.25};
    const Ratio r = unpaired_ratio(a, b, 0.05), swapped = unpaired_ratio(b, a, 0.05);
    EXPECT_NEAR(swapped.value, 1 / r.value, 1e-12);
    EXPECT_NEAR(swapped.low, 1 / r.high, 1e-12);
    EXPECT_NEAR(swapped.high, 1 / r.low, 1e-12);
    EXPECT_NEAR(swapped.degrees, r.degrees, 1e-9);
    const Ratio p = paired_ratio(std::vector{0.1, 0.2, 0.4}, 0.05, 0.95);
    const Ratio q = paired_ratio(std::vector{-0.1, -0.2, -0.4}, 0.05, 0.95);
    EXPECT_NEAR(q.low, 1 / p.high, 1e-12);
    EXPECT_NEAR(q.high, 1 / p.low, 1e-12);
}

TEST(Interval, NeedsTwoUnits) {
    EXPECT_THROW(paired_ratio(std::vector<double>{}, 0.05, 0.95), Error);
    EXPECT_THROW(paired_ratio(std::vector{1.0}, 0.05, 0.95), Error);
    EXPECT_THROW(unpaired_ratio(std::vector{1.0}, std::vector{1.0, 2.0}, 0.05), Error);
    EXPECT_THROW(mean_ratio({}), Error);
}

TEST(Interval, CoversAsOftenAsItSays) {
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal(0.01, 0.02);
    constexpr unsigned draws = 20000;
    unsigned covered = 0;
    for (unsigned i = 0; i < draws; ++i) {
        std::vector<double> logs(5);
        for (double& log : logs) log = normal(random);
        const Ratio r = paired_ratio(logs, 0.05, 0.95);
        covered += r.low <= std::exp(0.01) && std::exp(0.01) <= r.high;
    }
    EXPECT_NEAR(static_cast<double>(covered) / draws, 0.95, 0.015);
}

TEST(Interval, UnpairedCoversWithUnlikeSides) {
    std::mt19937_64 random(2);
    std::normal_distribution<double> quiet(0, 0.005), noisy(0.05, 0.03);
    constexpr unsigned draws = 20000;
    unsigned covered = 0;
    for (unsigned i = 0; i < draws; ++i) {
        std::vector<double> a(4), b(6);
        for (double& one : a) one = std::exp(quiet(random));
        for (double& one : b) one = std::exp(noisy(random));
        const Ratio r = unpaired_ratio(a, b, 0.05);
        covered += r.low <= std::exp(0.05) && std::exp(0.05) <= r.high;
    }
    EXPECT_NEAR(static_cast<double>(covered) / draws, 0.95, 0.015);
}

TEST(Interval, RelativeIsNeverNarrower) {
    const Ratio now = paired_ratio(std::vector{0.10, 0.11, 0.12, 0.13, 0.14}, 0.0125, 0.95);
    const Ratio then = paired_ratio(std::vector{0.05, 0.06, 0.04, 0.05, 0.07}, 0.0125, 0.95);
    const Ratio r = relative_ratio(now, then);
    EXPECT_NEAR(r.value, now.value / then.value, 1e-12);
    const auto reach = [](const Ratio& ratio) { return std::log(ratio.high / ratio.low) / 2; };
    EXPECT_GE(reach(r), std::hypot(reach(now), reach(then)) - 1e-12);
    EXPECT_GT(reach(r), reach(now));
    EXPECT_GT(reach(r), reach(then));
    EXPECT_NEAR(r.low * r.high, r.value * r.value, 1e-12) << "symmetric in the logarithm";
    EXPECT_NEAR(r.confidence, 0.95, 1e-12);
    const Ratio itself = relative_ratio(now, now);
    EXPECT_NEAR(itself.value, 1, 1e-12);
    EXPECT_GT(reach(itself), 0) << "both measurements have their error";
}

TEST(Interval, MeanOfRatios) {
    Ratio twice = paired_ratio(std::vector{std::log(2) - 0.01, std::log(2) + 0.01}, 0.05, 0.95);
    Ratio half = paired_ratio(std::vector{-std::log(2) - 0.01, -std::log(2) + 0.01}, 0.05, 0.95);
    const Ratio mean = mean_ratio({twice, half});
    EXPECT_NEAR(mean.value, 1, 1e-12) << "whichever side is called A";
    // Each has error 0.01 of 1 degree; half of the sum has 0.01 / sqrt(2), of 2 degrees.
    EXPECT_NEAR(mean.log_error, 0.01 / std::sqrt(2), 1e-12);
    EXPECT_NEAR(mean.degrees, 2, 1e-9);
    EXPECT_NEAR(std::log(mean.high), 4.302653 * 0.01 / std::sqrt(2), 1e-7);
    EXPECT_EQ(mean.units_a, 2u);
    EXPECT_EQ(mean.basis, "cases");
    const Ratio one = mean_ratio({twice});
    EXPECT_NEAR(one.low, twice.low, 1e-12);
    EXPECT_NEAR(one.high, twice.high, 1e-12);
}

TEST(Edges, OfTheMargin) {
    const std::vector<double> edges = edges_of(0.25, {});
    EXPECT_EQ(edges, (std::vector{0.8, 1.25}));
    EXPECT_EQ(edges_of(0.25, 0.5), (std::vector{0.8, 1.25, 1.5}));
}

TEST(Edges, AnIntervalThatEndsOnOneIsNotDecided) {
    const std::vector<double> edges{0.8, 1.25};
    const auto next = [](double x) { return std::nextafter(x, infinite); };
    const auto before = [](double x) { return std::nextafter(x, 0); };
    EXPECT_EQ(verdict_of(interval(0.8, 1.0), 0.25), Verdict::undecided);
    EXPECT_EQ(verdict_of(interval(next(0.8), before(1.25)), 0.25), Verdict::same);
    EXPECT_EQ(verdict_of(interval(1.0, 1.25), 0.25), Verdict::undecided);
    EXPECT_EQ(verdict_of(interval(1.25, 1.3), 0.25), Verdict::undecided);
    EXPECT_EQ(verdict_of(interval(next(1.25), 1.3), 0.25), Verdict::slower);
    EXPECT_EQ(verdict_of(interval(0.7, 0.8), 0.25), Verdict::undecided);
    EXPECT_EQ(verdict_of(interval(0.7, before(0.8)), 0.25), Verdict::faster);
    EXPECT_EQ(verdict_of(interval(0.7, 1.3), 0.25), Verdict::undecided) << "both edges";
    EXPECT_TRUE(is_decided(interval(1, 1), edges));
    EXPECT_FALSE(is_decided(interval(1.25, 1.25), edges));
    EXPECT_TRUE(is_decided(interval(0.5, 2), {})) << "no edge was asked for";
}

TEST(Edges, AreMirroredBetweenTheSides) {
    // 1.015 and its inverse, 0.985222, are both inside 2 %; 0.9803 = 1 - 0.0197 is not.
    EXPECT_EQ(verdict_of(interval(1 / 1.015, 1.015), 0.02), Verdict::same);
    EXPECT_EQ(verdict_of(interval(0.9803, 0.9803), 0.02), Verdict::faster);
    EXPECT_EQ(verdict_of(interval(1 / 0.9803, 1 / 0.9803), 0.02), Verdict::slower);
}

TEST(Edges, WhatIsNotFiniteDecidesNothing) {
    const Ratio bad[] = {interval(1, infinite), interval(nan, 1), interval(1, nan),
                         interval(nan, nan), interval(2, infinite)};
    for (const Ratio& ratio : bad) {
        EXPECT_FALSE(is_decided(ratio, {}));
        EXPECT_EQ(verdict_of(ratio, 0.02), Verdict::undecided);
    }
    EXPECT_EQ(verdict_of(paired_ratio(std::vector{0.0, nan}, 0.05, 0.95), 0.02),
              Verdict::undecided);
}

}  // namespace
}  // namespace parallax::interval_test
