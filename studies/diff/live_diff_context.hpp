// Shared by the parts of a live diff: the request, both sides, and the remaining time.
#pragma once

#include <memory>
#include <vector>

#include "measure/device_lock.hpp"
#include "measure/device_session.hpp"
#include "measure/time_budget.hpp"
#include "studies/diff/live_diff.hpp"

namespace parallax {

/// Both sides of a live diff, and each once more to be compared with itself.
struct LiveDiffContext {
    LiveDiffContext(const LiveRequest&, const RunConfig&, const RunInfo&, const LiveListener&);

    const LiveRequest& request;
    const RunInfo& run;
    const LiveListener& listener;
    std::vector<Case> cases;
    MeasurementContext context;
    TimeBudget& time_budget = context.time_budget;
    DeviceSession &a, &b, &a_again, &b_again;
    DeviceLocks device_locks;  ///< of both
    Progress progress;

    DeviceSession& side(bool is_b) { return is_b ? b : a; }

    /// The side that is for checks alone, so that nothing is timed; null: neither is.
    const Entry* untimed() const;
    /// The case as a side runs it: on side B with LiveRequest::kernels, and with the constants
    /// that were found for its device, where both sides' buffers stay alike; as it is while its
    /// shape is open.
    Case on(bool is_b, const Case&) const;
    /// Whether what was found by tuning would give the two sides other inputs or outputs.
    bool has_other_buffers(const Case&) const;
    void tell(const std::string& what);
    /// From the first time on: others that want to time on the devices wait.
    void lock_devices();
    void keep(Outcome, const Entry&, char side);
    /// The record of an earlier process of this run on B, which implies one on A; null: none.
    const Record* earlier(const Case&) const;
    /// Seconds that one measurement may take: its share of what is left.
    /// @param checked  cases that were checked and wait to be timed, this one among them
    double time_for_one(std::size_t checked) const;
    /// As it was not reached in time on a side.
    Outcome unreached(const Case&, const Entry&) const;
};

}  // namespace parallax
