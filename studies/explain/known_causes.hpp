// Causes of gaps that earlier experiments found.
#pragma once

#include <vector>

#include "studies/diff/diff.hpp"

namespace parallax {

/// Gives each gap between OpenCL and CUDA on one device, which no experiment of the diff's own
/// explains, the cause that was found of the same case and the same slower side.
void add_known_causes(Diff&, const std::vector<Explanation>& earlier);

/// The changes that were named for this kernel, of whatever size and constants, each once: worth to
/// be tried first.
std::vector<std::string> known_changes(const Case&, const std::vector<Explanation>& earlier);

}  // namespace parallax
