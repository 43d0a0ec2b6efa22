// Starts the program again, waits for it, and forwards signals.
#include "common/process/spawn.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/error.hpp"
#include "common/process/child.hpp"
#include "common/process/process_folders.hpp"
#include "common/profile.hpp"

namespace parallax {
namespace {

/// Environment variable with the ID of the parent process.
constexpr const char* parent_variable = "PARALLAX_PARENT";

/// Maximum of concurrent processes.
constexpr std::size_t most_running = 16;
/// IDs of the running processes; 0: a free slot.
std::array<std::atomic<pid_t>, most_running> running{};
std::atomic<bool> caught{false};
std::atomic<void (*)(int)> listener{nullptr};
std::atomic<int> sent{0};  ///< the signal sent to this process alone; 0: none
static_assert(std::atomic<pid_t>::is_always_lock_free);

/// The handlers of SIGINT and SIGTERM before the first SignalForwarder.
struct sigaction interrupt_before {};
struct sigaction terminate_before {};

void on_signal(int signal, siginfo_t* info, void*) {
    const int saved = errno;
    caught = true;
    if (info->si_code != SI_KERNEL) sent = signal;
    // A terminal sends Ctrl-C to the child as well; a second one would kill it.
    for (const auto& one : running) {
        const pid_t process = one;
        if (process > 0 && info->si_code != SI_KERNEL) ::kill(process, signal);
    }
    // The previous handler is not called: a driver's may end the program.
    if (void (*const told)(int) = listener) told(signal);
    errno = saved;
}

/// Blocks all signals while it lives; `before` is the previous mask.
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

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// `NAME=value` of every variable of the new process.
std::vector<std::string> environment_of(const Spawned& spawned) {
    std::vector<std::string> all;
    auto variables = spawned.variables;
    variables.emplace_back(parent_variable, std::to_string(::getpid()));
    for (const auto& [name, value] : variables) {
        all.push_back(fmt::format("{}={}", name, value));
    }
    for (char** entry = environ; *entry; ++entry) {
        const std::string_view one = *entry;
        const bool replaced = std::ranges::any_of(variables, [&](const auto& variable) {
            return one.substr(0, one.find('=')) == variable.first;
        });
        if (!replaced) all.emplace_back(one);
    }
    return all;
}

/// @returns the slot of its ID
std::atomic<pid_t>& start(const Spawned& spawned) {
    std::vector<std::string> arguments{spawned.called};
    arguments.insert(arguments.end(), spawned.words.begin(), spawned.words.end());
    std::vector<std::string> environment = environment_of(spawned);
    keep_child_statuses();
    const Held held;
    SignalForwarder::check();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (spawned.out >= 0) {
        posix_spawn_file_actions_adddup2(&actions, spawned.out, STDOUT_FILENO);
    }
    if (spawned.err >= 0) {
        posix_spawn_file_actions_adddup2(&actions, spawned.err, STDERR_FILENO);
    }
    if (!spawned.folder.empty()) {
        posix_spawn_file_actions_addchdir_np(&actions, spawned.folder.c_str());
    }
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &held.before);
    // Ignored signals would stay ignored in another program.
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes,
                             static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                (spawned.group ? POSIX_SPAWN_SETPGROUP : 0)));
    pid_t process = 0;
    const int error = posix_spawn(&process, spawned.program.c_str(), &actions, &attributes,
                                  pointers_to(arguments).data(), pointers_to(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        throw Error(fmt::format("Cannot start {} again: {}.", spawned.program.string(),
                                std::strerror(error)));
    }
    if (spawned.group) *spawned.group = process;
    if (spawned.niceness > 0) {
        ::setpriority(PRIO_PROCESS, static_cast<id_t>(process), spawned.niceness);
    }
    for (auto& one : running) {
        pid_t none = 0;
        if (!one.compare_exchange_strong(none, process)) continue;
        // Another thread may have received it before the ID was stored.
        if (const int signal = sent) ::kill(process, signal);
        return one;
    }
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
    throw Error("Too many processes were started at once.");
}

