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

PairTiming measure_pair(const std::function<PairRound(unsigned number)>& round,
                        const PairRule& rule) {
    const HostClock::time_point start = HostClock::now();
    const auto time_is_up = [&] { return seconds_since(start) > rule.most_seconds; };
    PairTiming timing;
    timing.looks = rule.looks;
    timing.error = rule.error;
    timing.launches = rule.launches;
    unsigned counted = 0;
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
        if (!counts || timing.look >= rule.looks.size() || counted != rule.looks[timing.look]) {
            continue;
        }
        ++timing.look;
        if (is_decided(*timing.ratio(), rule.edges)) {
            timing.stopped_by = "decided";
            return timing;
        }
        if (timing.look == rule.looks.size()) {
            timing.stopped_by = "looks";
            return timing;
        }
    }
}

}  // namespace parallax
