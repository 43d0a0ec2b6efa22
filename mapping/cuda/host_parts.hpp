// Tells the host's declarations of a CUDA C++ source from the device's, without a compiler.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/device/program.hpp"

namespace parallax::cuda_reading {

/// First and last line of a source, from 0.
using Lines = std::pair<std::size_t, std::size_t>;

/// The host's own declarations of a source. An unknown word may be a macro for `__device__`: the
/// function then does not count as the host's.
struct SourceParts {
    /// Functions, prototypes and variables of the host that share their lines with nothing else.
    std::vector<Lines> host;
    /// The first line of each variable of `__constant__` or `__device__`.
    std::vector<std::size_t> variables;
    struct Kernel {
        std::string name;
        Lines lines;  ///< with its template's head
    };
    std::vector<Kernel> kernels;
};

/// Expands the source's macros first, where a preprocessor is available and accepts it.
/// @throws Refused when the source does not lex
SourceParts parts_of_source(std::string_view file, std::string_view source,
                            const std::vector<Define>& defines);

}  // namespace parallax::cuda_reading
