// Simulates timings, and counts the verdicts on them.
#include "studies/selftest/tests/timer_simulation.hpp"

#include "common/statistics/interval.hpp"
#include "measure/tests/measured_pair.hpp"

namespace parallax {
namespace {

/// One comparison's device.
class Simulated {
public:
    Simulated(double ratio, const NoiseModel& noise, std::size_t in_turn, std::mt19937_64& random)
        : ratio_(ratio), noise_(noise), in_turn_(in_turn), random_(random) {}

    PairRound round(unsigned number) {
        // The rounds of the other comparisons pass meanwhile.
        for (std::size_t i = 0; i < in_turn_; ++i) next_state(number == 0 && i == 0);
        PairRound round;
        round.repeats_a = round.repeats_b = 1;
        round.a_first = number % 2 == 0;
        const double side_a = noise_.of_round * normal_(random_);
        const double side_b = noise_.of_round * normal_(random_) + std::log(ratio_) +
                              (in_state_ ? std::log1p(noise_.state) : 0) +
                              noise_.of_following * followed_ +
                              (round.a_first ? noise_.order : -noise_.order);
        const double slope = noise_.drift * normal_(random_) / (4 * noise_.quads);
        unsigned at = 0;
        for (unsigned quad = 0; quad < noise_.quads; ++quad) {
            const bool abba = (quad % 2 == 0) == round.a_first;
            for (const bool outer : {true, false, false, true}) {
                const bool is_a = outer == abba;
                (is_a ? round.a : round.b).push_back(batch(is_a ? side_a : side_b, slope * at++));
            }
        }
        return round;
    }

private:
    void next_state(bool is_first) {
        if (is_first || uniform_(random_) >= noise_.state_stays) {
            in_state_ = uniform_(random_) < noise_.state_chance;
        }
        const double fresh = normal_(random_), rho = noise_.following;
        followed_ = is_first ? fresh : rho * followed_ + std::sqrt(1 - rho * rho) * fresh;
    }

    double batch(double side, double drift) {
        double log = side + drift + noise_.of_batch * normal_(random_);
        if (uniform_(random_) < noise_.spike_chance) log += noise_.spike * uniform_(random_);
        return std::exp(log);
    }

    double ratio_;
    const NoiseModel& noise_;
    std::size_t in_turn_;
    std::mt19937_64& random_;
    std::normal_distribution<double> normal_;
    std::uniform_real_distribution<double> uniform_;
    bool in_state_ = false;
    double followed_ = 0;
};

}  // namespace

VerdictCounts simulate(double ratio, unsigned trials, double margin, const NoiseModel& noise,
                       std::uint64_t seed, const Looking& looking) {
    std::mt19937_64 random(seed);
    PairRule rule;
    rule.interim_analyses = looking.interim_analyses;
    rule.edges = edges_of(margin, {});
    rule.most_seconds = 1e9;
    const double truth = ratio * std::pow(1 + noise.state, noise.state_chance);
    VerdictCounts counts;
    for (unsigned trial = 0; trial < trials; ++trial) {
        Simulated device(ratio, noise, looking.in_turn, random);
        const PairTiming timing =
            measure_pair([&](unsigned number) { return device.round(number); }, rule);
        const Ratio measured = *timing.ratio();
        counts.add(verdict_of(measured, margin), measured, truth, margin);
    }
    return counts;
}

}  // namespace parallax
