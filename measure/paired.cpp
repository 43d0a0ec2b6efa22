// Runs rounds until an interim analysis decides, or time, analyses or retries are exhausted.
#include "measure/paired.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "common/error.hpp"
#include "common/statistics/interval.hpp"

namespace parallax {
namespace {

/// An earlier first analysis where the regular one would exceed the time. It depends on the
/// duration of a round and not on its result, so the error stays the same.
/// @param left, round_seconds  after the first round: the seconds left, and the duration of another
/// round
std::vector<unsigned> analyses_within(const PairRule& rule, double left, double round_seconds) {
    const unsigned first = rule.interim_analyses.front();
    if (first <= least_rounds || !(round_seconds * (first - 1) > left))
        return rule.interim_analyses;
    const double fitting = 1 + std::floor(left / round_seconds);
    const auto soon = static_cast<unsigned>(std::clamp(fitting, 1.0 * least_rounds, 1.0 * first));
    const unsigned even = soon - soon % 2;  // so that each side goes first equally often
    return even < first ? std::vector<unsigned>{even, 2 * even} : rule.interim_analyses;
}

}  // namespace

double missed_share(double share, std::size_t rounds) {
    return std::pow(1 - share, static_cast<double>(rounds));
}

PairMeasurement::PairMeasurement(PairRule rule) : rule_(std::move(rule)) {
    timing_.interim_analyses = rule_.interim_analyses;
    timing_.error = rule_.error;
    timing_.launches = rule_.launches;
}

void PairMeasurement::add(PairRound made, double seconds) {
    seconds_ += seconds;
    made.log_ratio = log_ratio_of(made);
    const bool counts = made.disturbed.empty();
    counted_ += counts;
    timing_.rounds.push_back(std::move(made));
    // The first round takes longer than later ones: all results are compared.
    if (timing_.rounds.size() == 1) first_seconds_ = seconds;
    if (timing_.rounds.size() == 2) {
        timing_.interim_analyses =
            analyses_within(rule_, rule_.most_seconds - first_seconds_, seconds);
    }
    if (counts && counted_ == timing_.interim_analyses[timing_.look]) look_at();
    if (has_ended()) return;
    // Between analyses the time limit applies only after the first analysis.
    if (timing_.look > 0 && left_seconds() < 0) {
        timing_.stopped_by = "time";
    } else if (timing_.rounds.size() >=
                   std::size_t{rule_.disturbed} * rule_.interim_analyses.back() ||
               (timing_.look == 0 &&
                (timing_.rounds.size() >= std::size_t{3} * rule_.interim_analyses.front() ||
                 (left_seconds() < 0 && 2 * counted_ < timing_.rounds.size())))) {
        timing_.stopped_by = "disturbed";
    }
}

void PairMeasurement::look_at() {
    ++timing_.look;
    if (is_decided(*timing_.ratio(), rule_.edges)) {
        timing_.stopped_by = "decided";
    } else if (timing_.look == timing_.interim_analyses.size()) {
        timing_.stopped_by = "looks";
    }
}

void run_round_robin(std::size_t count, ThreadPool* pool,
                     const std::function<bool(std::size_t)>& turn,
                     const std::function<bool(std::size_t)>& minds_the_host,
                     const std::function<void()>& resumed) {
    const auto one_of_each = [&](std::vector<std::size_t>& of) {
        std::erase_if(of, [&](std::size_t i) { return !turn(i); });
    };
    std::optional<ThreadPool::Pause> rest(pool);
    std::vector<std::size_t> going(count), calm;
    std::iota(going.begin(), going.end(), std::size_t{0});
    one_of_each(going);

    std::ranges::copy_if(going, std::back_inserter(calm),
                         [&](std::size_t i) { return !minds_the_host(i); });
    const std::size_t others = going.size() - calm.size();
    if (others == 0 || (calm.size() >= fewest_interleaved && others >= fewest_interleaved)) {
        std::erase_if(going, [&](std::size_t i) { return !minds_the_host(i); });
        rest.reset();
        if (resumed) resumed();
        while (!calm.empty()) one_of_each(calm);
        rest.emplace(pool);
    }
    while (!going.empty()) one_of_each(going);
}

}  // namespace parallax
