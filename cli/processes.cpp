// Starts the program again, waits for it, and hands on signals.
#include "cli/processes.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ostream>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/error.hpp"

extern char** environ;

namespace parallax::cli {
namespace {

constexpr const char* variable = "PARALLAX_PROCESS";

std::atomic<pid_t> running{0};
std::atomic<bool> caught{false};
static_assert(std::atomic<pid_t>::is_always_lock_free);

void on_signal(int signal, siginfo_t* info, void*) {
    const int saved = errno;
    caught = true;
    // A terminal sends Ctrl-C to the process that runs as well; a second one would kill it.
    const pid_t process = running;
    if (process > 0 && info->si_code != SI_KERNEL) ::kill(process, signal);
    errno = saved;
}

/// Hands on signals as long as it lives.
class Forwarding {
public:
    Forwarding() {
        caught = false;
        struct sigaction action {};
        action.sa_sigaction = on_signal;
        action.sa_flags = SA_SIGINFO;
        sigaction(SIGINT, &action, &interrupt_);
        sigaction(SIGTERM, &action, &terminate_);
    }
    ~Forwarding() {
        sigaction(SIGINT, &interrupt_, nullptr);
        sigaction(SIGTERM, &terminate_, nullptr);
    }
    Forwarding(const Forwarding&) = delete;
    Forwarding& operator=(const Forwarding&) = delete;

private:
    struct sigaction interrupt_ {};
    struct sigaction terminate_ {};
};

/// No signal comes as long as it lives; `before` are those that were held back already.
struct Held {
    Held() {
        sigset_t ours;
        sigemptyset(&ours);
        sigaddset(&ours, SIGINT);
        sigaddset(&ours, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &ours, &before);
    }
    ~Held() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    sigset_t before{};
};

/// A file without a name that a process prints to.
class Kept {
public:
    Kept() : file_(::memfd_create("tables", MFD_CLOEXEC)) {
        if (file_ < 0) throw Error(fmt::format("Cannot make a file: {}.", std::strerror(errno)));
    }
    ~Kept() { ::close(file_); }
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;

    int file() const { return file_; }
    void print(std::ostream& out) const {
        char part[4096];
        off_t at = 0;
        ssize_t count = 0;
        while ((count = ::pread(file_, part, sizeof part, at)) > 0) {
            out.write(part, count);
            at += count;
        }
        out.flush();
    }

private:
    int file_;
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// @param out  file descriptor that it prints to; below 0: as this process
void start(const World& world, const std::vector<std::string>& words, const std::string& which,
           int out) {
    std::vector<std::string> arguments{"parallax"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    std::vector<std::string> environment{fmt::format("{}={}", variable, which)};
    for (char** entry = environ; *entry; ++entry) {
        if (!std::string_view(*entry).starts_with(fmt::format("{}=", variable))) {
            environment.emplace_back(*entry);
        }
    }
    const Held held;
    if (caught) throw Interrupted();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (out >= 0) posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &held.before);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    pid_t process = 0;
    const int error = posix_spawn(&process, world.program.c_str(), &actions, &attributes,
                                  pointers_to(arguments).data(), pointers_to(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        throw Error(fmt::format("Cannot start {} again: {}.", world.program.string(),
                                std::strerror(error)));
    }
    running = process;
}

/// Waits for the one that runs. @return its exit code, 1 when it was killed
int wait_for(const World& world, const std::string& which) {
    siginfo_t ended{};
    // Its number must not go to another process while a signal may still be sent to it.
    while (::waitid(P_PID, static_cast<id_t>(running), &ended, WEXITED | WNOWAIT) != 0 &&
           errno == EINTR) {
    }
    int status = 0;
    ::waitpid(running.exchange(0), &status, 0);
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    const int signal = WTERMSIG(status);
    if (signal == SIGINT || signal == SIGTERM) return exit_interrupted;
    world.err << fmt::format("parallax: process {} was killed by signal {} ({}).\n", which, signal,
                             strsignal(signal));
    return exit_wrong;
}

int worse(int a, int b) {
    for (const int code : {exit_wrong, exit_nothing}) {
        if (a == code || b == code) return code;
    }
    return std::max(a, b);
}

}  // namespace

int run_processes(const Processes& processes, World& world) {
    if (world.program.empty()) throw Error("This program cannot start itself again.");
    const Forwarding forwarding;
    int worst = exit_ok;
    for (unsigned i = 1; i <= processes.count; ++i) {
        const std::string which = fmt::format("{} of {}", i, processes.count);
        const bool shown = processes.show_all || i == processes.count;
        const Kept kept;
        world.out.flush();
        world.err.flush();
        start(world, processes.words, which, shown ? -1 : kept.file());
        const int code = wait_for(world, which);
        const bool stop = code == exit_usage || code == exit_interrupted;
        if (!shown && (stop || (code == exit_wrong && worst != exit_wrong))) {
            kept.print(world.out);
        }
        if (code == exit_interrupted) throw Interrupted();
        if (stop) return code;
        worst = worse(worst, code);
    }
    return worst;
}

std::string which_process() {
    const char* which = std::getenv(variable);
    return which ? which : "";
}

std::vector<std::string> words_for_process(const std::vector<std::string>& words,
                                           const std::string& seed, const std::string& file) {
    std::vector<std::string> own{words.front()};
    if (!seed.empty()) own.insert(own.end(), {"--seed", seed});
    if (!file.empty()) own.insert(own.end(), {"-o", file});
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i] == "--processes") {
            ++i;  // and its value
        } else if (!words[i].starts_with("--processes=")) {
            own.push_back(words[i]);
        }
    }
    return own;
}

}  // namespace parallax::cli
