// Runs a function that may crash or hang (a driver, a compiler) in a process of its own.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace parallax {

/// The result of such a run.
struct LookEnd {
    std::string how;   ///< `ended the process that looked (signal 6)`; empty: success
    std::string said;  ///< the printed output, sanitized; empty after success
    bool in_time = true;
};

/// Runs `look` in a process of its own; everything that `look` starts is killed with it.
/// @throws Error when no process can be started
LookEnd look_apart(const std::function<void()>& look, std::chrono::milliseconds limit);

}  // namespace parallax
