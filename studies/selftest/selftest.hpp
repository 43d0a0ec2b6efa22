// Tests the timer: devices against themselves, and slowdowns of known size.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "common/device/devices.hpp"
#include "measure/paired_timer.hpp"
#include "studies/diff/live_diff.hpp"

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

/// Counts of the verdicts.
struct VerdictCounts {
    unsigned same = 0, faster = 0, slower = 0, undecided = 0;
    unsigned missed = 0;  ///< intervals that do not hold the true ratio
    unsigned wrong = 0;   ///< verdicts but UNDECIDED that are not the true ratio's
    unsigned all() const { return same + faster + slower + undecided; }
    void add(Verdict);
    /// Adds the verdict on a ratio whose truth is known.
    void add(Verdict, const Ratio&, double true_ratio, double margin);
    VerdictCounts& operator+=(const VerdictCounts&);
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

}  // namespace parallax
