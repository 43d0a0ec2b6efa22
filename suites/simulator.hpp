// Oclgrind's device, which looks on while it runs a kernel item by item.
#pragma once

#include <memory>

#include "common/device.hpp"
#include "common/suite.hpp"

namespace parallax {

/// The simulator, which takes the place of the OpenCL loader in a process that Oclgrind starts.
/// @throws UsageError where it does not
std::unique_ptr<Device> open_simulator();

/// Runs one launch of the plan on whole numbers. @return whether all outputs are right; what
/// Oclgrind itself has to say goes to its log
/// @throws Unsupported for what the simulator cannot judge
bool run_bare(Device&, const Case&, const Program&);

}  // namespace parallax
