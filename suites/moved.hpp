// Inputs for suites that move elements without changing them.
#pragma once

#include <cstring>
#include <vector>

#include "common/suite/inputs.hpp"
#include "common/suite/suite.hpp"

namespace parallax {

/// Inputs with all bit patterns.
inline InputPattern any_bits() {
    return {"any bits", false};
}

/// One array of `elements`: `integers` distinguish all near and far neighbours, `any bits` includes
/// NaNs of every kind.
inline std::vector<HostArray> moved_inputs(const Case& c, std::uint64_t elements,
                                           const InputPattern& pattern, std::uint64_t seed) {
    std::vector<HostArray> arrays;
    arrays.emplace_back(c.type, elements);
    visit_type(c.type, [&](auto zero) {
        using T = decltype(zero);
        const bool is_exact = pattern.exact, is_any = pattern.name == any_bits().name;
        const double reach = is_floating(c.type) ? 1.0 : 0x1p31 - 1;
        fill_by_index(arrays[0].as<T>(), [=](std::uint64_t i) -> T {
            // The largest prime below 2^24, which is exact in float.
            if (is_exact) return static_cast<T>((i + seed % 4096) % 16777213);
            if (is_any) {
                const std::uint64_t bits = mix(seed, i);
                T value;
                std::memcpy(&value, &bits, sizeof value);
                return value;
            }
            return static_cast<T>(uniform(seed, i) * reach);
        });
    });
    return arrays;
}

}  // namespace parallax
