// The clock's promise, on simulated timings: how often it is wrong at and beside the margin.
#include "studies/selftest/simulate.hpp"

#include <gtest/gtest.h>

namespace parallax::simulate_test {
namespace {

constexpr unsigned trials = 2000;
constexpr double margin = 0.02;

/// Devices of several kinds.
struct Kind {
    const char* name;
    NoiseModel noise;
};
const Kind kinds[] = {
    {"usual", {}},
    {"round effects dominate",
     {.of_batch = 0.0005, .of_round = 0.006, .drift = 0.001, .spike_chance = 0}},
    {"heavy spikes", {.of_batch = 0.002, .spike_chance = 0.05, .spike = 0.5}},
    {"strong drift", {.of_batch = 0.001, .of_round = 0.001, .drift = 0.05}},
};

TEST(Simulation, AtTheMarginItIsSeldomCalledSame) {
    for (const auto& [name, noise] : kinds) {
        for (const double ratio : {1 + margin, 1 / (1 + margin)}) {
            const VerdictCounts counts = simulate(ratio, trials, margin, noise, 1);
            EXPECT_EQ(counts.all(), trials);
            EXPECT_LE(counts.same, trials / 20) << name << " " << ratio;
        }
    }
}

TEST(Simulation, WithoutADifferenceItIsNeverCalledOne) {
    for (const auto& [name, noise] : kinds) {
        const VerdictCounts counts = simulate(1, trials, margin, noise, 2);
        EXPECT_LE(counts.slower + counts.faster, trials / 100) << name;
        EXPECT_GE(counts.same, trials * 95 / 100) << name;
    }
}

TEST(Simulation, FivePercentAreSeen) {
    for (const auto& [name, noise] : kinds) {
        EXPECT_GE(simulate(1.05, trials, margin, noise, 3).slower, trials * 95 / 100) << name;
        EXPECT_GE(simulate(1 / 1.05, trials, margin, noise, 3).faster, trials * 95 / 100) << name;
    }
}

TEST(Simulation, NoiseWithoutEndDecidesNothing) {
    const NoiseModel wild[] = {{.of_batch = 0.3, .of_round = 0.3},
                               {.spike_chance = 0.5, .spike = 3}};
    for (const NoiseModel& noise : wild) {
        EXPECT_GE(simulate(1, 200, margin, noise, 4).undecided, 180u);
        EXPECT_LE(simulate(1 + margin, 200, margin, noise, 4).same, 10u);
    }
}

TEST(Simulation, FollowsFromItsSeed) {
    const VerdictCounts a = simulate(1.02, 200, margin, {}, 5),
                        b = simulate(1.02, 200, margin, {}, 5);
    EXPECT_EQ(a.same, b.same);
    EXPECT_EQ(a.slower, b.slower);
    EXPECT_EQ(a.undecided, b.undecided);
}

TEST(Simulation, VerdictsAreCounted) {
    VerdictCounts counts;
    for (const Verdict v : {Verdict::same, Verdict::faster, Verdict::slower, Verdict::slower,
                            Verdict::undecided, Verdict::not_comparable}) {
        counts.add(v);
    }
    EXPECT_EQ(counts.same, 1u);
    EXPECT_EQ(counts.faster, 1u);
    EXPECT_EQ(counts.slower, 2u);
    EXPECT_EQ(counts.undecided, 2u) << "whatever says nothing";
    EXPECT_EQ(counts.all(), 6u);
}

}  // namespace
}  // namespace parallax::simulate_test
