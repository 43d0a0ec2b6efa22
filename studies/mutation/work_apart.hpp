// What a process needs that verifies mutants, of which it may die.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "common/device/devices.hpp"

namespace parallax {

/// The device, with only the named backend loaded: CUDA's driver occupies addresses that host:1's
/// sanitizers need, which then end the process.
/// @param word  its id: `cuda:0`
Entry entry_alone(std::span<const std::unique_ptr<Backend>>, std::string_view word);

/// The last words of a process that limit_time() ended.
inline constexpr std::string_view late_words = "it takes too long";

/// Limits one build or launch from now on, which may never end, or wait for a device: the process
/// is ended with `exit_late` after so many seconds of processor time, or five times that by the
/// clock.
void limit_time(long seconds);

}  // namespace parallax
