// The type that a variant is taken with unless another one is said.
#pragma once

#include <algorithm>

#include "common/suite/suite.hpp"

namespace parallax {

/// The suite's first, or of a variant that is not written for it the variant's own first.
inline ElementType default_type(const Suite& suite, const Variant& variant) {
    const ElementType first = suite.types.front();
    const bool is_written =
        variant.types.empty() || std::ranges::find(variant.types, first) != variant.types.end();
    return is_written ? first : variant.types.front();
}

}  // namespace parallax
