// A look at what may end the process that looks at it, or never answer: a driver, a compiler.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace parallax {

/// How a look ended.
struct LookEnd {
    std::string how;   ///< `ended the process that looked (signal 6)`; empty: well
    std::string said;  ///< all that was printed, safe to print again; not kept when it ended well
    bool in_time = true;
};

/// Does `look` in a process of its own, which nothing that `look` starts outlives.
/// @throws Error when no process can be started
LookEnd look_apart(const std::function<void()>& look, std::chrono::milliseconds limit);

}  // namespace parallax
