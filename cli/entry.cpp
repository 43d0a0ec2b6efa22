// The main function: everything else is in a library, so that tests can call it.
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

#include "cli/output_redirection.hpp"
#include "cli/request.hpp"
#include "common/process/mps.hpp"
#include "common/process/parallel.hpp"
#include "common/process/spawn.hpp"
#include "common/process/watchdog.hpp"

/// Opens closed standard streams: otherwise a result file would get their descriptor, and receive
/// printed text. Opened the wrong way around, so that reading and writing still fail.
static void occupy_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(stream, F_GETFD) != -1) continue;
        // All lower descriptors are open, so the system returns this one.
        if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream) _exit(2);
    }
}

/// Turns the signal for a file size limit into a write error, which is reported.
static void outlive_file_limits() {
    std::signal(SIGXFSZ, SIG_IGN);
}

/// Minimum stack size for compilers and drivers.
constexpr rlim_t least_stack = rlim_t{8} << 20;

/// Restarts the program with a larger stack where the limit is too small. Threads inherit the stack
/// size from the limit at start.
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

/// Reports exhausted memory where it cannot be caught: before main(), or in a thread. In a worker
/// the supervisor reports more.
[[noreturn]] static void end_without_memory() {
    try {
        if (const std::exception_ptr thrown = std::current_exception()) {
            std::rethrow_exception(thrown);
        }
    } catch (const std::bad_alloc&) {
        if (!parallax::supervision().state) {
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

/// Runs before all static constructors.
[[gnu::constructor(101)]] static void handle_ends() {
    std::set_terminate(end_without_memory);
}

/// More would block each other: jobs use several cores themselves.
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
    // The running executable, even if the file was replaced meanwhile.
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
                // The same for all users of a machine, wherever their own files are.
                "/tmp"});
}
