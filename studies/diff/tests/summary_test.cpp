// Tests the summary numbers: counts, medians and their spread.
#include <cmath>

#include <gtest/gtest.h>

#include "studies/diff/diff.hpp"
#include "studies/diff/tests/kept.hpp"

namespace parallax::summary_test {
namespace {

using namespace test;

CaseDiff with_ratio(double value, Verdict verdict) {
    CaseDiff c;
    c.a.status = c.b.status = Status::ok;
    c.ratio = Ratio{.value = value, .log_error = 0.01, .degrees = 4};
    c.verdict = verdict;
    return c;
}

Summary of(std::vector<CaseDiff> cases) {
    Diff diff;
    diff.cases = std::move(cases);
    return summary_of(diff);
}

TEST(Summary, CountsVerdicts) {
    CaseDiff wrong, lacking;
    wrong.verdict = Verdict::wrong;
    lacking.verdict = Verdict::not_comparable;
    const Summary s = of({with_ratio(1, Verdict::same), with_ratio(2, Verdict::slower),
                          with_ratio(1, Verdict::undecided), wrong, lacking, lacking});
    EXPECT_EQ(s.count, (decltype(s.count){1, 0, 1, 1, 0, 0, 1, 0, 0, 2}));
    EXPECT_EQ(s.measured, 3u);
    EXPECT_EQ(s.decided, 2u);
}

TEST(Summary, GeometricMean) {
    const Summary s = of({with_ratio(2, Verdict::slower), with_ratio(0.5, Verdict::faster)});
    ASSERT_TRUE(s.mean);
    EXPECT_NEAR(s.mean->value, 1, 1e-12);
    EXPECT_EQ(s.mean->units_a, 2u);
    EXPECT_NEAR(s.mean->log_error, 0.01 / std::sqrt(2), 1e-12);
    EXPECT_NEAR(of({with_ratio(2, Verdict::slower), with_ratio(4, Verdict::slower),
                    with_ratio(1, Verdict::same)})
                    .mean->value,
                2, 1e-12);
    EXPECT_FALSE(of({{}}).mean) << "nothing was measured";
}

TEST(Summary, OneCaseDoesNotDecideTheMedian) {
    std::vector<CaseDiff> cases;
    for (int i = 0; i <= 10; ++i) cases.push_back(with_ratio(0.95 + 0.01 * i, Verdict::same));
    cases.push_back(with_ratio(25, Verdict::slower));
    const RatioSpread s = of(cases).kernels;
    EXPECT_EQ(s.cases, 12u);
    EXPECT_NEAR(s.median, 1.005, 1e-12);
    EXPECT_NEAR(s.low, 0.961, 1e-12) << "a tenth of eleven steps from the lowest";
    EXPECT_NEAR(s.high, 1.049, 1e-12);
    EXPECT_FALSE(s.is_whole());
    const RatioSpread few = of({cases[0], cases[11]}).kernels;
    EXPECT_TRUE(few.is_whole());
    EXPECT_EQ(std::pair(few.low, few.high), std::pair(0.95, 25.0));
    EXPECT_EQ(of({}).kernels.cases, 0u);
}

TEST(Summary, WhatIsAboutLaunchingOrTheCacheIsCountedApart) {
    CaseDiff launching = with_ratio(0.25, Verdict::faster), cached = with_ratio(2, Verdict::slower);
    launching.launching = launching.in_cache = true;
    cached.in_cache = true;
    const Summary s = of({with_ratio(1, Verdict::same), launching, cached});
    EXPECT_EQ(s.kernels.median, 1);
    EXPECT_EQ(s.launching.median, 0.25);
    EXPECT_EQ(s.in_cache.median, 2);
    EXPECT_EQ(s.kernels.cases + s.launching.cases + s.in_cache.cases, s.measured);
}

}  // namespace
}  // namespace parallax::summary_test
