// Writes kernels by a grammar of OpenCL C, free of undefined behaviour.
#pragma once

#include <cstdint>
#include <string>

#include "benchmarks/generated/tree.hpp"

namespace parallax::generated {

/// What the devices have.
struct Dialect {
    bool has_double = false;
    /// `pocl`, `nvidia`: what its OpenCL gets wrong is left out: grammar.txt says what, and why.
    std::string platform = {};
};

/// The file of that number: the same one for the same seed.
/// @param kernels  functions of it
File file_of(std::uint64_t seed, std::size_t number, std::size_t kernels, const Dialect&);

}  // namespace parallax::generated
