// Distributes work to processes by the shared position of one open file.
#include "studies/mutation/deal.hpp"

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <unistd.h>

#include "common/error.hpp"
#include "common/process/child.hpp"
#include "common/process/parallel.hpp"
#include "common/text/text.hpp"
#include "common/text/text_lines.hpp"

namespace parallax {
namespace {

using Clock = std::chrono::steady_clock;

/// Without a requested limit: the workers have shorter limits of their own.
constexpr std::chrono::hours most_for_all{24};

/// The last words of a process that limit_time() ended.
constexpr std::string_view late_words = "it takes too long";

/// Whether it is stopped is asked this often.
constexpr std::chrono::milliseconds between_questions{50};

/// An anonymous file. Linux serialises position updates of regular files, but not of those from
/// memfd_create().
int nameless_file() {
    const int made = ::memfd_create("places", 0);
    if (made < 0) return made;
    const int opened = ::open(fmt::format("/proc/self/fd/{}", made).c_str(), O_RDWR);
    ::close(made);
    return opened;
}

/// The remaining places. Reading moves the file position that all processes share.
class Heap {
public:
    explicit Heap(std::span<const std::size_t> places) : file_(nameless_file()) {
        std::vector<std::uint32_t> words(places.begin(), places.end());
        const std::size_t bytes = words.size() * sizeof words[0];
        if (file_ < 0 || ::write(file_, words.data(), bytes) != static_cast<ssize_t>(bytes) ||
            ::lseek(file_, 0, SEEK_SET) != 0) {
            throw Error(
                fmt::format("No file for the places can be made: {}.", std::strerror(errno)));
        }
    }
    Heap(const Heap&) = delete;
    Heap& operator=(const Heap&) = delete;
    ~Heap() { ::close(file_); }

