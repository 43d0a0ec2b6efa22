// Runs several comparisons round-robin.
#pragma once

#include <cstddef>
#include <functional>

#include "common/process/thread_pool.hpp"

namespace parallax {

/// Runs `count` comparisons round-robin, one round of each at a time, until each has ended, so that
/// temporary effects of a device are spread over the rounds of many comparisons.
/// @param pool  paused while the host's work may disturb; null: none
/// @param turn  runs one round, and returns whether another is needed; an exception ends all
/// @param minds_the_host  asked after the first round: whether host work disturbs the comparison.
/// Undisturbed ones run first, unless either kind has fewer than fewest_interleaved
/// @param resumed  called when the pool is at work, during undisturbed ones: a good time to give it
/// jobs; none: nothing is called
void run_round_robin(std::size_t count, ThreadPool* pool,
                     const std::function<bool(std::size_t)>& turn,
                     const std::function<bool(std::size_t)>& minds_the_host,
                     const std::function<void()>& resumed = {});

}  // namespace parallax
