// The parts of the mapping table, one function a file.
#pragma once

#include <span>

#include "mapping/table/table.hpp"

namespace parallax {

std::span<const Row> language_rows();    ///< execution, memory, types, vectors
std::span<const Row> group_rows();       ///< barriers, fences, copies, work- and sub-groups
std::span<const Row> function_rows();    ///< what is exact or written out, geometry, comparisons
std::span<const Row> math_rows();        ///< what has an error bound
std::span<const Row> integer_rows();     ///< integers
std::span<const Row> conversion_rows();  ///< as_, convert_, vload, vstore
std::span<const Row> atomic_rows();      ///< atomics and the memory model
std::span<const Row> constant_rows();    ///< constants, predefined macros, printf
std::span<const Row> image_rows();       ///< images
std::span<const Row> refused_rows();     ///< all that has no counterpart

}  // namespace parallax
