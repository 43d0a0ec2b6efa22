// A process that judges some of the mutants, and may die of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace parallax {

/// Oclgrind as one of the devices: a judge that it starts has it in the place of OpenCL's loader.
inline constexpr std::string_view simulator = "oclgrind";

/// What a place is of: of so many times all mutants and the mutant's number.
enum class Place : std::uint8_t {
    mutant,
    control,  ///< its kernel as it is, on all cases
    glance    ///< the same on one case, in small
};

/// Judges one place after the other that it is dealt (deal.hpp), and prints how each ends.
/// @param word     a device, such as `opencl:0`, or `simulator`
/// @param seconds  of processor time that one build or launch may take
/// @param list     file to which each end is added; empty: none
/// @param file     what next_place() reads
/// @returns its exit code: 1 where the device is not to be used any more
int judge_some(const std::string& word, long seconds, const std::string& list, int file);

}  // namespace parallax
