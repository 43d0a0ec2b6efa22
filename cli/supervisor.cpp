// Forks the measuring worker, polls its shared state, and decides when to kill it.
#include "cli/supervisor.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <ostream>

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/option_values.hpp"
#include "cli/output_redirection.hpp"
#include "cli/sanitizing_stream.hpp"
#include "cli/terminal.hpp"
#include "common/error.hpp"
#include "common/process/child.hpp"
#include "common/process/process_folders.hpp"
#include "common/process/spawn.hpp"
#include "common/process/watchdog.hpp"
#include "measure/sizing.hpp"
#include "records/results.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::cli {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// A time limit as a share of the budget, so that other cases have some time left.
struct Allowance {
    double share, least, most;  ///< the last two in seconds

    double of(double budget_seconds) const {
        return budget_seconds > 0 ? std::clamp(share * budget_seconds, least, most) : most;
    }
};
constexpr Allowance for_launch{0.25, 10, 60}, for_build{0.5, 15, 300};
/// With --watchdog, a compiler may take this many times as long as a launch.
constexpr double build_factor = 5;
/// Seconds from a signal until the worker is killed, and the additional seconds for the process
/// that reports the results, which a busy machine starts late.
constexpr double most_to_end = 1, most_to_show = 20;
/// The share of the host's memory that the worker may use.
constexpr double memory_share = 0.9;
constexpr int milliseconds_between_checks = 200;

struct Limits {
    std::optional<double> launch_seconds;  ///< 0: none; empty: derived from the budget
    double memory_bytes = 0;
};

Limits limits_of(const Values& values) {
    Limits limits;
    limits.launch_seconds = value_of<double>(values, "watchdog");
    if (!(limits.launch_seconds.value_or(0) >= 0)) {
        throw UsageError("--watchdog is a number of seconds, or 0 for none.");
    }
    limits.memory_bytes = memory_share * static_cast<double>(host_memory_bytes());
    if (const auto gib = value_of<double>(values, "memory")) {
        if (!(*gib > 0) || !std::isfinite(*gib)) {
            throw UsageError("--memory is a number of GiB greater than 0.");
        }
        limits.memory_bytes = *gib * 0x1p30;
    }
    return limits;
}

std::string signal_text(int signal) {
    return fmt::format("SIG{} ({})", sigabbrev_np(signal), strsignal(signal));
}

/// Resident memory of a process in bytes.
double resident_bytes(pid_t process) {
    std::ifstream file(fmt::format("/proc/{}/statm", process));
    double all = 0, resident = 0;
    file >> all >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

/// The memory of a process that it shares with no other one.
double private_bytes(pid_t process) {
    std::ifstream file(fmt::format("/proc/{}/smaps_rollup", process));
    double kib = 0, sum = 0;
    for (std::string word; file >> word;) {
        if (word.starts_with("Private_") && file >> kib) sum += kib * 1024;
    }
    return sum;
}

/// The descendants of a process.
std::vector<pid_t> processes_of(pid_t first) {
    std::vector<pid_t> all{first};
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::error_code error;
        const fs::path threads = fmt::format("/proc/{}/task", all[i]);
        for (fs::directory_iterator at(threads, error), end; !error && at != end;
             at.increment(error)) {
            std::ifstream file(at->path() / "children");
            for (pid_t one = 0; file >> one;) all.push_back(one);
        }
    }
    all.erase(all.begin());
    return all;
}

/// Memory of a process and of all that it has started, in bytes. Forked ones share its pages.
double bytes_of_all(pid_t process, double most) {
    const std::vector<pid_t> others = processes_of(process);
    const auto sum = [&](double (*of)(pid_t)) {
        return std::transform_reduce(others.begin(), others.end(), resident_bytes(process),
                                     std::plus<>(), of);
    };
    const double at_most = sum(resident_bytes);  // the other takes longer
    return at_most > most ? sum(private_bytes) : at_most;
}

