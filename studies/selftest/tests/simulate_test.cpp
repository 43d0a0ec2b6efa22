// Tests timing on simulated samples: its error rates at and near the margin.
#include <gtest/gtest.h>

#include "common/tests/thorough.hpp"
#include "studies/selftest/tests/timer_simulation.hpp"

namespace parallax::simulate_test {
namespace {

/// Of each kind: the same ones every time.
const unsigned trials = test::is_thorough() ? 1000 : 400;
constexpr double margin = 0.02;

/// Devices of several kinds.
struct Kind {
    const char* name;
    NoiseModel noise;
    double decided = 0.95;  ///< share of comparisons that are decided where there is no doubt
};
const Kind kinds[] = {
    {"usual", {}},
    {"round effects dominate",
     {.of_batch = 0.0005, .of_round = 0.006, .drift = 0.001, .spike_chance = 0}},
    {"order", {.of_batch = 0.002, .order = 0.024}},
    {"heavy spikes", {.of_batch = 0.002, .spike_chance = 0.05, .spike = 0.5, .quads = 3}, 0.8},
    {"strong drift", {.of_batch = 0.001, .of_round = 0.001, .drift = 0.05}},
};

TEST(Simulation, AtTheMarginItIsSeldomCalledSame) {
    for (const auto& [name, noise, decided] : kinds) {
        for (const double ratio : {1 + margin, 1 / (1 + margin)}) {
            const VerdictCounts counts = simulate(ratio, trials, margin, noise, 1);
            EXPECT_EQ(counts.all(), trials);
            EXPECT_LE(counts.same, trials / 20) << name << " " << ratio;
        }
    }
}

TEST(Simulation, WithoutADifferenceItIsNeverCalledOne) {
    for (const auto& [name, noise, decided] : kinds) {
        const VerdictCounts counts = simulate(1, trials, margin, noise, 2);
        EXPECT_LE(counts.slower + counts.faster, trials / 100) << name;
        EXPECT_GE(counts.same, trials * decided) << name;
    }
}

TEST(Simulation, FivePercentAreSeen) {
    for (const auto& [name, noise, decided] : kinds) {
        EXPECT_GE(simulate(1.05, trials, margin, noise, 3).slower, trials * decided) << name;
        EXPECT_GE(simulate(1 / 1.05, trials, margin, noise, 3).faster, trials * decided) << name;
    }
}

TEST(Simulation, IntervalsMissNoMoreThanTheySay) {
    for (const auto& [name, noise, decided] : kinds) {
        for (const Looking& looking : {Looking{}, careful}) {
            EXPECT_LE(simulate(1, trials, 0.001, noise, 6, looking).missed, trials * 5 / 100)
                << name;
        }
    }
}

TEST(Simulation, StatesOfOneSideAreSeldomOverlooked) {
    // 30 rounds do not show a tenth of them in 4 %; 14 a fifth in as many.
    for (const double state : {0.1, 0.2}) {
        for (const double chance : {0.1, 0.2, 0.3}) {
            const NoiseModel noise{.spike_chance = 0, .state = state, .state_chance = chance};
            const VerdictCounts few = simulate(1, trials, margin, noise, 7, careful);
            EXPECT_LE(few.wrong, trials * 5 / 100) << state << " " << chance;
            EXPECT_LE(few.missed, trials * 6 / 100) << state << " " << chance;
            EXPECT_GE(few.undecided, trials * 85 / 100) << state << " " << chance;
            EXPECT_LE(simulate(1, trials, margin, noise, 7).wrong, trials * 5 / 100)
                << state << " " << chance << ", one of many cases";
        }
    }
}

TEST(Simulation, AStateThatStaysIsSeldomOverlooked) {
    const NoiseModel noise{
        .spike_chance = 0, .state = 0.1, .state_chance = 0.5, .state_stays = 0.8};
    for (const Looking& looking : {Looking{}, careful}) {
        EXPECT_LE(simulate(1, trials, margin, noise, 8, looking).wrong, trials * 5 / 100);
    }
    // The reason for interleaving: a comparison on its own that is analysed so early misses it.
    EXPECT_GT(simulate(1, 1000, margin, noise, 8, {PairRule{}.interim_analyses, 1}).wrong, 100u);
}

TEST(Simulation, RoundsThatFollowOneAnotherAreNotTakenForMany) {
    // Where each is like the ten before, thirty of them are worth three.
    for (const double following : {0.3, 0.5, 0.7, 0.8, 0.9}) {
        const NoiseModel noise{.of_following = 0.01, .following = following};
        for (const double ratio : {1.0, 1 + margin, 1 / (1 + margin)}) {
            // On an edge that is SAME, or the word for the other side.
            for (const Looking& looking : {Looking{}, careful}) {
                const VerdictCounts counts = simulate(ratio, trials, margin, noise, 9, looking);
                const unsigned wrong = ratio > 1   ? counts.same + counts.faster
                                       : ratio < 1 ? counts.same + counts.slower
                                                   : counts.faster + counts.slower;
                EXPECT_LE(wrong, trials * 5 / 100)
                    << following << " " << ratio << " " << looking.in_turn;
            }
        }
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

}  // namespace
}  // namespace parallax::simulate_test
