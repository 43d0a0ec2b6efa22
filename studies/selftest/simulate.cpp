// Makes up timings, and counts what the clock calls them.
#include "studies/selftest/simulate.hpp"

#include <cmath>
#include <random>

#include "common/interval.hpp"

namespace parallax {

void VerdictCounts::add(Verdict verdict) {
    switch (verdict) {
        case Verdict::same: ++same; break;
        case Verdict::faster: ++faster; break;
        case Verdict::slower: ++slower; break;
        default: ++undecided; break;
    }
}

VerdictCounts simulate(double true_ratio, unsigned trials, double margin, const NoiseModel& noise,
                       std::uint64_t seed) {
    constexpr unsigned quads = 4;
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    PairRule rule;
    rule.edges = edges_of(margin, {});
    rule.most_seconds = 1e9;
    VerdictCounts counts;
    for (unsigned trial = 0; trial < trials; ++trial) {
        const PairTiming timing = measure_pair(
            [&](unsigned number) {
                const double side_a = noise.of_round * normal(random);
                const double side_b = noise.of_round * normal(random);
                const double slope = noise.drift * normal(random) / (4 * quads);
                const auto batch = [&](double side, unsigned at) {
                    double log = side + noise.of_batch * normal(random) + slope * at;
                    if (uniform(random) < noise.spike_chance) log += noise.spike * uniform(random);
                    return std::exp(log);
                };
                PairRound round;
                round.repeats_a = round.repeats_b = 1;
                round.a_first = number % 2 == 0;
                unsigned at = 0;
                for (unsigned quad = 0; quad < quads; ++quad) {
                    const bool abba = (quad % 2 == 0) == round.a_first;
                    for (const bool outer : {true, false, false, true}) {
                        if (outer == abba) {
                            round.a.push_back(batch(side_a, at++));
                        } else {
                            round.b.push_back(true_ratio * batch(side_b, at++));
                        }
                    }
                }
                return round;
            },
            rule);
        counts.add(verdict_of(*timing.ratio(), margin));
    }
    return counts;
}

}  // namespace parallax
