// The unit of a rate.
#pragma once

#include <string_view>

#include "common/device/types.hpp"

namespace parallax {

/// The unit for `rate()`: bytes, or operations, which are FLOP for floating-point elements only.
constexpr std::string_view rate_unit(bool by_operations, ElementType type) {
    return !by_operations ? "B" : is_floating(type) ? "FLOP" : "OP";
}

}  // namespace parallax
