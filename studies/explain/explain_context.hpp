// One case on two sides, and what the experiments on it share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measure/device_lock.hpp"
#include "measure/measurement_context.hpp"
#include "studies/explain/explain.hpp"

namespace parallax {

struct ExplainContext {
    /// Opens both devices. @throws DeviceError  Both arguments outlive it.
    ExplainContext(const ExplainRequest&, const RunConfig&, const ExplainHelp&);

    /// Says what is being done. @throws Interrupted
    void tell(const std::string& what) const;
    /// The case as a side runs it: of its own kernel, or of its backend's source.
    Case on(bool is_b, const Case&) const;
    /// Keeps others from timing on the devices, from the first call on.
    void lock();
    /// Seconds of the budget that are left.
    double left() const { return request.budget_seconds - clock.elapsed(); }
    /// Seconds for a comparison that is to be exact.
    double exact_seconds() const;
    /// Seconds for a trial.
    double trial_seconds() const;
    bool one_entry() const {
        return request.a.info.id() == request.b.info.id() && !request.other_kernel;
    }
    /// Known when the two were timed, as slower_side() is.
    bool has_gap() const;
    /// Where knobs are turned first. One device against itself: A stays, to compare with.
    bool slower_side() const { return has_gap() ? found.b_is_slower() : true; }
    /// The rule for comparing two configurations. @param knob  the second is a trial, which may be
    /// given up early
    PairRule rule(double most_seconds, bool knob) const;

    const ExplainRequest& request;
    const ExplainHelp& help;
    MeasurementContext context;
    BudgetClock clock;
    DeviceLocks device_locks;  ///< of both, from the first timing on
    std::optional<CaseBench> bench;
    Case the_case;
    Both<Configuration> base;
    Both<Built> built;
    /// The gap is not in the kernels: their knobs are not turned.
    bool is_of_host = false;
    /// notes on checks other than trials; appended to the conclusion
    std::vector<std::string> ruled_out, not_tried;
    Explanation found;
};

/// `open`, at the size that `diff` chooses from the ceilings of both sides, which are measured
/// where none are stored. @throws the errors of measuring them
Case sized(ExplainContext&, const Case& open, const RunInfo&);

/// Both sides with all steps in one queue and all buffers in the device's memory: what is left of
/// the gap is of the kernels. Cases of that kind already are compared with an empty launch, where
/// they take little longer. Needs the gap and the stages.
/// @returns the share of both parts, the larger first; none: the case has but one part, or could
/// not be taken apart
std::vector<OriginStep> parts_of_host(ExplainContext&);

/// From this share on, such a part is the origin of the gap.
inline constexpr double host_share = 0.5;
/// The name of the step that has what is not in the kernels.
inline constexpr const char* host_step = "queues, memory and launches";

/// The share of what is not in the kernels; 0: it is not known.
double share_of_host(const std::vector<OriginStep>&);

}  // namespace parallax
