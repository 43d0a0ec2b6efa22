// Handles SIGINT and SIGTERM: sets a flag, and tells a wish from a crash.
#include "cli/interrupt_guard.hpp"

#include <atomic>
#include <csignal>
#include <ctime>

#include <unistd.h>

#include "common/error.hpp"
#include "common/process/spawn.hpp"
#include "common/process/watchdog.hpp"

namespace parallax::cli {
namespace {

std::atomic<bool> pressed{false};
unsigned guards = 0;  // commands may be nested
static_assert(std::atomic<bool>::is_always_lock_free);

// Without a supervisor the second signal ends the program, since a launch may hang. A supervised
// worker may get one signal twice: one sent to the process group, and one from the supervisor,
// which kills the worker if needed.
void on_signal(int signal) {
    pressed = true;
    if (!supervision().state) std::signal(signal, SIG_DFL);
}

// A signal from this process to itself is a crash (abort) unless a driver forwards Ctrl-C with it.
// Ctrl-C reaches the supervisor, too, which sets is_interrupted within half a second.
bool is_wish(const siginfo_t& info) {
    const WatchdogState* const state = supervision().state;
    if (!state || info.si_code > 0 || info.si_pid != getpid()) return true;
    constexpr timespec a_moment{.tv_sec = 0, .tv_nsec = 10'000'000};
    for (int i = 0; i < 50 && !state->is_interrupted; ++i) nanosleep(&a_moment, nullptr);
    return state->is_interrupted;
}

// A signal that was not sent on purpose ends the process with an exit code for the supervisor.
void on_signal_from(int signal, siginfo_t* info, void*) {
    if (!is_wish(*info)) _exit(128 + signal);
    on_signal(signal);
}

}  // namespace

InterruptGuard::InterruptGuard() {
    if (guards++ > 0) return;
    pressed = supervision().only_reports;
    tell_signals_to(on_signal);
    struct sigaction action {};
    action.sa_sigaction = on_signal_from;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

InterruptGuard::~InterruptGuard() {
    if (--guards > 0) return;
    tell_signals_to(nullptr);
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

void InterruptGuard::check() {
    if (pressed) throw Interrupted();
}

}  // namespace parallax::cli
