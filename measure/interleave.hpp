// Comparisons that take turns with one another.
#pragma once

#include <cstddef>
#include <functional>

#include "common/process/thread_pool.hpp"

namespace parallax {

/// Lets `count` comparisons take turns: a round of each, and again, until each has ended. What a
/// device does for a while so falls on some rounds of many, and not on all rounds of one.
/// @param pool  rests while the host's work may be felt; null: there is none
/// @param turn  makes a round of one of them, and says whether another is wanted; what it throws
/// ends all
/// @param minds_the_host  asked after the first round: whether one feels what the host does. Those
/// that do not come first, unless either kind has less than fewest_interleaved
void interleave(std::size_t count, ThreadPool* pool, const std::function<bool(std::size_t)>& turn,
                const std::function<bool(std::size_t)>& minds_the_host);

}  // namespace parallax
