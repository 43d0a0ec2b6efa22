// Oclgrind's device, which interprets kernels and checks every access.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "common/device/device.hpp"
#include "common/suite/suite.hpp"

namespace parallax {

/// Oclgrind's options before a program's name. The kernels are not optimised: Oclgrind 21.10
/// crashes on vectors with undefined components, and an optimiser may remove races.
inline constexpr std::array<std::string_view, 5> simulator_words{
    "--data-races", "--uniform-writes", "--uninitialized", "--build-options", "-cl-opt-disable"};

/// The simulator, which replaces the OpenCL loader in a process started by Oclgrind.
/// @throws UsageError in other processes
std::unique_ptr<Device> open_simulator();

/// Runs one launch of the plan on integers. @return whether all outputs are right; Oclgrind's own
/// reports go to its log
/// @throws Unsupported for features outside of the simulator
bool run_bare(Device&, const Case&, const Program&);

}  // namespace parallax
