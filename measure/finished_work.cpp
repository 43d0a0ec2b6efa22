// Runs a plan with its outputs overwritten before each run, and without.
#include "measure/finished_work.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "common/profile.hpp"
#include "measure/gate.hpp"

namespace parallax {
namespace {

/// Device time of the runs that are compared, and how many they are at most.
constexpr double enough_seconds = 1e-3;
constexpr double most_runs_tried = 200;
/// Overwriting an output takes it into a cache, or something else out of it, and ends a launch's
/// overlap with the next: so much is nobody's fault.
constexpr double most_times = 3, slack_seconds = 2e-5;
/// What another program does in between passes; what a kernel does stays. Each try has half as
/// many runs as the one before: on a busy processor, short ones are left alone at times. There are
/// so many tries at least, and more until their runs have taken so many seconds.
constexpr unsigned least_tries = 12, most_tries = 200;
constexpr double seconds_of_tries = 2;

/// How many times as long a run takes that has its work to do; none: not several times as long.
/// @param inputs  restored before each run; empty: left as they are
std::optional<double> times_as_long(Binding& binding, double run_seconds,
                                    const std::vector<std::shared_ptr<Memory>>& inputs) {
    if (!(run_seconds > 0)) return {};
    const InPhase phase(Phase::gate);
    // One run first: it may need a thousand times the time.
    const double once = binding.run_overwritten(1, most_tries, inputs);
    const auto repeats_at_first = static_cast<unsigned>(
        std::clamp(enough_seconds / std::max(run_seconds, once), 1.0, most_runs_tried));
    double times = 0, spent = 0;
    for (unsigned i = 0; i < least_tries || (i < most_tries && spent < seconds_of_tries); ++i) {
        const unsigned repeats = std::max(1u, repeats_at_first >> std::min(i, 31u));
        // One that needs some launches to be done is quick in the time that is reported alone.
        const double found_done = std::min(binding.run(repeats, 1).device / repeats, run_seconds);
        const double overwritten = binding.run_overwritten(repeats, i, inputs);
        if (overwritten <= most_times * found_done + slack_seconds) return {};
        times = overwritten / found_done;
        spent += overwritten * repeats;
    }
    return times;
}

}  // namespace

std::string left_out_work(Binding& binding, double run_seconds) {
    if (!binding.can_be_overwritten()) return {};
    const std::optional<double> times = times_as_long(binding, run_seconds, {});
    if (!times) return {};
    return fmt::format(
        "It takes {:.3g} times as long when its outputs are overwritten before each run as when it "
        "finds the answers there: it leaves out what is done already, and its speed cannot be "
        "told.",
        *times);
}

std::string found_its_work_done(Binding& binding, double run_seconds,
                                const std::vector<std::shared_ptr<Memory>>& inputs) {
    if (!binding.changes_its_inputs() || !binding.can_be_restored()) return {};
    const std::optional<double> times = times_as_long(binding, run_seconds, inputs);
    if (!times) return {};
    return fmt::format(
        "{}a run takes {:.3g} times as long on the inputs that it is given as on what runs before "
        "it leave there. The time is that of a run which finds its work done.",
        suspicion, *times);
}

}  // namespace parallax
