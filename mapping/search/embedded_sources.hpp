// The sources that are part of the program beside the kernels: both backends, and what the
// translator made of the kernels.
#pragma once

#include <span>

#include "common/embedded_file.hpp"

namespace parallax {

/// All of them, by their paths from the project's root.
std::span<const EmbeddedFile> embedded_sources();

}  // namespace parallax