/// The number of live forwarders.
struct Forwardings {
    std::mutex mutex;
    unsigned count = 0;
};

Forwardings& forwardings() {
    static Forwardings all;
    return all;
}

}  // namespace

MemoryFile::MemoryFile() : file_(::memfd_create("printed", MFD_CLOEXEC)) {
    if (file_ < 0) throw Error(fmt::format("Cannot make a file: {}.", std::strerror(errno)));
    // Otherwise two concurrent writers may overwrite each other's output.
    ::fcntl(file_, F_SETFL, O_APPEND);
}

MemoryFile::~MemoryFile() {
    ::close(file_);
}

std::string MemoryFile::text() const {
    std::string all;
    char part[4096];
    ssize_t count = 0;
    while ((count = ::pread(file_, part, sizeof part, static_cast<off_t>(all.size()))) > 0) {
        all.append(part, static_cast<std::size_t>(count));
    }
    return all;
}

SignalForwarder::SignalForwarder() {
    Forwardings& all = forwardings();
    const std::scoped_lock lock(all.mutex);
    if (all.count++ > 0) return;
    caught = false;
    sent = 0;
    struct sigaction action {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGINT, &action, &interrupt_before);
    sigaction(SIGTERM, &action, &terminate_before);
}

SignalForwarder::~SignalForwarder() {
    Forwardings& all = forwardings();
    const std::scoped_lock lock(all.mutex);
    if (--all.count > 0) return;
    sigaction(SIGINT, &interrupt_before, nullptr);
    sigaction(SIGTERM, &terminate_before, nullptr);
}

void tell_signals_to(void (*who)(int)) {
    listener = who;
}

void SignalForwarder::check() {
    if (caught) throw Interrupted();
}

void end_with_who_spawned() {
    const char* const parent = std::getenv(parent_variable);
    if (!parent) return;
    const pid_t named = std::atoi(parent);
    ::unsetenv(parent_variable);
    // Of a program between the two it says nothing.
    if (named == ::getppid()) return end_with(named);
    if (named > 0 && start_time(named) != 0) return;
    std::fputs("parallax: The program that PARALLAX_PARENT names has ended.\n", stderr);
    ::_exit(130);  // as if interrupted
}

ExitStatus spawn(const Spawned& spawned) {
    const InPhase phase(Phase::waiting, "processes");
    std::atomic<pid_t>& process = start(spawned);
    siginfo_t ended{};
    // The ID must not be reused while a signal may still be sent to it.
    const auto has_ended = [&](int how) {
        ended = {};
        const int result =
            ::waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOWAIT | how);
        return result == 0 ? ended.si_pid != 0 : errno != EINTR;
    };
    if (spawned.most_seconds > 0) {
        using Clock = std::chrono::steady_clock;
        const Clock::time_point start = Clock::now();
        while (!has_ended(WNOHANG)) {
            if (std::chrono::duration<double>(Clock::now() - start).count() >
                spawned.most_seconds) {
                ::kill(spawned.group ? -process : pid_t{process}, SIGKILL);
                break;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }
    while (!has_ended(0)) {
    }
    if (spawned.group) *spawned.group = 0;
    int status = 0;
    const pid_t was = process;
    if (::waitpid(process.exchange(0), &status, 0) < 0) {
        throw Error(fmt::format("How {} ended cannot be known: {}.", spawned.program.string(),
                                std::strerror(errno)));
    }
    if (WIFEXITED(status)) return {.code = WEXITSTATUS(status)};
    // A killed process leaves its folders, and so do the processes of its process group.
    for (int i = 0; spawned.group && i < 100 && ::kill(-was, 0) == 0; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    remove_folders_of_ended_processes();
    return {.signal = WTERMSIG(status)};
}

}  // namespace parallax
