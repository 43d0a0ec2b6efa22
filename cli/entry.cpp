// The program's entry: everything else is in the library beside it, where tests reach it.
#include <algorithm>
#include <cstdlib>
#include <iostream>

#include <fcntl.h>
#include <unistd.h>

#include "cli/request.hpp"
#include "cli/standard_files.hpp"
#include "common/mps.hpp"
#include "common/parallel.hpp"
#include "common/spawn.hpp"

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

/// More would wait for each other: jobs use several cores themselves.
constexpr unsigned most_workers = 31;

int main(int argc, char** argv) {
    occupy_standard_streams();
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
