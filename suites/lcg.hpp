// The result of ROUNDS steps of a linear congruential generator, which some kernels run.
#pragma once

#include <cstdint>

#include "common/suite/inputs.hpp"
#include "common/suite/suite.hpp"

namespace parallax {

/// Numerical Recipes' constants. Kernels get them as arguments: otherwise a compiler combines all
/// steps into one, as `turned` does.
inline constexpr std::uint32_t turning_factor = 1664525u, turning_addend = 1013904223u;

/// `in` after the case's ROUNDS steps x -> turning_factor x + turning_addend modulo 2^32.
inline HostArray turned(const Case& c, const HostArray& in) {
    // Successive steps x -> a x + b are one step of the same kind.
    std::uint32_t a = 1, b = 0;
    for (std::int64_t r = 0; r < c["ROUNDS"]; ++r) {
        a *= turning_factor;
        b = b * turning_factor + turning_addend;
    }
    HostArray out(in.type(), in.size());
    const auto from = in.as<std::uint32_t>();
    fill_by_index(out.as<std::uint32_t>(), [&](std::uint64_t i) { return a * from[i] + b; });
    return out;
}

}  // namespace parallax
