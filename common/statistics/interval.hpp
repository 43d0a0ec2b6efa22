// Intervals of ratios, in closed form, from few independent units.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "common/statistics/ratio.hpp"

namespace parallax {

/// The p-quantile of Student's t distribution. @param degrees of freedom, above 0
double student_quantile(double p, double degrees);

/// The interval of the mean of `log_ratios` (at least two), each an independent unit that pairs
/// both sides: Student's t.
/// @param error  probability that the interval misses, both tails together
/// @param confidence  stated in the result: 1 - the error of all looks together
Ratio paired_ratio(std::span<const double> log_ratios, double error, double confidence);

/// The interval of mean(log b) - mean(log a), for independent units on both sides that need not
/// vary alike: Welch's, with the degrees of freedom of Satterthwaite. At least two units a side.
Ratio unpaired_ratio(std::span<const double> seconds_a, std::span<const double> seconds_b,
                     double error);

/// A over B of what was B over A.
Ratio turned_round(Ratio);
/// `ratio` over `baseline`: both with their own uncertainty.
Ratio relative_ratio(const Ratio& ratio, const Ratio& baseline);

/// The geometric mean of these ratios, of exactly these cases: what it is uncertain by is what each
/// of them is uncertain by. At least one.
Ratio mean_ratio(const std::vector<Ratio>&);

/// Where verdicts end: 1 / (1 + margin), 1 + margin, and 1 + max_slowdown where one was asked for.
std::vector<double> edges_of(double margin, std::optional<double> max_slowdown);

/// Whether the interval holds none of the edges: then it says something.
bool is_decided(const Ratio&, std::span<const double> edges);

/// SAME, FASTER, SLOWER or UNDECIDED. An interval that ends on the edge is not decided.
Verdict verdict_of(const Ratio&, double margin);

}  // namespace parallax
