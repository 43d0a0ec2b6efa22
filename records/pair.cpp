// Evaluates the rounds of a pair.
#include "records/pair.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/statistics/rounds.hpp"

namespace parallax {
namespace {

double spread(const std::vector<double>& seconds) {
    if (seconds.empty()) return 0;
    const auto [least, most] = std::ranges::minmax(seconds);
    return std::log(most / least);
}

}  // namespace

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
    return median_of(std::move(quads));
}

std::vector<double> PairTiming::log_ratios() const {
    std::vector<double> values;
    for (const PairRound& round : rounds) {
        if (round.disturbed.empty()) values.push_back(round.log_ratio);
    }
    return values;
}

std::optional<Ratio> PairTiming::ratio(double most_error) const {
    most_error = std::min(error, most_error);
    std::vector<RoundLog> logs;
    std::vector<double> seconds;
    for (const PairRound& round : rounds) {
        // Rounds after the last analysis do not count: it used a fixed number. Without an analysis
        // all rounds count.
        const bool counts =
            look == 0 || (round.disturbed.empty() && logs.size() < interim_analyses.at(look - 1));
        if (!counts) continue;
        logs.push_back(
            {round.log_ratio, round.a_first, std::max(spread(round.a), spread(round.b))});
        seconds.insert(seconds.end(), round.a.begin(), round.a.end());
        seconds.insert(seconds.end(), round.b.begin(), round.b.end());
    }
    if (logs.size() < 2) return {};
    const double launch = seconds.empty() ? 0 : median_of(std::move(seconds)) / launches;
    return rounds_ratio(logs, placement_uncertainty(launch),
                        most_error / static_cast<double>(interim_analyses.size()), 1 - most_error);
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

}  // namespace parallax