class Supervisor {
public:
    Supervisor(const Limits& limits, ResultWriters& writers, CommandContext& context)
        : limits_(limits), writers_(writers), context_(context) {
        void* const shared = mmap(nullptr, sizeof(WatchdogState), PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (shared == MAP_FAILED) throw Error("There is no memory to share with a process.");
        state_ = new (shared) WatchdogState{};
        std::signal(SIGCHLD, SIG_DFL);  // if it is ignored, exit statuses are lost
        sigemptyset(&awaited_);
        for (const int signal : {SIGINT, SIGTERM, SIGCHLD}) sigaddset(&awaited_, signal);
        pthread_sigmask(SIG_BLOCK, &awaited_, &before_);
        signals_ = signalfd(-1, &awaited_, SFD_CLOEXEC | SFD_NONBLOCK);
        if (signals_ < 0) throw Error("There is no descriptor for signals.");
    }

    std::optional<int> run() {
        while (true) {
            const std::optional<int> status = watch_one();
            if (!status) return {};
            remove_folders_of_ended_processes();
            if (state_->has_ended) return state_->code;
            // A kernel, a compiler or a driver may end its process.
            const bool left = WIFEXITED(*status);
            if (left && (is_interrupted_ || next_.only_reports)) return cut_off();
            const int signal = left ? 0 : WTERMSIG(*status);
            const std::string end = left ? fmt::format("A call of exit({})", WEXITSTATUS(*status))
                                         : signal_text(signal);
            if (is_terminal(context_.err)) {
                SanitizingStream::write_own(context_.err, "\r\033[K");  // its progress line
            }
            if (is_interrupted_) {
                if (next_.only_reports || signal == SIGINT || signal == SIGTERM) return cut_off();
                next_.only_reports = true;
            } else if (is_asked_for(signal)) {
                end_by(signal);
            } else if (!learn(end, signal)) {
                const WatchSlot* const said = slot_with_reason();
                context_.err << fmt::format(
                    "parallax: {}, and skipping the current case would not help{}. What was "
                    "measured before has been kept.\n",
                    verdict_.empty() ? end + " ended the process that measured" : verdict_,
                    said ? fmt::format(" ({}: {})", said->name.data(), said->because.data()) : "");
                return has_kept_wrong_answer() ? exit_wrong : exit_failed;
            }
            next_.continues_run = true;
        }
    }

private:
    bool has_kept_wrong_answer() {
        bool found = false;
        read_results(journal_path(), [&](ResultEntry&& line, unsigned) {
            const auto* record = std::get_if<Record>(&line);
            found = found || (record && record->status == Status::wrong);
        });
        return found;
    }

    /// The path by which this process and its workers open the journal of results.
    std::string journal_path() { return fmt::format("/proc/self/fd/{}", journal_.file()); }

    /// Whether an end was requested: by a signal, or by a closed output. Hang-up and quit signals
    /// of a terminal would have ended this process, too.
    static bool is_asked_for(int signal) {
        if (signal != SIGPIPE) return signal == SIGINT || signal == SIGTERM;
        for (const int stream : {standard_files().out, standard_files().err}) {
            pollfd one{stream, POLLOUT, 0};
            if (poll(&one, 1, 0) > 0 && (one.revents & POLLERR)) return true;
        }
        return false;
    }

    /// @returns the worker's wait status; nothing in the worker itself
    std::optional<int> watch_one() {
        for (WatchSlot& slot : state_->slots) {
            slot.taken = false;
            slot.at = WatchSlot::At::nothing;
            slot.because[0] = '\0';
        }
        state_->budget_seconds = 0;
        verdict_.clear();
        guilty_.reset();
        is_memory_ = false;
        context_.out.flush();
        context_.err.flush();
        std::fflush(nullptr);
        const pid_t parent = getpid();
        child_ = fork();
        if (child_ < 0) throw Error(fmt::format("Cannot fork: {}.", std::strerror(errno)));
        if (child_ == 0) {
            become_measuring(parent);
            return {};
        }
        int status = 0;
        last_check_ = Clock::now();
        ages_.fill(0);
        while (true) {
            std::array<pollfd, 2> sources{{{signals_, POLLIN, 0}, {overheard_.file(), POLLIN, 0}}};
            poll(sources.data(), sources.size(), milliseconds_between_checks);
            signalfd_siginfo info{};
            const bool is_signal = read(signals_, &info, sizeof info) == sizeof info;
            if (is_signal && info.ssi_signo != SIGCHLD) hand_on_signal(info);
            const pid_t ended = waitpid(child_, &status, WNOHANG);
            const bool has_ended = ended == child_ || (ended < 0 && errno != EINTR);
            overheard_.hand_on(context_.err, has_ended);
            if (has_ended) return status;
            enforce_limits();
        }
    }

    void become_measuring(pid_t parent) {
        end_with(parent);
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
        overheard_.take_standard_streams();
        // When memory is short, the system shall kill the worker, and not its supervisor.
        std::ofstream("/proc/self/oom_score_adj") << 500;
        supervision() = next_;
        supervision().state = state_;
        // A compiler that this limit ends does not say why. The supervisor does, and comes first.
        constexpr double more_addresses = 0x1p30;
        compiler_limits().memory_bytes =
            static_cast<std::uint64_t>(limits_.memory_bytes + more_addresses);
        if (next_.one_at_a_time || next_.only_reports) context_.workers = 0;
        const std::string path = journal_path();
        std::vector<ResultEntry> lines;
        if (next_.continues_run) {
            read_results(path,
                         [&](ResultEntry&& line, unsigned) { lines.push_back(std::move(line)); });
        }
        context_.earlier = ResumeState(std::move(lines));
        writers_.go_on(path, context_.earlier);
        SanitizingStream::go_on(context_.out, state_->printed);
    }

    void hand_on_signal(const signalfd_siginfo& info) {
        const bool is_second = std::exchange(is_interrupted_, true);
        state_->is_interrupted = true;
        if (is_second) {
            kill(child_, SIGKILL);
            return;
        }
        interrupted_ = Clock::now();
        // A terminal sends it to both processes.
        if (info.ssi_code != SI_KERNEL) kill(child_, static_cast<int>(info.ssi_signo));
    }

    /// Kills the worker when a limit is exceeded.
    void enforce_limits() {
        const Clock::time_point now = Clock::now();
        // If this process was stopped (SIGSTOP), the worker was, too.
        const double passed = std::min(1.0, Seconds(now - std::exchange(last_check_, now)).count());
        if (is_interrupted_) {
            const double most = next_.only_reports ? most_to_end + most_to_show : most_to_end;
            if (Seconds(now - interrupted_).count() > most) kill(child_, SIGKILL);
            return;
        }
        for (std::size_t i = 0; i < ages_.size(); ++i) {
            const WatchSlot& slot = state_->slots[i];
            const WatchSlot::At at = slot.at;
            const bool is_waiting = at == WatchSlot::At::launch || at == WatchSlot::At::build;
            const bool goes_on =
                is_waiting && std::exchange(steps_seen_[i], slot.steps) == slot.steps;
            ages_[i] = goes_on ? ages_[i] + passed : 0;
            if (goes_on) judge(i, at);
        }
        const double bytes = bytes_of_all(child_, limits_.memory_bytes);
        if (bytes > limits_.memory_bytes) {
            is_memory_ = true;
            kill_because(fmt::format(
                "The process that measured was killed: it and its compilers had {:.1f} GiB of the "
                "host's memory (--memory allows {:.1f})",
                bytes / 0x1p30, limits_.memory_bytes / 0x1p30));
        }
    }

    void judge(std::size_t i, WatchSlot::At at) {
        const bool is_launch = at == WatchSlot::At::launch;
        const double most = limits_.launch_seconds
                                ? *limits_.launch_seconds * (is_launch ? 1 : build_factor)
                            : is_launch ? most_launch_seconds(state_->budget_seconds)
                                        : for_build.of(state_->budget_seconds);
        if (most == 0 || ages_[i] <= most) return;
        guilty_ = i;
        kill_because(fmt::format("{} had not ended after {:.3g} s, and its process was killed",
                                 is_launch ? "Its launch" : "Its compiler", ages_[i]));
    }

    void kill_because(std::string verdict) {
        verdict_ = std::move(verdict);
        kill(child_, SIGKILL);
    }

    /// @returns false: the last worker already skipped this step, and died of it all the same
    bool leave_out(const WatchSlot& slot, std::string reason) {
        const std::string name = slot.name.data();
        if (std::ranges::find(next_.deadly, name, &FatalStep::name) != next_.deadly.end())
            return false;
        const bool is_hang = guilty_ && slot.at == WatchSlot::At::launch;
        next_.deadly.push_back({name, std::move(reason), is_hang});
        return true;
    }

    const WatchSlot* slot_with_reason() const {
        const auto found = std::ranges::find_if(
            state_->slots, [](const WatchSlot& slot) { return slot.because[0] != '\0'; });
        return found == state_->slots.end() ? nullptr : &*found;
    }

    /// Determines what the next worker skips.
    /// @param end, signal  what ended the worker; 0: no signal
    /// @returns false: the next worker would repeat the same steps
    bool learn(const std::string& end, int signal) {
        if (const WatchSlot* said = slot_with_reason()) {
            // With several threads, the first to notice a corrupted device need not be the cause.
            const bool is_clear = next_.one_at_a_time || context_.workers == 0;
            next_.one_at_a_time |= !is_clear;
            return !is_clear || leave_out(*said, said->because.data());
        }
        std::vector<const WatchSlot*> suspects;
        for (const WatchSlot::At least : {WatchSlot::At::build, WatchSlot::At::step}) {
            if (!suspects.empty()) break;
            for (const WatchSlot& slot : state_->slots) {
                if (slot.at >= least && slot.name[0] != '\0') suspects.push_back(&slot);
            }
        }
        if (guilty_) suspects.assign(1, &state_->slots[*guilty_]);
        std::erase_if(suspects, [](const WatchSlot* slot) { return slot->name[0] == '\0'; });
        // The step that filled the memory may have ended already.
        const bool is_clear = next_.one_at_a_time || (suspects.size() == 1 && !is_memory_);
        // Remains set: an unclear case would be unclear again.
        next_.one_at_a_time |= !is_clear;
        if (!is_clear) return true;
        // A step may end before the kill that its memory led to: the next worker does the rest.
        if (suspects.empty()) return is_memory_ && !std::exchange(has_repeated_, true);
        if (verdict_.empty()) {
            verdict_ = fmt::format("{} ended the process that measured", end);
            if (signal == SIGKILL) verdict_ += ", as the system does when memory is short";
        }
        bool is_new = false;
        for (const WatchSlot* slot : suspects) {
            std::string reason = fmt::format("{} while {}.", verdict_, slot->doing.data());
            if (guilty_) {
                reason += slot->at == WatchSlot::At::launch
                              ? " A smaller size (-n) takes less, and --watchdog gives it longer."
                              : " --watchdog gives it longer.";
            }
            const bool is_of_kernel =
                (signal == SIGSEGV || signal == SIGBUS) && slot->at == WatchSlot::At::launch;
            if (is_of_kernel && !std::string_view(slot->name.data()).starts_with("host:1 ")) {
                reason +=
                    " So ends a kernel that touches memory outside of its buffers: 'run "
                    "--check -d host:1' names the line.";
            }
            is_new |= leave_out(*slot, std::move(reason));
        }
        return is_new;
    }

    int cut_off() {
        context_.err << "parallax: Interrupted.\n";
        return exit_interrupted;
    }

    [[noreturn]] void end_by(int signal) {
        std::signal(signal, SIG_DFL);
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
        raise(signal);
        _exit(128 + signal);
    }

    Limits limits_;
    ResultWriters& writers_;
    CommandContext& context_;
    WatchdogState* state_ = nullptr;
    MemoryFile journal_;
    StderrRelay overheard_;
    int signals_ = -1;  ///< a signalfd, open as long as the process
    sigset_t awaited_{}, before_{};
    Supervision next_{.begun = HostClock::now()};
    pid_t child_ = 0;
    bool is_interrupted_ = false;
    Clock::time_point interrupted_, last_check_;
    std::array<unsigned, std::tuple_size_v<decltype(WatchdogState::slots)>> steps_seen_{};
    std::array<double, std::tuple_size_v<decltype(WatchdogState::slots)>> ages_{};
    std::optional<std::size_t> guilty_;  ///< slot of the hanging launch or build
    bool is_memory_ = false, has_repeated_ = false;
    std::string verdict_;  ///< why the worker was killed
};

}  // namespace

