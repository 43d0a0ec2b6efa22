// The program's entry: everything else is in the library beside it, where tests reach it.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string_view>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/request.hpp"
#include "cli/standard_files.hpp"
#include "common/process/mps.hpp"
#include "common/process/parallel.hpp"
#include "common/process/spawn.hpp"
#include "common/process/watchdog.hpp"

/// The next file that is opened gets the first free descriptor: a result file would get what is
/// printed, where standard output was closed. Opened the wrong way around, reading and writing
/// still fail, as they did on the closed one.
static void occupy_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(stream, F_GETFD) != -1) continue;
        // All numbers below are open, so the system gives this one.
        if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream) _exit(2);
    }
}

/// A file that may not grow is an error of the write then, which is said, and no end of the
/// process.
static void outlive_file_limits() {
    std::signal(SIGXFSZ, SIG_IGN);
}

/// What compilers and drivers use of a stack at least.
constexpr rlim_t least_stack = rlim_t{8} << 20;

/// Starts the program again with a larger stack where it has next to none. The threads' are as
/// large as the first one's was at the start.
static void ensure_stack(char** argv) {
    rlimit stack{};
    constexpr rlim_t too_small = rlim_t{1} << 20;
    if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= too_small) return;
    rlimit larger{least_stack, std::max(stack.rlim_max, least_stack)};
    if (setrlimit(RLIMIT_STACK, &larger) != 0) {
        larger = {stack.rlim_max, stack.rlim_max};
        setrlimit(RLIMIT_STACK, &larger);
    }
    if (getrlimit(RLIMIT_STACK, &larger) == 0 && larger.rlim_cur >= too_small) {
        execv("/proc/self/exe", argv);
    }
    std::fputs("parallax: There is not enough stack: 'ulimit -s' has to be 1024 (KiB) or more.\n",
               stderr);
    std::_Exit(parallax::cli::exit_nothing);
}

/// Says so where memory ends and nothing can catch it: before main() begins, or in a thread. In a
/// process that measures, its supervisor says more.
[[noreturn]] static void end_without_memory() {
    try {
        if (const std::exception_ptr thrown = std::current_exception()) {
            std::rethrow_exception(thrown);
        }
    } catch (const std::bad_alloc&) {
        if (!parallax::watched().state) {
            constexpr std::string_view text =
                "parallax: There is not enough memory for it: 'ulimit -v' shows what this shell "
                "allows, 'free -h' what the machine has.\n";
            if (write(STDERR_FILENO, text.data(), text.size()) >= 0)
                _exit(parallax::cli::exit_nothing);
        }
    } catch (...) {
    }
    std::abort();
}

/// Before all that is constructed at the start.
[[gnu::constructor(101)]] static void handle_ends() {
    std::set_terminate(end_without_memory);
}

/// More would wait for each other: jobs use several cores themselves.
constexpr unsigned most_workers = 31;

int main(int argc, char** argv) {
    occupy_standard_streams();
    ensure_stack(argv);
    outlive_file_limits();
    parallax::cli::keep_standard_files();
    parallax::end_with_who_spawned();
    parallax::go_round_mps();
    const std::vector<std::string> words(argv + (argc > 0), argv + argc);
    const bool person = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
    const unsigned cores = parallax::usable_cores();
    // The file that runs, even when a new one has taken its place.
    return parallax::cli::run_program(
        words, {std::cout,
                std::cerr,
                parallax::backends(),
                {},
                "/proc/self/exe",
                person ? &std::cin : nullptr,
                std::clamp(cores - 1, 1u, most_workers),
                parallax::cli::ceilings_file_in(std::getenv("XDG_CACHE_HOME"), std::getenv("HOME")),
                true,
                {},
                // The same for all users of a machine, wherever their own files go.
                "/tmp"});
}
