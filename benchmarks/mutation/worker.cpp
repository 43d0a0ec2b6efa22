// Opens the device, and verifies mutants with a time limit for the process.
#include "benchmarks/mutation/worker.hpp"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/time.h>

#include "benchmarks/mutation/choose.hpp"
#include "benchmarks/mutation/deal.hpp"
#include "benchmarks/mutation/mutant_judge.hpp"
#include "benchmarks/mutation/reports.hpp"
#include "benchmarks/mutation/tally.hpp"
#include "common/device/devices.hpp"
#include "common/error.hpp"
#include "suites/case_words.hpp"
#include "suites/simulator.hpp"

namespace parallax {
namespace {

/// Opens a device of only the named backend: CUDA's driver occupies addresses that host:1's
/// sanitizers need, which then end the process.
std::unique_ptr<Device> open(const std::string& word) {
    const std::string_view backend = std::string_view(word).substr(0, word.find(':'));
    const auto all = backends();
    const auto own = std::ranges::find(all, backend, [](const auto& one) { return one->name(); });
    const Devices devices = find_devices({own, own == all.end() ? 0u : 1u});
    return matching(devices, word).front().open();
}

/// Limits one build or launch, which may never end, or wait for a device.
void limit_time(long seconds) {
    const itimerval processor{{0, 0}, {seconds, 0}}, wall{{0, 0}, {5 * seconds, 0}};
    setitimer(ITIMER_PROF, &processor, nullptr);
    setitimer(ITIMER_REAL, &wall, nullptr);
}

/// Appends a line to the list atomically, as other processes do. An error here is reported when the
/// whole list is written.
void add_line(const std::string& list, const Tried& one) {
    if (list.empty()) return;
    std::ofstream(list, std::ios::app) << list_of({&one, 1}) << std::flush;
}

}  // namespace

int judge_some(const std::string& word, long seconds, const std::string& list, int file) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // it ends with its parent
    const std::vector<Tried> all = all_mutants();
    std::optional<Reports> reports;
    if (word == simulator) reports.emplace();
    const std::unique_ptr<Device> device = reports ? open_simulator() : open(word);
    ReferenceCache references{std::uint64_t{1} << 28};
    const auto check_time = [&] { limit_time(seconds); };
    while (const auto place = next_place(file)) {
        Tried one = all.at(*place % all.size());
        const auto what = static_cast<Place>(*place / all.size());
        const bool is_control = what != Place::mutant;
        if (is_control) one.mutant.text = kernel_source(one.mutant.file);
        fmt::print("{}\n", *place);
        std::fflush(stdout);
        try {
            const Suite& suite = suite_named(one.suite);
            one.end = reports ? judge_simulated(
                                    *device, suite, one.mutant, [&] { return reports->grew(); },
                                    check_time)
                              : judge(*device, suite, one.mutant, references, check_time,
                                      what == Place::glance);
            fmt::print("{} {}\n", *place, name_of(one.end));
            std::fflush(stdout);
            one.device = word;
            if (!is_control) add_line(list, one);
            // Oclgrind reports at most a thousand errors per process.
            if (reports && one.end == End::wrong) return 1;
        } catch (const DeviceError& error) {
            fmt::print(stderr, "{}\n", error.what());
            return 1;
        }
    }
    return 0;
}

}  // namespace parallax
