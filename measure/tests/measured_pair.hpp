// A comparison on its own.
#pragma once

#include "common/host_clock.hpp"
#include "measure/paired.hpp"

namespace parallax {

/// Runs rounds until the rule is met.
/// @param round  runs round `number` (from 0); an exception ends the measurement
inline PairTiming measure_pair(const std::function<PairRound(unsigned number)>& round,
                               const PairRule& rule) {
    PairMeasurement measurement(rule);
    while (!measurement.has_ended()) {
        const HostClock::time_point begin = HostClock::now();
        PairRound made = round(measurement.next());
        measurement.add(std::move(made), seconds_since(begin));
    }
    return measurement.timing();
}

}  // namespace parallax
