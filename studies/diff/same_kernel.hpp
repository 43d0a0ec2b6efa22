// First question: is it the same kernel? Compares what two records have run.
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

/// The differences between runs of one side, which then have no common mean: in what makes a kernel
/// the same, and in the device, driver and compiler. Each is listed once, and each forbids a
/// comparison.
/// @param side  `A` or `B`, for `what`
std::vector<Difference> differences_within(const Records&, const std::string& side);

/// Inevitable differences between two backends, in full sentences. Empty for one backend.
std::vector<std::string> never_equal(const Record& a, const Record& b);

/// Differences other than the kernel: device, driver, compiler, clock frequencies, program.
std::vector<Difference> environment_differences(const Environment& a, const Environment& b);

}  // namespace parallax
