// Names of sides, and formats of shares, factors and changes, for all reports of explanations.
#pragma once

#include <string>
#include <string_view>

#include "records/explanation.hpp"

namespace parallax {

/// The sides' names: by their API where they have two, else by device, else A and B. `OpenCL`,
/// `opencl:1`, `A`.
Both<std::string> short_names(const Explanation&);
/// `OpenCL (opencl:1)`, `A (opencl:0)`
Both<std::string> full_names(const Explanation&);
/// The side on which the knob was changed: `OpenCL`, `both sides`.
std::string changed_side(const Explanation&, KnobSide);

/// `97 %`; below 10 % one more digit: `4.2 %`.
std::string share_words(double share);
/// `1.64x`; `1.023x` below 1.1.
std::string times_words(double factor);

/// The slower side's time over the faster one's, above 1 where there is a gap: the inverse ratio
/// where A is the slower one.
Ratio slower_over_faster(const Explanation&, const Ratio& b_over_a);

/// The answer in at most 60 words: how large the gap is, where it arises, its cause, the remedy and
/// its gain. Everything else that was tried is in the tables of a report.
std::string answer_in_words(const Explanation&);

/// Begins the reason of a trial that was skipped since its changes failed before; where other
/// trials are skipped, the budget had ended.
inline constexpr std::string_view failed_in_a_launch = "It failed in a launch";
/// Whether a larger budget would have tried it.
bool lacks_budget(const Trial&);
/// `--budget 34`: about the budget in which nothing would have been skipped.
std::string larger_budget(const Explanation&);

/// Ends a line of Conclusion::not_tried about what a larger budget would have done.
inline constexpr std::string_view budget_ended = "the budget had ended";
/// As a reason.
inline constexpr std::string_view out_of_budget = "The budget had ended.";

/// Behind a knob's name in Conclusion::not_tried: some of its positions were tried.
inline constexpr std::string_view not_everywhere = ", not in all positions";

/// A sentence as a part of one: without its full stop.
std::string clause(std::string text);

}  // namespace parallax
