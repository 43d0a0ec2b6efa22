// A process that verifies some of the mutants, and may crash.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace parallax {

/// Oclgrind as one of the devices: it replaces OpenCL's loader in a worker that it starts.
inline constexpr std::string_view simulator = "oclgrind";

/// The kind of a place: places are numbered by kind, then by mutant.
enum class Place : std::uint8_t {
    mutant,
    control,  ///< its unmodified kernel, on all cases
    glance    ///< the same on one small case
};

/// Verifies one place after the other (deal.hpp), and prints the result of each.
/// @param word     a device, such as `opencl:0`, or `simulator`
/// @param seconds  processor time limit of one build or launch
/// @param list     file to which each result is appended; empty: none
/// @param file     for next_place()
/// @returns the exit code: 1 if the device must not be used any more
int judge_some(const std::string& word, long seconds, const std::string& list, int file);

}  // namespace parallax
