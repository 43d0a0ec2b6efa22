// Opens the device, and verifies mutants with a time limit for the process.
#include "benchmarks/mutation/worker.hpp"

#include <csignal>
#include <fstream>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <sys/prctl.h>

#include "benchmarks/mutation/choose.hpp"
#include "benchmarks/mutation/reports.hpp"
#include "benchmarks/mutation/simulated_judge.hpp"
#include "benchmarks/mutation/tally.hpp"
#include "common/error.hpp"
#include "studies/mutation/deal.hpp"
#include "studies/mutation/mutant_judge.hpp"
#include "studies/mutation/work_apart.hpp"
#include "suites/case_words.hpp"
#include "suites/simulator.hpp"

namespace parallax {
namespace {

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
    const std::unique_ptr<Device> device =
        reports ? open_simulator() : entry_alone(backends(), word).open();
    ReferenceCache references{std::uint64_t{1} << 28};
    const Backend* const compiler = device_free_compiler(backends());
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
            one.end =
                reports
                    ? judge_simulated(
                          *device, suite, one.mutant, [&] { return reports->grew(); }, check_time)
                    : judge(*device, judged_cases(suite, one.mutant, device->info()), one.mutant,
                            references, check_time, compiler, what == Place::glance);
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
