// Does the clock lie? Timings with a known ratio, made up as devices make them, put through it.
#pragma once

#include <cstdint>

#include "measure/paired.hpp"

namespace parallax {

/// How simulated timings vary. Shares of the time, as standard deviations of its logarithm.
struct NoiseModel {
    double of_batch = 0.003;     ///< from batch to batch
    double of_round = 0.002;     ///< by where programs and buffers came to lie, each side its own
    double drift = 0.002;        ///< of both sides together, over a round
    double spike_chance = 0.01;  ///< that a batch takes longer, by up to `spike`
    double spike = 0.2;
};

/// How often each verdict came out.
struct VerdictCounts {
    unsigned same = 0, faster = 0, slower = 0, undecided = 0;
    unsigned all() const { return same + faster + slower + undecided; }
    void add(Verdict);
};

/// Puts `trials` simulated comparisons of this true ratio through measure_pair and verdict_of.
VerdictCounts simulate(double true_ratio, unsigned trials, double margin, const NoiseModel&,
                       std::uint64_t seed);

}  // namespace parallax
