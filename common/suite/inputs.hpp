// Reproducible inputs: the same for a seed on any number of cores.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "common/process/parallel.hpp"

namespace parallax {

/// A pseudo-random 64-bit number for a seed and an index: SplitMix64 (Steele, Lea, Flood 2014) as a
/// counter-based generator, so that chunks can be filled in any order.
constexpr std::uint64_t mix(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

/// Uniform in [-1, 1), 53 bits; the same for every element type.
constexpr double uniform(std::uint64_t seed, std::uint64_t index) {
    return static_cast<double>(static_cast<std::int64_t>(mix(seed, index)) >> 11) * 0x1p-52;
}

/// -3, -2, -1, 1, 2 or 3: small enough for exact sums, never 0, so that a lost term is noticed.
constexpr std::int32_t small_integer(std::uint64_t seed, std::uint64_t index) {
    const auto draw = static_cast<std::int32_t>(mix(seed, index) % 6);
    return draw < 3 ? draw - 3 : draw - 2;
}

/// data[i] = value(i), on all cores.
template <class T, class Value>
void fill_by_index(std::span<T> data, Value&& value) {
    for_chunks(data.size(), [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
        for (std::uint64_t i = begin; i < end; ++i) data[i] = static_cast<T>(value(i));
    });
}

}  // namespace parallax
