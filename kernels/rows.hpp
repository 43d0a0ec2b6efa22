// The parts of the mapping table, one function a file.
#pragma once

#include <span>

#include "kernels/table.hpp"

namespace parallax {

std::span<const Row> language_rows();  ///< execution, memory, synchronisation, types, vectors
std::span<const Row> function_rows();  ///< arithmetic, mathematics, conversions, atomics
std::span<const Row> refused_rows();   ///< all that has no counterpart

}  // namespace parallax
