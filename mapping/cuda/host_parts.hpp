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

/// What a source's own declarations are. A word that nobody here knows may be a macro for
/// `__device__`: then a function is none of the host's.
struct SourceParts {
    /// Of functions, prototypes and variables of the host that have their lines for themselves.
    std::vector<Lines> host;
    /// The first line of each variable of `__constant__` or `__device__`.
    std::vector<std::size_t> variables;
    struct Kernel {
        std::string name;
        Lines lines;  ///< with its template's head
    };
    std::vector<Kernel> kernels;
};

/// Macros of the source are expanded first, where a preprocessor is here and takes it.
/// @throws Refused when the text does not lex
SourceParts parts_of_source(std::string_view file, std::string_view source,
                            const std::vector<Define>& defines);

}  // namespace parallax::cuda_reading
