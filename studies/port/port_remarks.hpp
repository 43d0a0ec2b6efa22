// Faults of an OpenCL source that its translation repairs: the CUDA source hides them.
#pragma once

#include <string>
#include <vector>

#include "studies/port/port_input.hpp"

namespace parallax {

/// A sentence or two for each kind, with the first place of it: `mine.cl:7: ...`.
std::vector<std::string> port_remarks(const PortInput&, const Translation&);

}  // namespace parallax
