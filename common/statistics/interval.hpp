// Confidence intervals of ratios, in closed form, from few independent units.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "common/statistics/ratio.hpp"

namespace parallax {

/// The p-quantile of Student's t distribution. @param degrees of freedom, above 0
double student_quantile(double p, double degrees);

/// Student's t interval of the mean of `log_ratios` (at least two), each an independent unit that
/// pairs both sides.
/// @param error  probability that the interval misses, two-sided
/// @param confidence  stated in the result: 1 - the error of all interim analyses together
Ratio paired_ratio(std::span<const double> log_ratios, double error, double confidence);

/// The interval of mean(log b) - mean(log a) for independent units whose variances may differ:
/// Welch's, with Satterthwaite's degrees of freedom. At least two units per side.
Ratio unpaired_ratio(std::span<const double> seconds_a, std::span<const double> seconds_b,
                     double error);

/// A over B from B over A.
Ratio turned_round(Ratio);
/// `ratio` over `baseline`, with the uncertainty of both.
Ratio relative_ratio(const Ratio& ratio, const Ratio& baseline);

/// The geometric mean of the ratios of these fixed cases, with the combined uncertainty. At least
/// one.
Ratio mean_ratio(const std::vector<Ratio>&);

/// The boundaries of verdicts: 1 / (1 + margin), 1 + margin, and 1 + max_slowdown where given.
std::vector<double> edges_of(double margin, std::optional<double> max_slowdown);

/// Whether the interval contains none of the edges, so that the verdict is decided.
bool is_decided(const Ratio&, std::span<const double> edges);

/// SAME, FASTER, SLOWER or UNDECIDED. An interval that ends on an edge is undecided.
Verdict verdict_of(const Ratio&, double margin);

}  // namespace parallax
