// Ctrl-C as a flag that commands ask for.
#pragma once

namespace parallax::cli {

/// Makes Ctrl-C set a flag instead of ending the program while a guard lives.
class InterruptGuard {
public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    /// @throws Interrupted when Ctrl-C was pressed.
    static void check();
};

}  // namespace parallax::cli
