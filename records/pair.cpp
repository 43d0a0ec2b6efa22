// What the rounds of a pair say.
#include "records/pair.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/interval.hpp"

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
    std::vector<double> values = log_ratios();
    if (look > 0) {
        // Rounds after the last look are not in it: it was taken at a fixed count.
        values.resize(std::min<std::size_t>(values.size(), looks.at(look - 1)));
    } else {
        values.clear();
        for (const PairRound& round : rounds) values.push_back(round.log_ratio);
    }
    if (values.size() < 2) return {};
    return paired_ratio(values, most_error / static_cast<double>(looks.size()), 1 - most_error);
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
