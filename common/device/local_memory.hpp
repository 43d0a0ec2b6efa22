// What local memory of the host holds before a work-group has written it.
#pragma once

#include <array>
#include <cstdint>

namespace parallax {

/// Pairs of bytes, repeated; a launch has one of them: a NaN, then a very large and a very small
/// number. None is a sensible index, and none is what outputs hold before a launch.
inline constexpr std::array<std::array<std::uint8_t, 2>, 3> uninitialized_local{
    {{0xc1, 0xff}, {0x7e, 0x7f}, {0xfd, 0xfe}}};

}  // namespace parallax
