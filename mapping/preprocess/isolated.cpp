// A forked child with limits, and a pipe for its answer.
#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <new>
#include <string_view>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/error.hpp"
#include "mapping/preprocess/expand_parts.hpp"

namespace parallax {
namespace {

constexpr std::size_t most_processor_seconds = 20;
constexpr std::size_t most_memory = std::size_t{1} << 30;  // beyond what this process has
// The first byte of an answer; none: the child did not come to an end of its own.
constexpr char done = 'd', refused = 'r', too_large = 'm';

/// Bytes of addresses that this process has.
std::size_t address_space() {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void limit(int resource, std::size_t value) {
    rlimit now{};
    getrlimit(static_cast<__rlimit_resource>(resource), &now);
    if (now.rlim_max < value) value = now.rlim_max;
    now.rlim_cur = value;
    setrlimit(static_cast<__rlimit_resource>(resource), &now);
}

void send(int pipe, std::string_view text) {
    while (!text.empty()) {
        const ssize_t sent = ::write(pipe, text.data(), text.size());
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) _exit(1);
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
}

[[noreturn]] void be_the_child(int pipe, const std::function<std::string()>& work) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, most_processor_seconds);  // however busy the machine is
    limit(RLIMIT_AS, address_space() + most_memory);
    // Handlers of the parent's would write where only the parent may.
    for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGINT, SIGTERM}) {
        std::signal(number, SIG_DFL);
    }
    try {
        const std::string text = work();
        send(pipe, {&done, 1});
        send(pipe, text);
    } catch (const std::bad_alloc&) {
        send(pipe, {&too_large, 1});
    } catch (const std::exception& error) {
        send(pipe, {&refused, 1});
        send(pipe, error.what());
    }
    // No exit handlers: they are the parent's.
    _exit(0);
}

/// All that comes until the child ends or is ended. @returns false: it cannot be read
bool receive(int pipe, std::string& text) {
    std::array<char, 65536> part{};
    for (;;) {
        const ssize_t got = ::read(pipe, part.data(), part.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got == 0;
        text.append(part.data(), static_cast<std::size_t>(got));
    }
}

}  // namespace

std::string isolated(const std::function<std::string()>& work, const std::string& gave_up) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw Error("No pipe can be made: too many files are open.");
    const pid_t child = fork();
    if (child < 0) {
        close(ends[0]);
        close(ends[1]);
        throw Error("No process can be started: there are too many, or too little memory.");
    }
    if (child == 0) {
        close(ends[0]);
        be_the_child(ends[1], work);
    }
    close(ends[1]);
    bool ended = false;
    std::string answer;
    try {
        ended = receive(ends[0], answer);
    } catch (const std::bad_alloc&) {
        answer.clear();
    }
    close(ends[0]);
    if (!ended) kill(child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    const bool whole = ended && WIFEXITED(status) && WEXITSTATUS(status) == 0 && !answer.empty();
    if (!whole || answer[0] == too_large) throw Refused(gave_up);
    if (answer[0] == refused) throw Refused(answer.substr(1));
    return answer.substr(1);
}

}  // namespace parallax
