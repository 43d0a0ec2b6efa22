// The rules of the translator that rows alone cannot say: what a token may stand beside.
#pragma once

#include <cstddef>

#include "common/types.hpp"
#include "kernels/outline.hpp"

namespace parallax {

/// Whether the shift at `mark` means the same in both languages: its count is a literal below the
/// width of the left side, or masked with one. The left side counts as 32 bits wide unless it is a
/// literal with L or cast to long or ulong.
bool shift_is_safe(const Outline& outline, std::size_t mark);

/// Whether `sizeof` at `word` is applied to a type, a name or an element.
bool sizeof_is_safe(const Outline& outline, std::size_t word);

/// Whether the parenthesis at `open` is a cast to a vector type.
bool is_vector_cast(const Outline& outline, std::size_t open, std::optional<ElementType> type);

/// Whether `name` is a component selection other than x, y, z, w: `xy`, `s0`, `lo`, ...
bool is_swizzle(std::string_view name);

}  // namespace parallax
