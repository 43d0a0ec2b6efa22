// Tests the statistics on simulated timings with a known ratio and the noise of real devices.
#pragma once

#include <cstdint>
#include <vector>

#include "measure/paired.hpp"
#include "studies/selftest/selftest.hpp"

namespace parallax {

/// The noise of simulated timings, as standard deviations of the logarithm of time.
struct NoiseModel {
    double of_batch = 0.003;     ///< from batch to batch
    double of_round = 0.002;     ///< by the placement of programs and buffers, which differs per
                                 ///< side
    double drift = 0.002;        ///< of both sides together, over a round
    double spike_chance = 0.01;  ///< that a batch takes longer, by up to `spike`
    double spike = 0.2;
    unsigned quads = 1;  ///< of a round
    double order = 0;    ///< by which B is slower where A is first, and faster where it is not

    /// A second state of side B, in which it is so much slower.
    double state = 0;
    double state_chance = 0;  ///< of a round, to be in it
    double state_stays = 0;   ///< chance that a round has the state of the device's one before
    /// Standard deviation of the log ratio between successive rounds of the device.
    double of_following = 0;
    double following = 0;  ///< correlation of a round with the one before
};

/// The schedule of a comparison's interim analyses.
struct Looking {
    std::vector<unsigned> interim_analyses = PairRule{}.interim_analyses;
    /// Interleaved comparisons: the device's rounds between two rounds of one comparison.
    std::size_t in_turn = fewest_interleaved;
};
/// The comparison of a single case, interleaved with those of each side with itself.
inline const Looking careful{careful_analyses, 3};

/// Puts `trials` simulated comparisons through measure_pair and verdict_of. The true ratio is
/// `ratio`, and what the states of side B are worth in the mean of the logarithm.
VerdictCounts simulate(double ratio, unsigned trials, double margin, const NoiseModel&,
                       std::uint64_t seed, const Looking& = {});

}  // namespace parallax
