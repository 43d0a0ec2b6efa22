// First question: is it the same kernel? What two records say of what ran.
#pragma once

#include <string>
#include <vector>

#include "records/result_set.hpp"
#include "studies/diff/diff.hpp"

namespace parallax {

/// Compares text, edits, float rules, build options, geometry, timer scope, work model and seed.
/// Between two backends the text, the float rules and the geometry have to be equal, or the speeds
/// are not one kernel's; within one backend, as of an old and a new run, they may have been changed
/// on purpose, and are named. Work and scope have to be equal always.
KernelAnswer same_kernel(const Record& a, const Record& b);

/// What can never be equal between two backends, in full sentences. Empty for one backend.
std::vector<std::string> never_equal(const Record& a, const Record& b);

/// What two sides differ in beside the kernel: device, driver, compiler, clocks, program.
std::vector<Difference> environment_differences(const Environment& a, const Environment& b);

}  // namespace parallax
