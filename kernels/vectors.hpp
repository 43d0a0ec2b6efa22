// Finds out which operators a kernel file applies to vectors, by the names that it declares.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "common/types.hpp"
#include "kernels/outline.hpp"

namespace parallax {

/// Operators on vectors. Types do not matter to the translation, so this is not type inference: a
/// name that is missed costs a message of the CUDA compiler, one too many an unused definition.
struct VectorUse {
    std::set<std::string> operators;      ///< by OpenCL type and mark: `float4 +`, `int2 neg`
    std::vector<std::size_t> impossible;  ///< tokens: operators that have no counterpart
};

VectorUse vector_use(const Outline& outline, std::optional<ElementType> type);

}  // namespace parallax
