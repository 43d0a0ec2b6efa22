// Tests the summary numbers: counts, the geometric mean, the portability metric.
#include "studies/diff/summary.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "studies/diff/tests/kept.hpp"

namespace parallax::summary_test {
namespace {

using namespace test;

/// Both sides right, with these shares of their ceilings.
CaseDiff ran(double share_a, double share_b) {
    CaseDiff c;
    c.a.status = c.b.status = Status::ok;
    c.a.share = share_a;
    c.b.share = share_b;
    c.verdict = Verdict::same;
    return c;
}

CaseDiff with_ratio(double value, Verdict verdict) {
    CaseDiff c = ran(0, 0);
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
    EXPECT_FALSE(of({ran(0.5, 0.5)}).mean) << "nothing was measured";
}

TEST(Summary, PortabilityByHand) {
    // 4 / (1/0.5 + 1/0.25 + 1/1 + 1/0.5) = 4 / 9.
    const Summary s = of({ran(0.5, 0.25), ran(1.0, 0.5)});
    EXPECT_NEAR(s.portability.value(), 4.0 / 9, 1e-12);
    EXPECT_NEAR(s.portability_supported.value(), 4.0 / 9, 1e-12);
    EXPECT_EQ(s.portability_cases, 2u);
}

TEST(Summary, PortabilityIsNothingWhereASideLacksACase) {
    for (const Status status : {Status::unsupported, Status::failed, Status::wrong}) {
        CaseDiff lacking = ran(0.5, 0);
        lacking.b.status = status;
        const Summary s = of({ran(0.5, 0.25), lacking});
        EXPECT_EQ(s.portability, 0);
        EXPECT_NEAR(s.portability_supported.value(), 2.0 / 6, 1e-12);
        EXPECT_EQ(s.portability_cases, 2u);
    }
}

TEST(Summary, WhatWasNotTriedSaysNothing) {
    CaseDiff missing = ran(0.5, 0), skipped = ran(0.5, 0);
    missing.b.status.reset();
    skipped.b.status = Status::skipped;
    const Summary s = of({ran(0.5, 0.5), missing, skipped});
    EXPECT_NEAR(s.portability.value(), 0.5, 1e-12);
    EXPECT_EQ(s.portability_cases, 1u);
}

TEST(Summary, NativeVariantsAreNotMeantForBoth) {
    CaseDiff native = ran(0.9, 0);
    native.native = true;
    native.b.status = Status::unsupported;
    const Summary s = of({ran(0.5, 0.5), native});
    EXPECT_NEAR(s.portability.value(), 0.5, 1e-12);
}

TEST(Summary, WithoutCeilingsThereIsNoPortability) {
    CaseDiff lacking = ran(0, 0);
    lacking.b.status = Status::unsupported;
    const Summary s = of({ran(0, 0), lacking});
    EXPECT_FALSE(s.portability);
    EXPECT_FALSE(s.portability_supported);
    EXPECT_EQ(s.portability_cases, 0u);
    EXPECT_FALSE(of({}).portability);
}

TEST(Summary, FromRecordsToTheNumber) {
    Kept a, b = on_cuda(), native, lacks;
    a.share = 0.5;
    b.share = 0.25;
    native.variant = "native";
    native.language = "native";
    native.share = 0.9;
    lacks = native;
    lacks.device = "cuda:0";
    const Summary s =
        diff_of({a, native}, {b, ended(Status::unsupported, "It is another's own.", lacks)})
            .summary;
    EXPECT_NEAR(s.portability.value(), 2.0 / 6, 1e-12);
    EXPECT_EQ(s.portability_cases, 1u);
}

}  // namespace
}  // namespace parallax::summary_test
