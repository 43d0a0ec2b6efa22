// Kernels that leave out what is done already.
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

/// What a comparison of runs that find their work done with runs that do not tells. Both empty:
/// nothing, or it could not be tried.
struct SkippedWork {
    std::string wrong;           ///< a sentence
    std::optional<Doubt> doubt;  ///< the times alone do not say enough
};

/// Timed launches find the answers of those before them in place. Compares them with launches whose
/// outputs are overwritten before each, on the device: one that takes a multiple of the time then,
/// every time that it is tried, does less where it finds its work done. Where others used the
/// device meanwhile, where its batches are not as fast as they were timed, or where the tries do
/// not agree, that is a doubt. It cannot be tried where the plan has several queues, or where all
/// that it writes is an input too.
SkippedWork skips_finished_work(Binding&, const TimedBatch&);

/// The same for a plan that changes its inputs, against launches that get them anew: a level of a
/// search finds nothing to do the second time. That is no fault of the kernel's.
/// @param inputs  as for Binding::load, on the device
/// @returns what its time tells; nothing: the same work either way, or it cannot be tried
std::optional<Doubt> reuses_previous_output(Binding&, const TimedBatch&,
                                            const std::vector<std::shared_ptr<Memory>>& inputs);

}  // namespace parallax
