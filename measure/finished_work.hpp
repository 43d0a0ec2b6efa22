// Detects kernels that skip work when their outputs already hold the result.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "measure/binding.hpp"
#include "measure/outcome.hpp"
#include "measure/timed_inputs.hpp"
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

/// The same for a plan that changes its inputs, compared with launches whose inputs are restored: a
/// level of a search has no work the second time. That is no fault of the kernel.
/// @param restore  the commands that restore them
/// @returns what its time tells; nothing: the same work either way, or it cannot be tried
std::optional<Doubt> reuses_previous_output(Binding&, const TimedBatch&,
                                            std::span<const Command> restore);

/// What launches on new inputs show about a kernel.
struct Remembering {
    SkippedWork skipped;  ///< it knows inputs again, and gives answers that it has kept
    std::optional<Doubt>
        consumed;        ///< as of reuses_previous_output(), for plans that change inputs
    std::string untold;  ///< why the times say nothing, in a sentence; empty: they do
};

/// Times launches each of which gets inputs that none had before. As fast as the timed batches: the
/// kernel remembers nothing. Else they are compared with as many on one set of inputs, which is
/// written again before each of them, so that both do the same but for what is in the buffers. On a
/// GPU, runs shorter than the writing are timed alone, too: their sequence waits for the host. What
/// takes clearly longer on new inputs in every try knows those that it had. Only of
/// inputs that a device makes (TimedInputs::by_batch).
Remembering remembers_inputs(Binding&, TimedInputs&, const TimedBatch&);

/// All of these after the batches of a case. Adds to its doubts, or sets its failure.
/// @param key  of the inputs that are in the binding
void look_for_skipped_work(Binding&, TimedInputs&, const TimedBatch&, std::uint64_t key, Outcome&);

}  // namespace parallax
