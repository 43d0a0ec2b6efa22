// The third question, of what was kept: pairs, runs, or rounds of one run.
#include "studies/diff/stored_ratio.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/statistics/interval.hpp"
#include "studies/diff/tests/kept.hpp"

namespace parallax::stored_ratio_test {
namespace {

using namespace test;
using testing::HasSubstr;

/// Keeps what stored_ratio points at.
struct Sets {
    std::vector<Record> a, b;
    std::vector<Pair> pairs;

    Sets(const std::vector<Kept>& kept_a, const std::vector<Kept>& kept_b,
         const std::vector<KeptPair>& kept_pairs = {}) {
        for (const Kept& one : kept_a) a.push_back(fake::as<Record>(line(one)));
        for (const Kept& one : kept_b) b.push_back(fake::as<Record>(line(one)));
        for (const KeptPair& one : kept_pairs) pairs.push_back(fake::as<Pair>(line(one)));
    }
    StoredRatio ratio() const {
        const auto pointers = [](const auto& all) {
            std::vector<const typename std::decay_t<decltype(all)>::value_type*> list;
            for (const auto& one : all) list.push_back(&one);
            return list;
        };
        return stored_ratio(pointers(a), pointers(b), pointers(pairs));
    }
};

Kept with_rounds(std::vector<double> rounds) {
    Kept kept;
    kept.rounds = std::move(rounds);
    return kept;
}

TEST(StoredRatio, RunsAreTheUnit) {
    const std::vector<double> a{1.0e-3, 1.02e-3, 0.99e-3}, b{1.1e-3, 1.12e-3};
    const StoredRatio r = Sets(runs_of(a), runs_of(b)).ratio();
    ASSERT_TRUE(r.ratio);
    EXPECT_EQ(r.ratio->basis, "runs");
    EXPECT_EQ(r.ratio->units_a, 3u);
    EXPECT_EQ(r.ratio->units_b, 2u);
    const Ratio own = unpaired_ratio(a, b, 0.05);
    EXPECT_DOUBLE_EQ(r.ratio->low, own.low) << "Welch's, of the medians";
    EXPECT_DOUBLE_EQ(r.ratio->high, own.high);
    EXPECT_FALSE(r.least_visible);
    EXPECT_EQ(r.doubt, "");
}

TEST(StoredRatio, OneRunOnASideFallsBackToRounds) {
    const std::vector<double> one{1e-3, 1.01e-3, 0.99e-3, 1e-3};
    const StoredRatio r = Sets(runs_of({1e-3, 1.01e-3}), {with_rounds(one)}).ratio();
    ASSERT_TRUE(r.ratio);
    EXPECT_EQ(r.ratio->basis, "rounds of one run");
    EXPECT_EQ(r.ratio->units_a, 2u);
    EXPECT_EQ(r.ratio->units_b, 1u);
    const StoredRatio single = Sets({with_rounds(one)}, {with_rounds(one)}).ratio();
    EXPECT_DOUBLE_EQ(single.ratio->high, unpaired_ratio(one, one, 0.05).high);
}

TEST(StoredRatio, OneRoundOfOneRunShowsNothing) {
    const StoredRatio r = Sets({with_rounds({1e-3})}, {with_rounds({1e-3, 2e-3})}).ratio();
    EXPECT_FALSE(r.ratio);
    EXPECT_THAT(r.doubt, HasSubstr("--processes"));
}

TEST(StoredRatio, WhatIsNotOkCountsForNothing) {
    std::vector<Kept> a = runs_of({1e-3, 1.01e-3});
    Kept bad = ended(Status::failed, "It fell over.");
    bad.run = "bad";
    a.push_back(bad);
    EXPECT_EQ(Sets(a, runs_of({1e-3, 1e-3})).ratio().ratio->units_a, 2u);
    EXPECT_FALSE(Sets({bad}, runs_of({1e-3, 1e-3})).ratio().ratio);
    EXPECT_FALSE(Sets({}, runs_of({1e-3, 1e-3})).ratio().ratio);
}

TEST(StoredRatio, PairsComeFirst) {
    // Runs say 2, the pair says 1.
    const Sets sets(runs_of({1e-3, 1.01e-3}), runs_of({2e-3, 2.01e-3}), {KeptPair{}});
    const StoredRatio r = sets.ratio();
    ASSERT_TRUE(r.ratio);
    EXPECT_NEAR(r.ratio->value, 1, 1e-3);
    EXPECT_EQ(r.ratio->basis, "paired rounds");
    EXPECT_EQ(r.ratio->units_a, 5u);
    EXPECT_EQ(r.doubt, "");
}

TEST(StoredRatio, ADisturbedPairDoubts) {
    const StoredRatio r = Sets({}, {}, {KeptPair{.look = 0, .disturbed = "heat"}}).ratio();
    EXPECT_TRUE(r.ratio);
    EXPECT_THAT(r.doubt, HasSubstr("5 of 5 rounds were disturbed: heat."));
}

TEST(StoredRatio, OfSeveralPairsEachIsAUnit) {
    const auto pair_at = [](double log_ratio) {
        return KeptPair{.log_ratios = std::vector<double>(5, log_ratio)};
    };
    const StoredRatio r = Sets({}, {}, {pair_at(0.01), pair_at(0.02), pair_at(0.03)}).ratio();
    ASSERT_TRUE(r.ratio);
    EXPECT_EQ(r.ratio->basis, "paired runs");
    EXPECT_EQ(r.ratio->units_a, 3u);
    const Ratio own = paired_ratio(std::vector{0.01, 0.02, 0.03}, 0.05, 0.95);
    EXPECT_NEAR(r.ratio->low, own.low, 1e-12);
    EXPECT_NEAR(r.ratio->high, own.high, 1e-12);
}

TEST(StoredRatio, DisturbedPairsAreNoUnits) {
    const KeptPair disturbed{
        .log_ratios = std::vector<double>(5, 3.0), .look = 0, .disturbed = "heat"};
    const StoredRatio r = Sets({}, {}, {KeptPair{}, KeptPair{}, disturbed}).ratio();
    EXPECT_EQ(r.ratio->units_a, 2u);
    EXPECT_LT(r.ratio->high, 1.01);
    const StoredRatio few = Sets({}, {}, {KeptPair{}, disturbed}).ratio();
    EXPECT_THAT(few.doubt, HasSubstr("undisturbed"));
    EXPECT_TRUE(few.ratio) << "a figure, which decides nothing";
}

/// Ratios of one run a side with these values, each sure to 0.1 %.
std::vector<StoredRatio> singles(const std::vector<double>& values) {
    std::vector<StoredRatio> all;
    for (const double value : values) {
        StoredRatio one = Sets({with_rounds({0.9999e-3, 1e-3, 1.0001e-3})},
                               {with_rounds({0.9999e-3 * value, 1e-3 * value, 1.0001e-3 * value})})
                              .ratio();
        all.push_back(one);
    }
    return all;
}

TEST(Spread, WidensByWhatAllCasesShow) {
    std::vector<StoredRatio> all = singles({0.98, 0.99, 1.0, 1.01, 1.02, 1.5});
    const std::vector<StoredRatio> before = all;
    widen_by_spread(all);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Ratio &now = *all[i].ratio, &then = *before[i].ratio;
        EXPECT_EQ(now.value, then.value);
        EXPECT_LT(now.low, then.low);
        EXPECT_GT(now.high, then.high);
        EXPECT_EQ(now.degrees, 5);
        ASSERT_TRUE(all[i].least_visible);
        EXPECT_NEAR(*all[i].least_visible, std::sqrt(now.high / now.low), 1e-12);
    }
    // Median of the logs between 1 and 1.01; deviations 0.0252, 0.0150, 0.0050, 0.0050, 0.0148,
    // 0.4005: their median is 0.0149, which corresponds to a standard deviation of 1.4826 times
    // that.
    EXPECT_NEAR(all[0].ratio->log_error, 1.4826 * 0.0149, 1e-4);
    EXPECT_NEAR(std::log(all[0].ratio->high / all[0].ratio->value),
                2.570582 * all[0].ratio->log_error, 1e-8);
}

TEST(Spread, DecidesNothing) {
    std::vector<StoredRatio> all = singles({0.98, 0.99, 1.0, 1.01, 1.02, 1.5});
    widen_by_spread(all);
    for (const StoredRatio& one : all) EXPECT_THAT(one.doubt, HasSubstr("--processes"));
}

TEST(Spread, NeedsFiveCases) {
    std::vector<StoredRatio> all = singles({0.9, 1.0, 1.1, 1.2});
    const std::vector<StoredRatio> before = all;
    widen_by_spread(all);
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(all[i].ratio->low, before[i].ratio->low);
        EXPECT_TRUE(all[i].least_visible) << "said all the same";
    }
}

