// The ratio of two sides' times, and its verdict.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace parallax {

/// The result of comparing the second side of a case with the first.
enum class Verdict {
    same,       ///< the interval of the ratio is inside the margin
    faster,     ///< entirely below it
    slower,     ///< entirely above it
    undecided,  ///< the interval contains an edge of the margin, or the measurement was disturbed
    equal,      ///< not timed on both sides: both are right and bitwise identical
    within_tolerance,  ///< not timed on both sides: both are right, and the bits may differ
    wrong,             ///< an answer is not right
    failed,            ///< a side could not be built or run; no answer is wrong
    refused,           ///< a side has no translation; nothing else went wrong
    not_comparable     ///< a side is missing or unsupported, or it is not the same kernel
};
inline constexpr std::size_t verdict_count = 10;
/// Whether it is a difference in speed.
constexpr bool is_gap(Verdict verdict) {
    return verdict == Verdict::faster || verdict == Verdict::slower;
}
/// Whether it is only about the results, which are right.
constexpr bool is_about_answers(Verdict verdict) {
    return verdict == Verdict::equal || verdict == Verdict::within_tolerance;
}
/// `SAME`, `NOT COMPARABLE`, ...
std::string_view word_of(Verdict);
/// The verdict of that word, or nothing.
std::optional<Verdict> verdict_named(std::string_view word);

/// Time of B over time of A: above 1, B is slower. Intervals are symmetric in the logarithm, unless
/// they have to contain two modes.
struct Ratio {
    double value = 1;          ///< geometric mean over the units
    double low = 1, high = 1;  ///< of the interval
    double confidence = 0;     ///< over all interim analyses, 0.95
    double log_error = 0;      ///< standard error of the logarithm
    double degrees = 0;        ///< of freedom of Student's t
    /// Lower bound of the half-width in the logarithm, however many rounds: the placement
    /// uncertainty of one pair of device objects.
    double placement = 0;
    std::size_t units_a = 0,
                units_b = 0;  ///< independent units: pairs of rounds (live), runs (stored)
    /// Unit of the statistics: `paired rounds`, `runs`, `rounds of one run`.
    std::string basis;
    std::string caution;  ///< why the interval is wider than scatter alone, in sentences; or empty

    double width() const { return high / low - 1; }
};

}  // namespace parallax
