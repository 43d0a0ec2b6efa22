// Finds one device, and limits the time of a process.
#include "studies/mutation/work_apart.hpp"

#include <algorithm>
#include <csignal>

#include <sys/time.h>
#include <unistd.h>

#include "studies/mutation/deal.hpp"

namespace parallax {

Entry entry_alone(std::span<const std::unique_ptr<Backend>> backends, std::string_view word) {
    const std::string_view backend = word.substr(0, word.find(':'));
    const auto own =
        std::ranges::find_if(backends, [&](const auto& one) { return one->name() == backend; });
    const Devices devices = find_devices(backends.subspan(
        static_cast<std::size_t>(own - backends.begin()), own == backends.end() ? 0U : 1U));
    return matching(devices, word).front();
}

namespace {

void end_late(int) {
    // On a line of their own.
    for (const std::string_view one : {std::string_view("\n"), late_words, std::string_view("\n")})
        [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, one.data(), one.size());
    _exit(exit_late);
}

}  // namespace

void limit_time(long seconds) {
    std::signal(SIGPROF, end_late);
    std::signal(SIGALRM, end_late);
    const itimerval processor{{0, 0}, {seconds, 0}}, wall{{0, 0}, {5 * seconds, 0}};
    setitimer(ITIMER_PROF, &processor, nullptr);
    setitimer(ITIMER_REAL, &wall, nullptr);
}

}  // namespace parallax
