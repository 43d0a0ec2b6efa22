// The results of mutants.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "studies/mutation/mutate.hpp"

namespace parallax {

/// The result of one mutant.
enum class End : std::uint8_t {
    not_tried,
    not_built,  ///< the compiler of the first suitable device rejects it
    same_code,  ///< NVRTC generates the same code: it is no different kernel
    lived,
    wrong,    ///< verification reports a wrong result or damaged memory
    refused,  ///< the launch is rejected
    died      ///< its process crashed, lost the device, or exceeded the time limit
};
inline constexpr std::array<std::string_view, 7> names_of_ends{
    "not tried", "not built", "same code", "lived", "wrong", "refused", "died"};

constexpr std::string_view name_of(End end) {
    return names_of_ends[static_cast<std::size_t>(end)];
}

/// Whether it was detected.
/// @param gate_alone  only by verification, and not by a launch error or a crash
constexpr bool is_noticed(End end, bool gate_alone) {
    return end == End::wrong || (!gate_alone && (end == End::refused || end == End::died));
}

/// A mutant of a suite, and its result.
struct Tried {
    std::string suite;
    Mutant mutant;
    End end = End::not_tried;
    std::string device;  ///< that reports it
    bool is_argued = false;
    std::string backend = {};  ///< of its native source; empty: it is portable
};

}  // namespace parallax
