// Ctrl-C as a flag; and the terminal: its width, and whether output is coloured.
#include <algorithm>
#include <atomic>
#include <csignal>
#include <ctime>
#include <iostream>

#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/option_values.hpp"
#include "cli/own_output.hpp"
#include "common/error.hpp"
#include "common/process/spawn.hpp"
#include "common/process/watchdog.hpp"
#include "suites/case_words.hpp"

namespace parallax::cli {
namespace {

std::string colour_when = "auto";
std::atomic<bool> pressed{false};
unsigned guards = 0;  // commands may be nested
static_assert(std::atomic<bool>::is_always_lock_free);

// Without a supervisor the second signal ends the program, since a launch may hang. A supervised
// worker may get one signal twice: sent to the process group, and from the supervisor,
// which kills the worker if needed.
void on_signal(int signal) {
    pressed = true;
    if (!watched().state) std::signal(signal, SIG_DFL);
}

// A signal from this process to itself is a crash (abort) unless a driver forwards Ctrl-C with it.
// Ctrl-C reaches the supervisor, too, which sets is_interrupted within half a second.
bool is_wish(const siginfo_t& info) {
    const WatchdogState* const state = watched().state;
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
    pressed = watched().only_reports;
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

bool is_terminal(const std::ostream& stream) {
    if (&stream == &std::cout) return isatty(standard_files().out) != 0;
    if (&stream == &std::cerr) return isatty(standard_files().err) != 0;
    return false;
}

void set_colour(const std::string& when) {
    colour_when = parse_choice("--color", when, {"auto", "always", "never"});
}

bool wants_colour(const std::ostream& stream) {
    if (colour_when != "auto") return colour_when == "always";
    const char* no_colour = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    return is_terminal(stream) && (!no_colour || !*no_colour) &&
           !(term && std::string_view(term) == "dumb");
}

unsigned terminal_width() {
    winsize size{};
    for (const int stream : {standard_files().out, standard_files().err}) {
        if (ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
            return std::clamp<unsigned>(size.ws_col, 60, 200);
        }
    }
    return 100;
}

std::size_t table_width(const std::ostream& stream) {
    return is_terminal(stream) ? terminal_width() : std::string::npos;
}

}  // namespace parallax::cli
