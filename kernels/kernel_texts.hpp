// The kernel files that are part of the program.
#pragma once

#include <span>

#include "common/text/embedded_file.hpp"

namespace parallax {

/// All of them, by name.
std::span<const EmbeddedFile> embedded_kernels();

}  // namespace parallax
