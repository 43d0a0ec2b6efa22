// Runs a plan with its outputs overwritten before each run, and without.
#include "measure/finished_work.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/profile.hpp"

namespace parallax {
namespace {

/// Device time of the runs that are compared, and how many they are at most.
constexpr double enough_seconds = 1e-3;
constexpr double most_runs_tried = 200;
/// Overwriting an output takes it into a cache, or something else out of it, and ends a launch's
/// overlap with the next: so much is nobody's fault.
constexpr double most_times = 3, slack_seconds = 2e-5;
/// What another program does in between passes; what a kernel does stays.
constexpr unsigned most_tries = 12;

}  // namespace

std::string left_out_work(Binding& binding, double run_seconds) {
    if (!(run_seconds > 0) || !binding.can_be_overwritten()) return {};
    const InPhase phase(Phase::gate);
    const auto repeats =
        static_cast<unsigned>(std::clamp(enough_seconds / run_seconds, 1.0, most_runs_tried));
    double times = 0;
    for (unsigned i = 0; i < most_tries; ++i) {
        const double found_done = binding.run(repeats, 1).device / repeats;
        const double overwritten = binding.run_overwritten(repeats, i);
        if (overwritten <= most_times * found_done + slack_seconds) return {};
        times = overwritten / found_done;
    }
    return fmt::format(
        "It takes {:.3g} times as long when its outputs are overwritten before each run as when it "
        "finds the answers there: it leaves out what is done already, and its speed cannot be "
        "told.",
        times);
}

}  // namespace parallax
