// Kernels that leave out what is done already.
#pragma once

#include <string>

#include "measure/binding.hpp"

namespace parallax {

/// Timed launches find the answers of those before them in place. Compares them with launches whose
/// outputs are overwritten before each, on the device: one that takes a multiple of the time then,
/// every time that it is tried, does less where it finds its work done.
/// @param run_seconds  of one run, as it was timed
/// @returns what is wrong, in a sentence; empty: nothing, or it cannot be tried, since the plan has
/// several queues or all that it writes is an input too
std::string left_out_work(Binding&, double run_seconds);

/// The same for a plan that changes its inputs, against launches that get them anew: a level of a
/// search finds nothing to do the second time. That is no fault of the kernel's.
/// @param inputs  as for Binding::load, on the device
/// @returns what its time tells, a suspicion; empty: the same work either way, or it cannot be
/// tried
std::string found_its_work_done(Binding&, double run_seconds,
                                const std::vector<std::shared_ptr<Memory>>& inputs);

}  // namespace parallax
