// Ctrl-C, and the terminal.
#include <algorithm>
#include <atomic>
#include <csignal>
#include <ctime>
#include <iostream>

#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/arguments.hpp"
#include "cli/standard_files.hpp"
#include "common/error.hpp"
#include "common/process/spawn.hpp"
#include "common/process/watchdog.hpp"
#include "suites/case_words.hpp"

namespace parallax::cli {
namespace {

std::string colour_when = "auto";
std::atomic<bool> pressed{false};
unsigned guards = 0;  // a command may run others
static_assert(std::atomic<bool>::is_always_lock_free);

// The second press ends the program at once: a launch that never ends cannot be waited for. Who is
// watched may get a signal twice, from a terminal's group and from the watcher, who waits for
// nobody.
void on_signal(int signal) {
    pressed = true;
    if (!watched().state) std::signal(signal, SIG_DFL);
}

// A signal of this process to itself is a driver's, which hands on what it got, or a kernel's, and
// nobody's wish. Who watches gets the former, too, and knows of it at once.
bool is_wish(const siginfo_t& info) {
    const WatchdogState* const state = watched().state;
    if (!state || info.si_code > 0 || info.si_pid != getpid()) return true;
    constexpr timespec a_moment{.tv_sec = 0, .tv_nsec = 10'000'000};
    for (int i = 0; i < 50 && !state->is_interrupted; ++i) nanosleep(&a_moment, nullptr);
    return state->is_interrupted;
}

// A signal that nobody sent on purpose ends the process, and the exit code tells the watcher.
void on_signal_from(int signal, siginfo_t* info, void*) {
    if (!is_wish(*info)) _exit(128 + signal);
    on_signal(signal);
}

}  // namespace

InterruptGuard::InterruptGuard() {
    if (guards++ > 0) return;
    pressed = watched().is_closing;
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
