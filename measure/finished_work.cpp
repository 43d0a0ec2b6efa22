// Compares runs with outputs overwritten before each run with runs without that.
#include "measure/finished_work.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "common/profile.hpp"
#include "measure/telemetry.hpp"
#include "measure/verification.hpp"
#include "records/record.hpp"

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

    void add(double ratio) {
        times = ratio;
        least = std::min(least, ratio);
        most = std::max(most, ratio);
    }
    void note_others(const Binding& binding, const OthersUse& use) {
        others = use.share();
        is_shared = device_state(binding.device_info()).other_processes.value_or(0) > 0;
    }

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

/// Empty: in at least one try a run after a reset takes about as long as one without.
/// @param reset  returns the seconds per run of `repeats` runs, each after a reset; `which` counts
/// calls
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
        tries.add(overwritten / found_done);
        binding.run(as_timed, 1);  // after several launches there is no work left
        const double again = binding.run(as_timed, 1).device / as_timed;
        tries.slowed = std::max(tries.slowed, again / timed.run_seconds);
        spent += overwritten * repeats + 2 * again * as_timed;
    }
    tries.note_others(binding, others);
    return tries;
}

/// @param restore  as for Binding::run_overwritten
std::optional<Tries> times_overwritten(Binding& binding, const TimedBatch& timed,
                                       std::span<const Command> restore) {
    return times_as_long(
        binding, timed,
        [&](unsigned repeats, unsigned which) {
            return binding.run_overwritten(repeats, which, restore);
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

/// The doubt that what is timed finds its work done.
Doubt consumed_inputs(const Tries& tries) {
    const std::string why = tries.doubt();
    return Doubt{
        DoubtKind::consumed_inputs,
        fmt::format("a run takes {:.3g} times as long on the inputs that it is given as on what "
                    "runs before it leave there. {}",
                    tries.times,
                    why.empty() ? "The time is that of a run which finds its work done."
                                : fmt::format("But {}.", why))};
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

std::optional<Doubt> reuses_previous_output(Binding& binding, const TimedBatch& timed,
                                            std::span<const Command> restore) {
    if (!binding.changes_its_inputs() || !binding.can_be_restored() || restore.empty()) return {};
    const std::optional<Tries> tries = times_overwritten(binding, timed, restore);
    if (!tries) return {};
    return consumed_inputs(*tries);
}

namespace {

/// More launches than a kernel could cache results of. Of long launches, the number that fits into
/// this time: each has inputs that no earlier one had.
constexpr unsigned launches_on_new_inputs = 66, least_launches_on_new_inputs = 3;
constexpr double most_seconds_on_new_inputs = 1;
/// Launches that write inputs and nothing else, to know what that takes.
constexpr unsigned launches_that_write = 16;
/// A run that takes up to the first times a timed one is as fast, and needs no comparison. From the
/// second on it does more work.
constexpr double as_fast = 1.2, more_work = 1.3;
/// A kernel with a run that takes this many times as long as a timed one is wrong, not doubtful.
constexpr double surely_more = 3;
/// Tries that must agree, and seconds after which no more are made.
constexpr unsigned agreeing_tries = 8, fewest_agreeing_tries = 5;
constexpr double seconds_of_agreeing_tries = 2;

class NewInputs {
public:
    NewInputs(Binding& binding, TimedInputs& inputs, const TimedBatch& timed, bool rotated)
        : binding_(binding), inputs_(inputs), timed_(timed), rotated_(rotated) {
        // One alone first: it may take a thousand times as long.
        std::vector<Command> one = writes(fresh_key());
        std::ranges::copy(binding_.commands(), std::back_inserter(one));
        const double once = std::max(timed.run_seconds, binding_.device().run(one).device);
        launches_ = static_cast<unsigned>(std::clamp(most_seconds_on_new_inputs / once,
                                                     double{least_launches_on_new_inputs},
                                                     double{launches_on_new_inputs}));
    }

    /// Seconds of one launch and of writing its inputs, after as many launches on one set as were
    /// timed at once: a kernel may need them to remember it.
    double seconds_of(bool is_new) {
        std::uint64_t key = fresh_key();
        binding_.device().run(writes(key));
        binding_.run(std::max(1u, timed_.repeats));
        std::vector<Command> all;
        for (unsigned i = 0; i < launches_; ++i) {
            if (is_new) key = fresh_key();
            std::ranges::move(writes(key), std::back_inserter(all));
            std::ranges::copy(binding_.commands(), std::back_inserter(all));
        }
        const double seconds = binding_.device().run(all).device;
        spent_ += seconds;
        return seconds / launches_;
    }
    /// Seconds of one launch alone, of as many: a sequence of short ones takes as long as the host
    /// needs to ask for them, whatever they do.
    double seconds_alone(bool is_new) {
        std::uint64_t key = fresh_key();
        binding_.device().run(writes(key));
        binding_.run(std::max(1u, timed_.repeats));
        double seconds = 0;
        for (unsigned i = 0; i < launches_; ++i) {
            if (is_new) key = fresh_key();
            binding_.device().run(writes(key));
            seconds += binding_.run(1).device;
        }
        spent_ += seconds;
        return seconds / launches_;
    }
    double seconds_to_write() {
        std::vector<Command> all;
        const unsigned count = std::min(launches_, launches_that_write);
        for (unsigned i = 0; i < count; ++i) {
            std::ranges::move(writes(fresh_key()), std::back_inserter(all));
        }
        return binding_.device().run(all).device / count;
    }
    double spent() const { return spent_; }

private:
    std::vector<Command> writes(std::uint64_t key) {
        return inputs_.writes(binding_, key, false, rotated_);
    }

    Binding& binding_;
    TimedInputs& inputs_;
    const TimedBatch& timed_;
    bool rotated_;
    unsigned launches_ = 1;
    double spent_ = 0;
};

/// @param rotated  as for TimedInputs::writes(): the placement of elements may change a run's time,
/// too
Remembering remembers(Binding& binding, TimedInputs& inputs, const TimedBatch& timed,
                      bool rotated) {
    const InPhase phase(Phase::verification);
    const OthersUse others(binding.device_info());
    NewInputs launches(binding, inputs, timed, rotated);
    const double run = timed.run_seconds;
    // Where writing takes longer than the run, the difference says little of the run.
    const double to_write = launches.seconds_to_write();
    const bool is_short = to_write > run;
    // On a CPU the time of one launch depends more on other processes than on the kernel.
    const bool is_gpu = binding.device_info().is_gpu;
    if (!is_short && launches.seconds_of(true) - to_write <= as_fast * run) return {};
    const double knows_from = rotated ? surely_more : more_work;
    Tries on_new, on_restored;
    const auto knows = [&] { return on_new.least >= knows_from; };
    const auto uses_up = [&] {
        return binding.changes_its_inputs() && on_restored.least >= more_work;
    };
    double slowed = 0;
    for (unsigned i = 0; i < agreeing_tries; ++i) {
        if (i >= fewest_agreeing_tries && launches.spent() > seconds_of_agreeing_tries) break;
        std::array<double, 2> seconds{}, alone{};
        for (const bool is_new : {i % 2 == 0, i % 2 != 0}) {
            seconds.at(is_new) = launches.seconds_of(is_new);
            if (is_short && is_gpu) alone.at(is_new) = launches.seconds_alone(is_new);
        }
        // On inputs that stay, once it may know them.
        const unsigned as_timed = std::max(1u, timed.repeats);
        binding.run(as_timed);
        slowed = std::max(slowed, binding.run(as_timed, 1).device / as_timed / run);
        on_new.add(1 + std::max(seconds[1] - seconds[0], alone[1] - alone[0]) / run);
        on_restored.add((seconds[0] - launches.seconds_to_write()) / run);
        if (!knows() && !uses_up()) return {};
    }
    Tries& tries = knows() ? on_new : on_restored;
    tries.slowed = slowed;
    tries.note_others(binding, others);
    Remembering found;
    if (!knows()) {
        if (tries.doubt().empty() || tries.least >= surely_more)
            found.consumed = consumed_inputs(tries);
        return found;
    }
    const std::string why = tries.doubt();
    const std::string seen = fmt::format(
        "t takes {:.3g} times as long on inputs that it never had as on those that it had just "
        "before",
        tries.times);
    if (tries.least >= surely_more) {
        found.skipped = skipped_work(tries, seen, "it knows inputs that it had before");
    } else if (why.empty()) {
        found.skipped.doubt =
            Doubt{DoubtKind::skipped_work,
                  fmt::format("i{}: does it know inputs that it had before?", seen)};
    } else {
        found.untold = fmt::format(
            "Whether it knows inputs that it had before: i{}; but {}. Measure it again on a quiet "
            "device.",
            seen, why);
    }
    return found;
}

void note_what_stays(const TimedInputs& inputs, Outcome& o) {
    if (!inputs.by_batch() && draws_again(o.the_case)) {
        o.checked->untold.emplace_back(
            "Whether it knows inputs that it had before: the device does not make them, since some "
            "are images or in the host's memory, or since it has no double precision.");
    }
    for (const std::string& name :
         inputs.vary() ? inputs.kept_names() : std::vector<std::string>()) {
        o.checked->untold.push_back(
            fmt::format("Other data in '{}': a file or a formula holds them.", name));
    }
}

}  // namespace

Remembering remembers_inputs(Binding& binding, TimedInputs& inputs, const TimedBatch& timed) {
    Remembering found;
    if (!inputs.by_batch() || !(timed.run_seconds > 0)) return found;
    if (inputs.vary() || binding.changes_its_inputs())
        found = remembers(binding, inputs, timed, false);
    const bool is_quiet = found.skipped.wrong.empty() && !found.skipped.doubt && !found.consumed;
    if (is_quiet && inputs.may_rotate()) {
        Remembering more = remembers(binding, inputs, timed, true);
        if (!more.skipped.wrong.empty()) {
            more.skipped.doubt = Doubt{DoubtKind::skipped_work, std::move(more.skipped.wrong)};
            more.skipped.wrong.clear();
        }
        return more;
    }
    return found;
}

void look_for_skipped_work(Binding& binding, TimedInputs& inputs, const TimedBatch& timed,
                           std::uint64_t key, Outcome& o) {
    SkippedWork skipped = skips_finished_work(binding, timed);
    const bool is_clean = skipped.wrong.empty() && !skipped.doubt;
    if (is_clean && inputs.by_batch()) {
        Remembering found = remembers_inputs(binding, inputs, timed);
        skipped = std::move(found.skipped);
        if (found.consumed) o.doubts.push_back(*std::move(found.consumed));
        if (!found.untold.empty()) o.checked->untold.push_back(std::move(found.untold));
    } else if (skipped.wrong.empty() && binding.changes_its_inputs()) {
        if (!binding.can_be_restored()) {
            o.notes.emplace_back(
                "It changes an input that cannot be restored, for example an image: it was not "
                "tested whether a run finds its work done.");
        } else if (auto doubt =
                       reuses_previous_output(binding, timed, inputs.writes(binding, key, true))) {
            o.doubts.push_back(*std::move(doubt));
        }
    }
    note_what_stays(inputs, o);
    if (skipped.doubt) o.doubts.push_back(*std::move(skipped.doubt));
    if (!skipped.wrong.empty() && o.checked->right()) {
        o.checked->failure = Failure{o.the_case.shape.extents, inputs.pattern(key).name,
                                     inputs.seed(key), std::move(skipped.wrong)};
    }
}

}  // namespace parallax
