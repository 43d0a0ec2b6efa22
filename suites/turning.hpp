// The right answer of ROUNDS steps of the linear congruential generator that some kernels turn.
#pragma once

#include <cstdint>

#include "common/suite/inputs.hpp"
#include "common/suite/suite.hpp"

namespace parallax {

/// Numerical Recipes' constants. Kernels get them as arguments: a compiler that knows them makes
/// one step of all of them, as `turned` does.
inline constexpr std::uint32_t turning_factor = 1664525u, turning_addend = 1013904223u;

/// What `in` becomes after the case's ROUNDS steps x -> turning_factor x + turning_addend,
/// modulo 2^32.
inline HostArray turned(const Case& c, const HostArray& in) {
    // Steps x -> a x + b, one after the other, are one step of the same kind.
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
