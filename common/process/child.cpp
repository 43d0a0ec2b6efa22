// Runs a program in a process group that ends with this process, and reads its outputs until it
// ends or a time limit expires.
#include "common/process/child.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace parallax {
namespace {

using Clock = std::chrono::steady_clock;

class Pipe {
public:
    Pipe() {
        if (::pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        close_end(0);
        close_end(1);
    }
    bool is_open() const { return ends_[0] >= 0; }
    int read_end() const { return ends_[0]; }
    int write_end() const { return ends_[1]; }
    void close_end(std::size_t end) {
        if (ends_[end] >= 0) ::close(ends_[end]);
        ends_[end] = -1;
    }

private:
    std::array<int, 2> ends_{-1, -1};
};

/// Kills the process group that this process leads.
void kill_own_group(int) {
    ::kill(0, SIGKILL);
}

/// How a program is started.
struct Start {
    const std::filesystem::path& program;
    char* const* words;
    const std::filesystem::path& folder;
    ProgramLimits limits;
    int out, err;
    int failed;  ///< gets an error number if it cannot be started
};

/// The forked process that becomes the program. Once its address space is limited, it maps no
/// memory: it still has that of a process that measures, which may be larger than the limit.
[[noreturn]] void become(const Start& how) {
    std::signal(SIGTERM, SIG_DFL);
    const int in = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    const bool is_set = ::dup2(in, STDIN_FILENO) >= 0 && ::dup2(how.out, STDOUT_FILENO) >= 0 &&
                        ::dup2(how.err, STDERR_FILENO) >= 0 &&
                        (how.folder.empty() || ::chdir(how.folder.c_str()) == 0);
    if (how.limits.file_bytes > 0) lower_limit(RLIMIT_FSIZE, how.limits.file_bytes);
    if (how.limits.memory_bytes > 0) lower_limit(RLIMIT_AS, how.limits.memory_bytes);
    if (is_set) ::execvp(how.program.c_str(), how.words);
    const int error = errno;
    ::_exit(::write(how.failed, &error, sizeof error) < 0);
}

/// A forked process that runs a program in its process group, and kills all of that process group
/// when `parent` ends: a compiler driver would leave its compiler behind.
[[noreturn]] void keep(pid_t parent, const Start& how) {
    ::setpgid(0, 0);
    std::signal(SIGTERM, kill_own_group);
    std::signal(SIGXFSZ, SIG_IGN);  // writing fails, and its program says so
    end_with(parent, SIGTERM);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    const pid_t process = ::fork();
    if (process == 0) become(how);
    const int error = errno;
    if (process < 0) ::_exit(::write(how.failed, &error, sizeof error) < 0);
    ::close_range(0, ~0u, 0);  // a reader waits until all of them are closed
    const int status = wait_for(process);
    if (!WIFEXITED(status)) ::kill(::getpid(), SIGKILL);
    ::_exit(WEXITSTATUS(status));
}

/// @return an error number; 0: `process`, the leader of a new process group, runs it
int start(const std::filesystem::path& program, const std::vector<std::string>& arguments,
          const std::filesystem::path& folder, ProgramLimits limits, const Pipe& out,
          const Pipe& err, pid_t& process) {
    std::vector<std::string> words{program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    Pipe failure;
    if (!out.is_open() || !err.is_open() || !failure.is_open()) return errno;

    const pid_t parent = ::getpid();
    process = ::fork();
    if (process == 0) {
        keep(parent, {program, pointers.data(), folder, limits, out.write_end(), err.write_end(),
                      failure.write_end()});
    }
    int error = process < 0 ? errno : 0;
    failure.close_end(1);
    if (error != 0) return error;
    while (::read(failure.read_end(), &error, sizeof error) < 0 && errno == EINTR) {
    }
    if (error != 0) wait_for(process);
    return error;
}

/// Reads the available output. @return false: the output has ended
bool read_some(int file, std::string& into) {
    std::array<char, 1 << 16> buffer;
    const ssize_t count = ::read(file, buffer.data(), buffer.size());
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    into.append(buffer.data(), static_cast<std::size_t>(count));
    // The end of the output is the most useful part.
    if (into.size() > 2 * most_output) into.erase(0, into.size() - most_output);
    return count > 0;
}

/// @return false: the time limit expired before both outputs ended
bool read_both(ProcessResult& ended, const Pipe& out, const Pipe& err, Clock::time_point deadline) {
    std::array<pollfd, 2> files{pollfd{out.read_end(), POLLIN, 0},
                                pollfd{err.read_end(), POLLIN, 0}};
    std::array<std::string*, 2> texts{&ended.out, &ended.err};
    while (files[0].fd >= 0 || files[1].fd >= 0) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) return false;
        if (::poll(files.data(), files.size(), static_cast<int>(left)) < 0) {
            if (errno == EINTR) continue;
            return false;
        }
        for (std::size_t i = 0; i < files.size(); ++i) {
            const bool speaks = files[i].fd >= 0 && files[i].revents != 0;
            if (speaks && !read_some(files[i].fd, *texts[i])) files[i].fd = -1;
        }
    }
    return true;
}

/// Waits for the end of a process that has closed its outputs.
/// @return nothing: the time limit expired; otherwise its exit code, as in ProcessResult
std::optional<int> code_of(pid_t process, Clock::time_point deadline) {
    int status = 0;
    pid_t ended = 0;
    while ((ended = ::waitpid(process, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        if (Clock::now() >= deadline) return {};
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return ended == process && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

int wait_for(pid_t process) {
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

void keep_child_statuses() {
    struct sigaction now {};
    sigaction(SIGCHLD, nullptr, &now);
    if (now.sa_handler == SIG_IGN || (now.sa_flags & SA_NOCLDWAIT) != 0) {
        std::signal(SIGCHLD, SIG_DFL);
    }
}

void end_with(pid_t parent, int signal) {
    ::prctl(PR_SET_PDEATHSIG, signal);
    if (::getppid() != parent) ::_exit(1);
}

void lower_limit(decltype(RLIMIT_AS) which, std::uint64_t value) {
    rlimit now{};
    ::getrlimit(which, &now);
    now.rlim_cur = std::min<rlim_t>(now.rlim_cur, value);
    ::setrlimit(which, &now);
}

void become_helper(pid_t parent) {
    end_with(parent);
    lower_limit(RLIMIT_CORE, 0);
    for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGCHLD}) {
        std::signal(number, SIG_DFL);
    }
}

ProcessResult run_program(const std::filesystem::path& program,
                          const std::vector<std::string>& arguments,
                          std::chrono::milliseconds limit, const std::filesystem::path& folder,
                          ProgramLimits limits) {
    ProcessResult ended;
    keep_child_statuses();
    const auto deadline = Clock::now() + limit;
    Pipe out, err;
    pid_t process = 0;
    if (const int error = start(program, arguments, folder, limits, out, err, process)) {
        ended.err = std::strerror(error);
        return ended;
    }
    ended.started = true;
    out.close_end(1);
    err.close_end(1);
    std::optional<int> code;
    if (read_both(ended, out, err, deadline)) code = code_of(process, deadline);
    ended.in_time = code.has_value();
    if (!ended.in_time) {
        ::kill(-process, SIGKILL);
        wait_for(process);
    }
    for (std::string* const text : {&ended.out, &ended.err}) {
        if (text->size() > most_output) text->erase(0, text->size() - most_output);
    }
    ended.exit_code = code.value_or(-1);
    return ended;
}

}  // namespace parallax