    int file() const { return file_; }
    void take_all_away() const {
        if (::ftruncate(file_, 0) != 0) std::terminate();
    }

private:
    int file_;
};

/// The results that one process printed. @return the place at which it died
std::optional<std::size_t> read_results(const std::string& out,
                                        std::map<std::size_t, std::string>& results) {
    std::optional<std::size_t> begun;
    for (const std::string_view line : lines_of(out)) {
        const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
        if (digits == 0 || digits > 9) continue;
        const std::size_t place = std::stoul(std::string(line.substr(0, digits)));
        if (digits == line.size()) {
            begun = place;
        } else if (line[digits] == ' ' && begun == place) {
            results[place] = line.substr(digits + 1);
            begun.reset();
        }
    }
    return begun;
}

/// The last output of a process that ended at a place, or how it ended.
std::string end_of(const ProcessResult& one) {
    const std::vector<std::string_view> said = lines_of(one.err);
    const auto last = std::ranges::find_if(said.rbegin(), said.rend(),
                                           [](std::string_view line) { return !line.empty(); });
    if (last != said.rend()) return printable(*last, 300);
    return one.exit_code < 0 ? "a signal ended it" : fmt::format("exit code {}", one.exit_code);
}

void end_late(int) {
    // On a line of their own.
    for (const std::string_view one : {std::string_view("\n"), late_words, std::string_view("\n")})
        [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, one.data(), one.size());
    _exit(exit_late);
}

}  // namespace

std::vector<std::string> deal(const std::filesystem::path& program,
                              const std::vector<std::string>& words,
                              std::span<const std::size_t> places, unsigned jobs,
                              std::optional<Clock::time_point> until,
                              std::chrono::milliseconds after,
                              const std::function<bool()>& is_stopped) {
    if (places.empty() || (until && *until <= Clock::now()))
        return std::vector<std::string>(places.size());
    const Heap heap(places);
    std::mutex mutex;
    std::condition_variable_any ended;
    std::map<std::size_t, std::string> results;
    std::exception_ptr error;

    /// Adds results. @return how the process ended, and the place at which it died
    const auto run = [&](const Heap& from, std::map<std::size_t, std::string>& own) {
        const auto limit =
            until && *until < Clock::now() + most_for_all
                ? std::chrono::ceil<std::chrono::milliseconds>(*until - Clock::now()) + after
                : most_for_all;
        std::vector<std::string> all = words;
        all.push_back(std::to_string(from.file()));
        ProcessResult one = run_program(program, all, limit);
        std::optional<std::size_t> died = read_results(one.out, own);
        if (!one.in_time) died.reset();
        if (died) own[*died] = "died: " + end_of(one);
        return std::pair(std::move(one), died);
    };
    const auto work = [&] {
        for (bool goes_on = true; goes_on;) {
            std::map<std::size_t, std::string> own;
            const auto [one, died] = run(heap, own);
            if (died && own.size() > 1 && one.exit_code != exit_late) run(Heap({&*died, 1}), own);
            const std::scoped_lock lock(mutex);
            for (auto& [place, result] : own) results[place] = std::move(result);
            goes_on = one.in_time && !one.ok() && !error;
            if (!goes_on || (one.exit_code != 2 && !own.empty())) continue;
            error = std::make_exception_ptr(
                Error(one.err.empty() ? "A process ended before it tried a mutant." : one.err));
            heap.take_all_away();
            goes_on = false;
        }
    };
    {
        std::jthread watch;
        if (until || is_stopped) {
            watch = std::jthread([&](const std::stop_token& stop) {
                std::unique_lock lock(mutex);
                while (!(until && *until <= Clock::now()) && !(is_stopped && is_stopped()) &&
                       !stop.stop_requested()) {
                    ended.wait_for(lock, stop, between_questions, [] { return false; });
                }
                if (!stop.stop_requested()) heap.take_all_away();
            });
        }
        std::vector<std::jthread> workers;
        for (std::size_t i = 0; i < std::min<std::size_t>(std::max(1u, jobs), places.size()); ++i)
            workers.emplace_back(work);
    }
    if (error) std::rethrow_exception(error);
    std::vector<std::string> in_order;
    for (const std::size_t place : places) in_order.push_back(results[place]);
    return in_order;
}

void share_cores(unsigned jobs) {
    setenv("POCL_MAX_PTHREAD_COUNT", std::to_string(std::max(1u, usable_cores() / jobs)).c_str(),
           0);
}

bool is_late(std::string_view result) {
    return result.starts_with("died: ") && result.ends_with(late_words);
}

void limit_time(long seconds) {
    std::signal(SIGPROF, end_late);
    std::signal(SIGALRM, end_late);
    const itimerval processor{{0, 0}, {seconds, 0}}, wall{{0, 0}, {5 * seconds, 0}};
    setitimer(ITIMER_PROF, &processor, nullptr);
    setitimer(ITIMER_REAL, &wall, nullptr);
}

int work_off(int file, long seconds, const std::function<std::string(std::size_t)>& result_of) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // it ends with its parent
    std::uint32_t place = 0;
    while (::read(file, &place, sizeof place) == sizeof place) {
        fmt::print("{}\n", place);
        std::fflush(stdout);
        try {
            limit_time(seconds);
            fmt::print("{} {}\n", place, result_of(place));
            std::fflush(stdout);
        } catch (const DeviceError& error) {
            fmt::print(stderr, "{}\n", error.what());
            return 1;
        }
    }
    return 0;
}

Entry entry_alone(std::span<const std::unique_ptr<Backend>> backends, std::string_view word) {
    const std::string_view backend = word.substr(0, word.find(':'));
    const auto own =
        std::ranges::find_if(backends, [&](const auto& one) { return one->name() == backend; });
    const Devices devices = find_devices(backends.subspan(
        static_cast<std::size_t>(own - backends.begin()), own == backends.end() ? 0U : 1U));
    return matching(devices, word).front();
}

}  // namespace parallax
