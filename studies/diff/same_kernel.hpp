// First question: is it the same kernel? What two records say of what ran.
#pragma once

#include <string>
#include <vector>

#include "records/result_set.hpp"
#include "records/result_store.hpp"
#include "studies/diff/diff.hpp"

namespace parallax {

/// Compares source, edits, float rules, build options, launch configuration, timer scope, work
/// model and seed. Between two backends the source, the float rules and the launch configuration
/// must be equal; otherwise the speeds are not those of one kernel. Within one backend, for example
/// an old and a new run, they may have been changed on purpose and are reported. Work and scope
/// must always be equal.
KernelAnswer same_kernel(const Record& a, const Record& b);

/// What runs of one side differ in from the first of them, so that they are no runs of one thing
/// and have no mean: what makes a kernel the same, and the device, driver and compiler. Each once,
/// and all of them forbid.
/// @param side  `A` or `B`, for `what`
std::vector<Difference> differences_within(const Records&, const std::string& side);

/// What can never be equal between two backends, in full sentences. Empty for one backend.
std::vector<std::string> never_equal(const Record& a, const Record& b);

/// Differences other than the kernel: device, driver, compiler, clock frequencies, program.
std::vector<Difference> environment_differences(const Environment& a, const Environment& b);

}  // namespace parallax