double most_launch_seconds(double budget) {
    const double most = for_launch.of(budget);
    return budget > 0 ? std::min(most, std::max(budget, 2.0)) : most;
}

void add_watch_options(po::options_description_easy_init& add) {
    add("watchdog", settable<double>(),
        "seconds that one launch may take (a compiler five times as long) before the case is "
        "`failed` (default: a quarter of the budget, 10 to 60 and no more than all of it; for a "
        "compiler half of it, 15 to 300); 0: any");
    add("memory", settable<double>(),
        "GiB of the host's memory that measuring may take before the current case is `failed` "
        "(default: 90 % of the memory)");
}

int run_supervised(const Values& values, ResultWriters& writers, CommandContext& context,
                   const std::function<int()>& measure) {
    const Limits limits = limits_of(values);
    if (!context.is_apart) return measure();
    // Static, so that workers do not destroy it: they share its files.
    static std::optional<Supervisor> supervisor;
    const std::optional<int> code = supervisor.emplace(limits, writers, context).run();
    return code ? *code : measure();
}

int run_supervised(const Values& values, CommandContext& context,
                   const std::function<int()>& compile) {
    ResultWriters writers({}, "build", "-o");
    return run_supervised(values, writers, context, [&] {
        if (supervision().only_reports) throw Interrupted();
        return compile();
    });
}

void tell_exit_code(int code) {
    WatchdogState* const state = supervision().state;
    if (!state) return;
    state->code = code;
    state->has_ended = true;
}

}  // namespace parallax::cli
