// The element type of a C++ type, for tests with literal elements.
#pragma once

#include <type_traits>

#include "common/device/types.hpp"

namespace parallax {

template <class T>
ElementType element_type_of() {
    for (const ElementType type : all_scalar_types) {
        const bool same =
            visit_any_type(type, [](auto zero) { return std::is_same_v<decltype(zero), T>; });
        if (same) return type;
    }
    throw Error("no element type");
}

}  // namespace parallax
