// Measures batches in rounds until the stopping rule is met.
#include "measure/timing_loop.hpp"

#include <algorithm>
#include <cmath>

#include "common/error.hpp"
#include "common/host_clock.hpp"
#include "common/profile.hpp"

namespace parallax {
namespace {

/// Maximum number of runs in a batch: a queue has to hold them all.
constexpr double most_repeats = 20000;

/// Number of runs in a batch that lasts long by the host's timer, for devices whose timer shows no
/// time.
constexpr unsigned runs_that_last = 10;
constexpr double times_long_enough = 10;

[[noreturn]] void stood_still() {
    throw DeviceError("The device's clock stood still over a batch of commands.");
}

}  // namespace

unsigned repeats_to_fill(double batch_seconds, const Runnable& run, unsigned repeats,
                         const std::function<bool()>& enough) {
    run(1);
    while (true) {
        const Elapsed elapsed = run(repeats);
        const double seconds = elapsed.device;
        if (seconds >= batch_seconds || repeats >= most_repeats || (enough && enough())) {
            return repeats;
        }
        if (!(seconds > 0) && repeats >= runs_that_last &&
            elapsed.host > times_long_enough * batch_seconds)
            stood_still();
        // A tenth longer than needed, so that the next try is nearly always the last.
        const double wanted =
            seconds > 0 ? 1.1 * repeats * batch_seconds / seconds : 10.0 * repeats;
        repeats = static_cast<unsigned>(
            std::clamp(std::ceil(wanted), repeats + 1.0, std::min(most_repeats, repeats * 100.0)));
    }
}

Timing measure(const std::function<Runnable(unsigned round)>& make, const StoppingRule& rule,
               const std::function<void()>& check_interrupt) {
    Timing timing;
    for (unsigned round = 0; round < rule.rounds; ++round) {
        if (check_interrupt) check_interrupt();
        const Runnable run = make(round);
        const HostClock::time_point start = HostClock::now();
        const auto is_late = [&] { return seconds_since(start) > rule.most_seconds / rule.rounds; };
        const InPhase phase(Phase::timing);
        const unsigned repeats = repeats_to_fill(rule.batch_seconds, run, 1, is_late);
        timing.repeats.push_back(repeats);
        const auto share = [&](unsigned of) {
            return (of * (round + 1) + rule.rounds - 1) / rule.rounds;
        };
        while (true) {
            if (check_interrupt) check_interrupt();
            const Elapsed elapsed = run(repeats);
            if (!(elapsed.device > 0)) stood_still();
            timing.samples.push_back(elapsed.device / repeats);
            timing.host_samples.push_back(elapsed.host / repeats);
            timing.round.push_back(round);
            timing.estimate = estimate_median(timing.samples);
            // Each round gets its share of samples and time.
            if (timing.samples.size() >= share(rule.most_samples)) {
                timing.stopped_by = "most_samples";
                break;
            }
            if (is_late()) {
                timing.stopped_by = "time";
                break;
            }
            if (timing.samples.size() >= share(rule.least_samples) &&
                timing.estimate.half_width() <= rule.half_width) {
                timing.stopped_by = "narrow";
                break;
            }
        }
    }
    return timing;
}

}  // namespace parallax
