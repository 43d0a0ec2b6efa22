// Times a plan on one device: batches, rounds and the stopping rule.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/device/device.hpp"
#include "common/statistics/statistics.hpp"
#include "records/record.hpp"

namespace parallax {

/// When a measurement ends.
struct StoppingRule {
    double batch_seconds = 1e-3;  ///< least device time of a batch: 1000 ticks of the coarser timer
    unsigned rounds = 3;          ///< buffers and kernels are relocated for each
    unsigned least_samples = 15;  ///< over all rounds, unless the time is up
    unsigned most_samples = 90;
    double half_width = 0.0025;  ///< of the interval of the median, relative to it
    double most_seconds = 1.2;  ///< host time for all batches; every round gets at least one sample
};

/// Something that can be run and timed.
using Runnable = std::function<Elapsed(unsigned repeats)>;

/// The number of runs that fill a batch of `batch_seconds`, found by trying from `repeats` on: the
/// first tries are warm-up, and short. A queue holds at most 20000.
/// @param enough  whether to stop earlier; none: never
unsigned repeats_to_fill(double batch_seconds, const Runnable& run, unsigned repeats = 1,
                         const std::function<bool()>& enough = {});

/// Times the runnable of each round on an idle device: one untimed run, then batches that fill
/// `batch_seconds`. A sample is the time of a batch divided by its runs.
/// @param check_interrupt  called before each batch; it may throw to stop
Timing measure(const std::function<Runnable(unsigned round)>& make, const StoppingRule& rule,
               const std::function<void()>& check_interrupt = {});

/// Minimum length of batches for a timer with this tick.
constexpr double least_batch_seconds(double tick_seconds) {
    return 1000 * tick_seconds;
}

}  // namespace parallax
