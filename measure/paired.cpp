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

double log_ratio_of(const PairRound& round) {
    if (round.a.size() != round.b.size() || round.a.size() < 2 || round.a.size() % 2 != 0) {
        throw Error("A round is made of whole quads.");
    }
    std::vector<double> quads;
    for (std::size_t i = 0; i < round.a.size(); i += 2) {
        quads.push_back((std::log(round.b[i]) + std::log(round.b[i + 1]) - std::log(round.a[i]) -
                         std::log(round.a[i + 1])) /
                        2);
    }
    return estimate_median(quads).median;
}

std::vector<double> PairTiming::log_ratios() const {
    std::vector<double> values;
    for (const PairRound& round : rounds) {
        if (round.disturbed.empty()) values.push_back(round.log_ratio);
    }
    return values;
}

std::optional<Ratio> PairTiming::ratio() const {
    std::vector<double> values = log_ratios();
    if (look > 0) {
        // Rounds after the last look are not in it: it was taken at a fixed count.
        values.resize(std::min<std::size_t>(values.size(), looks.at(look - 1)));
    } else {
        values.clear();
        for (const PairRound& round : rounds) values.push_back(round.log_ratio);
    }
    if (values.size() < 2) return {};
    return paired_ratio(values, error / static_cast<double>(looks.size()), 1 - error);
}

std::string PairTiming::doubt() const {
    if (look > 0) return {};
    std::size_t count = 0;
    std::string why;
    for (const PairRound& round : rounds) {
        if (round.disturbed.empty()) continue;
        ++count;
        why = round.disturbed;
    }
    if (count == 0) {
        return fmt::format("It has {} round(s), fewer than the first look takes.", rounds.size());
    }
    return fmt::format("{} of {} rounds were disturbed: {}.", count, rounds.size(), why);
}

PairTiming measure_pair(const std::function<PairRound(unsigned number)>& round,
                        const PairRule& rule) {
    const HostClock::time_point start = HostClock::now();
    const auto time_is_up = [&] { return seconds_since(start) > rule.most_seconds; };
    PairTiming timing;
    timing.looks = rule.looks;
    timing.error = rule.error;
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
