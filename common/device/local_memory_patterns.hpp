// Patterns that fill local memory on the host device before a work-group writes it.
#pragma once

#include <array>
#include <cstdint>

namespace parallax {

/// Pairs of bytes, repeated; each launch uses one: a NaN, a very large or a very small number. None
/// is a valid index, and none is the pattern of outputs before a launch.
inline constexpr std::array<std::array<std::uint8_t, 2>, 3> uninitialized_local{
    {{0xc1, 0xff}, {0x7e, 0x7f}, {0xfd, 0xfe}}};

}  // namespace parallax
