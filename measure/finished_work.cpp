// Compares runs with outputs overwritten before each run with runs without that.
#include "measure/finished_work.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "common/profile.hpp"
#include "measure/telemetry.hpp"
#include "measure/verification.hpp"
#include "records/others_use.hpp"

namespace parallax {
namespace {

/// Device time of the compared runs, and their maximum number.
constexpr double enough_seconds = 1e-3;
constexpr double most_runs_tried = 200;
/// Overwriting an output changes the cache contents and ends the overlap of launches: a difference
/// up to this is no fault of the kernel.
constexpr double most_times = 3, slack_seconds = 2e-5;
/// Disturbance by other programs passes; the kernel's behaviour stays. Each try has half as many
/// runs as the previous one: on a busy processor, short tries are sometimes undisturbed. At least
/// this many tries are made, and more until their runs have taken this many seconds.
constexpr unsigned least_tries = 12, most_tries = 200;
constexpr double seconds_of_tries = 2;
/// Tries that differ by more than this factor, or batches slower than timed by more than this
/// factor, show a disturbance.
constexpr double most_apart = 3, most_slowed = 1.5;

/// Tries in all of which overwritten runs took several times as long.
struct Tries {
    double times = 0;                                                  ///< ratio of the last try
    double least = std::numeric_limits<double>::infinity(), most = 0;  ///< over all tries
    double slowed = 0;             ///< largest ratio of a batch's time to its timed duration
    std::optional<double> others;  ///< share of the device that others used

    bool is_shared = false;  ///< other processes use the device

