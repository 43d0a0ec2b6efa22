// Rounds until a look decides, or the looks, the time or the patience with disturbances end.
#include "measure/paired.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/host_clock.hpp"
#include "common/interval.hpp"
#include "common/statistics.hpp"

namespace parallax {
namespace {

/// Where the first look would take more than the time there is, an earlier one. How long a round
/// takes decides it and not what it says, so the error stays what it is.
/// @param left, round_seconds  when the first round is over: the seconds left then, and those of
/// another one
std::vector<unsigned> looks_within(const PairRule& rule, double left, double round_seconds) {
    const unsigned first = rule.looks.front();
    if (first <= least_rounds || !(round_seconds * (first - 1) > left)) return rule.looks;
    const double fitting = 1 + std::floor(left / round_seconds);
    const auto soon = static_cast<unsigned>(std::clamp(fitting, 1.0 * least_rounds, 1.0 * first));
    const unsigned even = soon - soon % 2;  // so that each side goes first equally often
    return even < first ? std::vector<unsigned>{even, 2 * even} : rule.looks;
}

}  // namespace

PairTiming measure_pair(const std::function<PairRound(unsigned number)>& round,
                        const PairRule& rule) {
    const HostClock::time_point start = HostClock::now();
    const auto time_is_up = [&] { return seconds_since(start) > rule.most_seconds; };
    PairTiming timing;
    timing.looks = rule.looks;
    timing.error = rule.error;
    timing.launches = rule.launches;
    unsigned counted = 0;
    double first_seconds = 0;
    while (true) {
        // Time cuts between looks, and only where something has been looked at.
        if (timing.look > 0 && time_is_up()) {
            timing.stopped_by = "time";
            return timing;
        }
        if (timing.rounds.size() >= std::size_t{rule.disturbed} * rule.looks.back() ||
            (timing.look == 0 && timing.rounds.size() >= std::size_t{3} * rule.looks.front())) {
            timing.stopped_by = "disturbed";
            return timing;
        }
        PairRound made = round(static_cast<unsigned>(timing.rounds.size()));
        made.log_ratio = log_ratio_of(made);
        counted += made.disturbed.empty();
        const bool counts = made.disturbed.empty();
        timing.rounds.push_back(std::move(made));
        // The first round has more to do than those behind it: all answers are compared.
        if (timing.rounds.size() == 1) first_seconds = seconds_since(start);
        if (timing.rounds.size() == 2) {
            timing.looks = looks_within(rule, rule.most_seconds - first_seconds,
                                        seconds_since(start) - first_seconds);
        }
        if (!counts || counted != timing.looks[timing.look]) {
            continue;
        }
        ++timing.look;
        if (is_decided(*timing.ratio(), rule.edges)) {
            timing.stopped_by = "decided";
            return timing;
        }
        if (timing.look == timing.looks.size()) {
            timing.stopped_by = "looks";
            return timing;
        }
    }
}

}  // namespace parallax
