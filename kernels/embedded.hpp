// The kernel files that are part of the program.
#pragma once

#include <span>
#include <string_view>

namespace parallax {

struct EmbeddedFile {
    std::string_view name;  ///< `reduction.cl`
    std::string_view text;
};

/// All of them, by name.
std::span<const EmbeddedFile> embedded_kernels();

}  // namespace parallax
