// The host's own Philox4x32-10, independent of the kernels': with 64-bit products and arrays.
#pragma once

#include <array>
#include <cstdint>

namespace parallax {

/// Four random words for a counter and a key: Salmon, Moraes, Dror, Shaw, "Parallel random numbers:
/// as easy as 1, 2, 3" (2011).
constexpr std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                              std::array<std::uint32_t, 2> key) {
    constexpr std::uint64_t factors[] = {0xd2511f53, 0xcd9e8d57};
    constexpr std::uint32_t weyl[] = {0x9e3779b9, 0xbb67ae85};
    for (int round = 0; round < 10; ++round) {
        std::array<std::uint32_t, 4> next{};
        for (std::size_t half = 0; half < 2; ++half) {
            // Each half is computed from the other half's product.
            const std::uint64_t product = factors[1 - half] * counter[2 * (1 - half)];
            next[2 * half] =
                static_cast<std::uint32_t>(product >> 32) ^ counter[2 * half + 1] ^ key[half];
            next[2 * half + 1] = static_cast<std::uint32_t>(product);
        }
        counter = next;
        for (std::size_t half = 0; half < 2; ++half) key[half] += weyl[half];
    }
    return counter;
}

}  // namespace parallax
