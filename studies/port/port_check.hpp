// Whether both texts of a ported kernel file compile; neither is run.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "studies/port/port_input.hpp"

namespace parallax::cli {

/// `sm_90`, `compute_90` or `90`. @throws UsageError for anything else
int parse_architecture(std::string_view word);

/// Compiles the OpenCL text on a device and the CUDA text without one, and prints a line for each.
/// @param device        an OpenCL device; nothing: the first
/// @param architecture  of CUDA; nothing: a few, from the oldest to the newest
/// @returns exit_ok when all compile, exit_wrong when one does not, otherwise exit_nothing when a
/// side could not be tried
/// @throws UsageError for a device or an architecture that is not there
int check_port(const PortInput&, const std::optional<std::string>& device,
               const std::optional<int>& architecture, World&);

}  // namespace parallax::cli