TEST(Spread, NeverNarrows) {
    // Errors of few degrees reach far: a spread that is a little larger reaches less.
    std::vector<StoredRatio> all;
    for (const double value : {0.98, 0.99, 1.0, 1.01, 1.02}) {
        all.push_back(Sets({with_rounds({0.991e-3, 1.009e-3})},
                           {with_rounds({0.9999e-3 * value, 1.0001e-3 * value})})
                          .ratio());
    }
    const std::vector<StoredRatio> before = all;
    widen_by_spread(all);
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_LE(all[i].ratio->low, before[i].ratio->low);
        EXPECT_GE(all[i].ratio->high, before[i].ratio->high);
    }
}

TEST(Spread, LeavesRunsAndPairsAlone) {
    std::vector<StoredRatio> all = singles({0.9, 0.95, 1.0, 1.05, 1.1});
    all.push_back(Sets(runs_of({1e-3, 1.001e-3}), runs_of({1e-3, 1.001e-3})).ratio());
    all.push_back(Sets({}, {}, {KeptPair{}}).ratio());
    all.emplace_back();
    const std::vector<StoredRatio> before = all;
    widen_by_spread(all);
    for (const std::size_t i : {5u, 6u}) {
        EXPECT_EQ(all[i].ratio->high, before[i].ratio->high);
        EXPECT_FALSE(all[i].least_visible);
    }
    EXPECT_FALSE(all[7].ratio);
}

}  // namespace
}  // namespace parallax::stored_ratio_test
