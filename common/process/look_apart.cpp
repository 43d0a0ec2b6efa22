// Runs a function in a forked process with a time limit.
#include "common/process/look_apart.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/error.hpp"
#include "common/process/child.hpp"
#include "common/process/spawn.hpp"
#include "common/text/text.hpp"

namespace parallax {
namespace {

[[noreturn]] void look_and_end(const std::function<void()>& look, pid_t parent, int done,
                               int said) {
    setpgid(0, 0);  // so that processes of a driver end with it
    become_helper(parent);
    // The parent decides about Ctrl-C.
    for (const int number : {SIGINT, SIGTERM}) std::signal(number, SIG_IGN);
    dup2(said, STDOUT_FILENO);
    dup2(said, STDERR_FILENO);
    try {
        look();
    } catch (...) {
        // The process that repeats the look reports the error.
    }
    const char well = 1;
    _exit(::write(done, &well, 1) == 1 ? 0 : 1);
}

/// Whether the child sends a byte within the limit. It may end without one, and its own children
/// may keep the pipe open after that.
bool hears(int pipe, pid_t child, std::chrono::milliseconds limit, bool& in_time) {
    // This waits for another process: HostClock does not apply.
    const auto deadline = std::chrono::steady_clock::now() + limit;
    constexpr std::int64_t slice = 50;  // milliseconds between checks of the child
    while (true) {
        siginfo_t end{};
        waitid(P_PID, static_cast<id_t>(child), &end, WEXITED | WNOHANG | WNOWAIT);
        const bool has_ended = end.si_pid == child;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        const auto wait = has_ended ? 0 : std::clamp<std::int64_t>(left.count(), 0, slice);
        pollfd waiting{.fd = pipe, .events = POLLIN, .revents = 0};
        const int ready = ::poll(&waiting, 1, static_cast<int>(wait));
        if (ready < 0 && errno == EINTR) continue;
        char byte = 0;
        if (ready > 0) return ::read(pipe, &byte, 1) == 1;
        if (has_ended) return false;
        if (left.count() <= 0) {
            in_time = false;
            return false;
        }
    }
}

}  // namespace

LookEnd look_apart(const std::function<void()>& look, std::chrono::milliseconds limit) {
    std::array<int, 2> ends{};
    const MemoryFile said;
    if (pipe(ends.data()) != 0) throw Error("No pipe can be made: too many files are open.");
    std::fflush(nullptr);  // else a driver that calls exit() prints it again
    const pid_t parent = getpid(), child = fork();
    if (child == 0) {
        close(ends[0]);
        look_and_end(look, parent, ends[1], said.file());
    }
    close(ends[1]);
    bool in_time = true;
    const bool well = child > 0 && hears(ends[0], child, limit, in_time);
    close(ends[0]);
    if (child < 0) throw Error("No process can be started: there are too many, or no memory.");
    // The result is known; the driver's exit handlers must not run.
    if (well || !in_time) ::kill(child, SIGKILL);
    ::kill(-child, SIGKILL);
    const int status = wait_for(child);
    if (well) return {};
    if (!in_time) {
        const double seconds = std::chrono::duration<double>(limit).count();
        return {fmt::format("did not answer within {:.3g} s", seconds), {}, false};
    }
    const std::string how = WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                                                : fmt::format("exit code {}", WEXITSTATUS(status));
    const std::string text = said.text();
    return {fmt::format("ended the process that looked at it ({})", how),
            printable(text.substr(0, text.find_last_not_of(" \n") + 1), 300)};
}

}  // namespace parallax
