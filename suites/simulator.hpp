// Oclgrind's device, which looks on while it runs a kernel item by item.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "common/device/device.hpp"
#include "common/suite/suite.hpp"

namespace parallax {

/// What Oclgrind is told before a program's name. The kernels are not optimised: Oclgrind 21.10
/// crashes over vectors whose components LLVM left undefined, and an optimiser may remove what
/// races.
inline constexpr std::array<std::string_view, 5> simulator_words{
    "--data-races", "--uniform-writes", "--uninitialized", "--build-options", "-cl-opt-disable"};

/// The simulator, which takes the place of the OpenCL loader in a process that Oclgrind starts.
/// @throws UsageError where it does not
std::unique_ptr<Device> open_simulator();

/// Runs one launch of the plan on whole numbers. @return whether all outputs are right; what
/// Oclgrind itself has to say goes to its log
/// @throws Unsupported for what the simulator cannot judge
bool run_bare(Device&, const Case&, const Program&);

}  // namespace parallax
