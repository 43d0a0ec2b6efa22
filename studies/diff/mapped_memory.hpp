// Finds cases whose mapped buffers are the host's memory on one side and the device's on the other.
#pragma once

#include <vector>

#include "studies/diff/build.hpp"

namespace parallax {

/// An API may keep a buffer that was asked for in the host's memory in the device's instead, and
/// copy it when the host looks. A kernel then moves data as fast as in the device's own memory on
/// that side alone, which no link to the host does. Adds a difference that forbids a comparison to
/// all cases with such buffers where one of them shows it.
/// @param cases  of both sides, before they are judged
void compare_mapped_memory(const Sides&, std::vector<CaseDiff>& cases);

}  // namespace parallax
