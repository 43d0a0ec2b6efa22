// Work on a hostile text in a process of its own, so that it can neither crash nor hang this one.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace parallax {

/// What the work may take.
struct IsolationLimits {
    std::chrono::milliseconds time{20'000};
    std::size_t memory_bytes = std::size_t{1} << 30;  ///< beyond what this process has now
};

/// Does `work` in a child of this process, and returns its text. The child is killed when its time
/// is over or when this process ends.
/// @throws Refused with the message of what `work` throws; Refused with `gave_up` when it runs out
/// of time, memory or stack; Error when there can be no child.
std::string isolated(const std::function<std::string()>& work, const std::string& gave_up,
                     const IsolationLimits& limits = {});

}  // namespace parallax
