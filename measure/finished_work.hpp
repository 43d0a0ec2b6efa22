// Detects kernels that skip work when their outputs already hold the result.
#pragma once

#include <optional>
#include <string>

#include "measure/binding.hpp"
#include "records/doubt.hpp"

namespace parallax {

/// A batch as it was timed.
struct TimedBatch {
    double run_seconds = 0;  ///< of one run
    unsigned repeats = 1;    ///< runs in it
};

/// The result of the comparison. Both empty: no skipped work, or it could not be tested.
struct SkippedWork {
    std::string wrong;           ///< a sentence
    std::optional<Doubt> doubt;  ///< the times alone do not say enough
};

/// Timed launches find the results of earlier launches in place. They are compared with launches
/// whose outputs are overwritten on the device first: a kernel that then takes a multiple of the
/// time in every try skips finished work. Other users of the device, batches slower than timed, or
/// tries that disagree make it a doubt. Plans with several queues, or with inputs as their only
/// outputs, cannot be tested.
SkippedWork skips_finished_work(Binding&, const TimedBatch&);

/// The same for inputs: launches on inputs that change before each of them are compared with
/// launches on those that stay. A kernel that knows inputs again, by some of their elements, and
/// gives the answer that it has kept, takes a multiple of the time where they change. Plans that
/// change their inputs, and inputs that the device cannot copy, cannot be tested.
/// @param others, inputs  as for Binding::load, on the device; `inputs` stay
SkippedWork knows_its_inputs(Binding&, const TimedBatch&,
                             const std::vector<std::shared_ptr<Memory>>& others,
                             const std::vector<std::shared_ptr<Memory>>& inputs);

/// The same for a plan that changes its inputs, compared with launches whose inputs are restored: a
/// level of a search has no work the second time. That is no fault of the kernel.
/// @param inputs  as for Binding::load, on the device
/// @returns what its time tells; nothing: the same work either way, or it cannot be tried
std::optional<Doubt> reuses_previous_output(Binding&, const TimedBatch&,
                                            const std::vector<std::shared_ptr<Memory>>& inputs);

}  // namespace parallax
