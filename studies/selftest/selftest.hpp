// Tests the timer: devices against themselves, and slowdowns of known size.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "common/device/devices.hpp"
#include "measure/paired_timer.hpp"
#include "studies/diff/live_diff.hpp"
#include "studies/selftest/timer_simulation.hpp"

namespace parallax {

/// Options of a self-test.
struct SelfTestRequest {
    unsigned trials = 100;  ///< a device against itself, over all lengths of kernels
    unsigned planted = 20;  ///< slowdowns of 5 %: 105 runs counted as 100
    double margin = 0.02;
    std::uint64_t seed = 0;
    double budget_seconds = 100;  ///< for all of it on a device, preparing included
    /// Threads that compute and move the host's memory during every trial.
    unsigned busy = 0;
};

/// Margins at which the intervals of a device against itself are judged.
inline constexpr std::array lie_margins{0.005, 0.01, 0.02};

/// One kernel of the self-test at one size.
struct SelfTestRow {
    std::string title;
    double seconds = 0;      ///< of one run, median
    bool launching = false;  ///< shorter than twice an empty launch
    VerdictCounts itself;    ///< against itself: FASTER and SLOWER are wrong
    /// Against itself, what would be FASTER or SLOWER at lie_margins.
    std::array<unsigned, lie_margins.size()> lies_at{};
    VerdictCounts planted;  ///< 5 % more runs than are counted: SLOWER is right
    double worst = 1;       ///< ratio against itself that was farthest from 1
    double widest = 0;      ///< median width of the intervals against itself
};

struct SelfTestReport {
    std::string device, name;
    std::vector<SelfTestRow> rows;  ///< the shortest kernel first
    double measuring_seconds = 0;
    bool out_of_time = false;  ///< the budget ended it before all trials were made
};

/// The results for the planted errors.
struct VerificationTally {
    unsigned planted = 0, noticed = 0;
    unsigned untried = 0;  ///< that the budget did not reach
    std::vector<std::string> missed;
    std::string ended_by;  ///< the error that made the device unusable in this process; empty: none
};

/// Plants errors on the device whose outcome does not depend on the order of work-items, and that
/// harm nothing outside of their buffers.
/// @param budget_seconds  after which none is begun
/// @param check  is called between them; what it throws ends it
VerificationTally try_verification(const Entry&, std::uint64_t seed, double budget_seconds,
                                   const std::function<void()>& check);

/// The planted ratio.
inline constexpr Slowdown five_percent{1, 20};

/// Tests the timer on one device. Each trial is kept as a pair, against itself or planted.
/// @param keep  takes each pair as a line; its `planted` is the factor by which B was slowed
SelfTestReport run_selftest(const Entry&, const SelfTestRequest&, const RunConfig&, const RunInfo&,
                            const std::function<void(const ResultEntry&)>& keep,
                            const std::function<void(const Progress&)>& progress);

/// Simulated timings of known ratios: the error rates of the statistics alone.
struct SimulatedRow {
    std::string what;      ///< the varied parameter
    bool careful = false;  ///< looked at as few cases are (careful_analyses), else as many
    VerdictCounts counts;
};
/// First what scatters as usual, by true ratios; then what a few rounds may not show: states of one
/// side, and rounds that follow one another.
std::vector<SimulatedRow> simulated_rows(double margin, unsigned trials, std::uint64_t seed);

}  // namespace parallax
