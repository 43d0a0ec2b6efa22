// Finds one device, and limits the time of a process.
#include "studies/mutation/work_apart.hpp"

#include <algorithm>

#include <sys/time.h>

namespace parallax {

Entry entry_alone(std::span<const std::unique_ptr<Backend>> backends, std::string_view word) {
    const std::string_view backend = word.substr(0, word.find(':'));
    const auto own =
        std::ranges::find_if(backends, [&](const auto& one) { return one->name() == backend; });
    const Devices devices = find_devices(backends.subspan(
        static_cast<std::size_t>(own - backends.begin()), own == backends.end() ? 0U : 1U));
    return matching(devices, word).front();
}

void limit_time(long seconds) {
    const itimerval processor{{0, 0}, {seconds, 0}}, wall{{0, 0}, {5 * seconds, 0}};
    setitimer(ITIMER_PROF, &processor, nullptr);
    setitimer(ITIMER_REAL, &wall, nullptr);
}

}  // namespace parallax
