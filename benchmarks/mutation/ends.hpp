// How mutants end, and what was tried.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/mutation/mutate.hpp"

namespace parallax {

/// How one mutant ended.
enum class End : std::uint8_t {
    not_tried,
    not_built,  ///< the compiler of the first device that takes it refuses it
    same_code,  ///< NVRTC makes the same of it: it is no other kernel
    lived,
    wrong,    ///< verification says that an answer is wrong, or memory is damaged
    refused,  ///< the launch is
    died      ///< so did its process: a crash, a dead device, or more time than one is given
};
inline constexpr std::array<std::string_view, 7> names_of_ends{
    "not tried", "not built", "same code", "lived", "wrong", "refused", "died"};

constexpr std::string_view name_of(End end) {
    return names_of_ends[static_cast<std::size_t>(end)];
}

/// Whether something was noticed.
/// @param gate_alone  what the launch or the process said does not count
constexpr bool is_noticed(End end, bool gate_alone) {
    return end == End::wrong || (!gate_alone && (end == End::refused || end == End::died));
}

/// A mutant of a suite's, and what became of it.
struct Tried {
    std::string suite;
    Mutant mutant;
    End end = End::not_tried;
    std::string device;  ///< that says so
    bool is_argued = false;
    std::string backend = {};  ///< whose native text it is of; empty: it is of a portable one
};

}  // namespace parallax
