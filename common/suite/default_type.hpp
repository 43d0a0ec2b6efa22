// The element type of a variant where none is given.
#pragma once

#include <algorithm>

#include "common/suite/suite.hpp"

namespace parallax {

/// The suite's first type, or the variant's own first where it does not support that.
inline ElementType default_type(const Suite& suite, const Variant& variant) {
    const ElementType first = suite.types.front();
    const bool is_written =
        variant.types.empty() || std::ranges::find(variant.types, first) != variant.types.end();
    return is_written ? first : variant.types.front();
}

}  // namespace parallax
