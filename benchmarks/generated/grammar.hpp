// Generates kernels by a grammar of OpenCL C, free of undefined behaviour.
#pragma once

#include <cstdint>
#include <string>

#include "benchmarks/generated/tree.hpp"

namespace parallax::generated {

/// The features of the devices.
struct Dialect {
    bool has_double = false;
    /// `pocl`, `nvidia`: avoids the errors of its OpenCL, which grammar.txt lists.
    std::string platform = {};
};

/// The file of that number: deterministic for a seed.
/// @param kernels  number of functions
File file_of(std::uint64_t seed, std::size_t number, std::size_t kernels, const Dialect&);

}  // namespace parallax::generated