    /// Why the times are inconclusive: the end of a sentence; empty: they are conclusive.
    std::string doubt() const {
        if (others.value_or(0) > others_noticed) {
            return fmt::format("others used {:.0f} % of the device meanwhile", 100 * *others);
        }
        if (!others && is_shared) {
            return "other processes hold the device, and what they use of it is not known";
        }
        if (slowed > most_slowed) {
            return fmt::format(
                "its batches took up to {:.2g} times as long as when they were timed", slowed);
        }
        if (most > most_apart * least) {
            return fmt::format("repeated, that is {:.3g} to {:.3g} times", least, most);
        }
        return {};
    }
};

bool is_as_fast(double seconds, double other) {
    return seconds <= most_times * other + slack_seconds;
}

/// Empty: in at least one try a run after a reset does not take several times as long.
/// @param reset  returns seconds of one of so many runs, each after a reset; `which` counts calls
/// @param kept  the same without it
std::optional<Tries> times_as_long(
    Binding& binding, const TimedBatch& timed,
    const std::function<double(unsigned repeats, unsigned which)>& reset,
    const std::function<double(unsigned repeats)>& kept) {
    if (!(timed.run_seconds > 0)) return {};
    const InPhase phase(Phase::verification);
    const OthersUse others(binding.device_info());
    // One run first: it may take a thousand times as long. Where one is a try, it is the first try.
    const double once = timed.run_seconds < enough_seconds ? reset(1, most_tries) : 0;
    const auto repeats_at_first = static_cast<unsigned>(
        std::clamp(enough_seconds / std::max(timed.run_seconds, once), 1.0, most_runs_tried));
    const unsigned as_timed = std::max(1u, timed.repeats);
    Tries tries;
    double spent = 0;
    for (unsigned i = 0; i < least_tries || (i < most_tries && spent < seconds_of_tries); ++i) {
        const unsigned repeats = std::max(1u, repeats_at_first >> std::min(i, 31u));
        const double found_done = kept(repeats);
        const double overwritten = reset(repeats, i);
        if (is_as_fast(overwritten, found_done)) return {};
        tries.times = overwritten / found_done;
        tries.least = std::min(tries.least, tries.times);
        tries.most = std::max(tries.most, tries.times);
        binding.run(as_timed, 1);  // after several launches there is no work left
        const double again = binding.run(as_timed, 1).device / as_timed;
        tries.slowed = std::max(tries.slowed, again / timed.run_seconds);
        spent += overwritten * repeats + 2 * again * as_timed;
    }
    tries.others = others.share();
    tries.is_shared = device_state(binding.device_info()).other_processes.value_or(0) > 0;
    return tries;
}

/// @param inputs  restored before each run; empty: left as they are
std::optional<Tries> times_overwritten(Binding& binding, const TimedBatch& timed,
                                       const std::vector<std::shared_ptr<Memory>>& inputs) {
    return times_as_long(
        binding, timed,
        [&](unsigned repeats, unsigned which) {
            return binding.run_overwritten(repeats, which, inputs);
        },
        [&](unsigned repeats) {
            // A kernel that needs several launches for its work is fast only in the reported time.
            const unsigned lead_in = repeats > 1 ? 1 : 0;
            return std::min(binding.run(repeats, lead_in).device / repeats, timed.run_seconds);
        });
}

/// @param seen  without its first letter, a capital or not
SkippedWork skipped_work(const Tries& tries, std::string_view seen, std::string_view therefore) {
    if (const std::string why = tries.doubt(); !why.empty()) {
        return {.wrong = {},
                .doubt = Doubt{
                    DoubtKind::skipped_work,
                    fmt::format("i{}; but {}. Measure it again on a quiet device.", seen, why)}};
    }
    return {.wrong = fmt::format("I{}: {}, and its speed cannot be told.", seen, therefore),
            .doubt = {}};
}

}  // namespace

SkippedWork skips_finished_work(Binding& binding, const TimedBatch& timed) {
    if (!binding.can_be_overwritten()) return {};
    const std::optional<Tries> tries = times_overwritten(binding, timed, {});
    if (!tries) return {};
    return skipped_work(
        *tries,
        fmt::format("t takes {:.3g} times as long when its outputs are overwritten before each run "
                    "as when it finds the answers there",
                    tries->times),
        "it leaves out what is done already");
}

SkippedWork knows_its_inputs(Binding& binding, const TimedBatch& timed,
                             const std::vector<std::shared_ptr<Memory>>& others,
                             const std::vector<std::shared_ptr<Memory>>& inputs) {
    // One that changes its inputs finds them used up where they are not restored.
    if (!binding.can_be_changed() || binding.changes_its_inputs()) return {};
    const double once = binding.seconds_changing(others, inputs, 1);
    if (is_as_fast(once, timed.run_seconds)) return {};
    const std::optional<Tries> tries = times_as_long(
        binding, timed,
        [&](unsigned repeats, unsigned) {
            return binding.seconds_changing(others, inputs, (repeats + 1) / 2);
        },
        // Its work may depend on the inputs.
        [&](unsigned repeats) {
            const double on_others = binding.seconds_on(others, repeats);
            return std::max(on_others, binding.seconds_on(inputs, repeats));
        });
    if (!tries) return {};
    return skipped_work(
        *tries,
        fmt::format("t takes {:.3g} times as long when its inputs change before each run as when "
                    "they stay",
                    tries->times),
        "it knows inputs that it had before");
}

std::optional<Doubt> reuses_previous_output(Binding& binding, const TimedBatch& timed,
                                            const std::vector<std::shared_ptr<Memory>>& inputs) {
    if (!binding.changes_its_inputs() || !binding.can_be_restored()) return {};
    const std::optional<Tries> tries = times_overwritten(binding, timed, inputs);
    if (!tries) return {};
    const std::string why = tries->doubt();
    return Doubt{
        DoubtKind::consumed_inputs,
        fmt::format("a run takes {:.3g} times as long on the inputs that it is given as on what "
                    "runs before it leave there. {}",
                    tries->times,
                    why.empty() ? "The time is that of a run which finds its work done."
                                : fmt::format("But {}.", why))};
}

}  // namespace parallax
