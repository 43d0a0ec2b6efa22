// The time of one side over that of another, and the word for it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace parallax {

/// How the second side of a case compares with the first.
enum class Verdict {
    same,              ///< the interval of the ratio lies inside the margin
    faster,            ///< wholly below it
    slower,            ///< wholly above it
    undecided,         ///< it holds an edge of the margin, or the measurement was disturbed
    equal,             ///< not timed on both sides: both are right, bit by bit the same
    within_tolerance,  ///< not timed on both sides: both are right, and the bits may differ
    wrong,             ///< an answer is not right
    failed,            ///< a side could not be built or run; no answer is wrong
    refused,           ///< a side has no translation; nothing else went wrong
    not_comparable     ///< a side is missing or unsupported, or it is not the same kernel
};
inline constexpr std::size_t verdict_count = 10;
/// Whether it says that the two are apart.
constexpr bool is_gap(Verdict verdict) {
    return verdict == Verdict::faster || verdict == Verdict::slower;
}
/// Whether it is about answers alone, which are right.
constexpr bool is_about_answers(Verdict verdict) {
    return verdict == Verdict::equal || verdict == Verdict::within_tolerance;
}
/// `SAME`, `NOT COMPARABLE`, ...
std::string_view word_of(Verdict);
/// The verdict of that word, or nothing.
std::optional<Verdict> verdict_named(std::string_view word);

/// Time of B over time of A: above 1, B is slower. Intervals are symmetric in the logarithm, but
/// for one that has to hold two states.
struct Ratio {
    double value = 1;          ///< geometric mean over the units
    double low = 1, high = 1;  ///< of the interval
    double confidence = 0;     ///< that the interval has over all looks, 0.95
    double log_error = 0;      ///< standard error of the logarithm
    double degrees = 0;        ///< of freedom of Student's t
    /// What no number of rounds narrows the interval below, in the logarithm: where the queues and
    /// the memory of one pair of device objects came to lie.
    double placement = 0;
    std::size_t units_a = 0,
                units_b = 0;  ///< independent units: pairs of rounds (live), runs (stored)
    /// What a unit is: `paired rounds`, `runs`, `rounds of one run`.
    std::string basis;
    std::string caution;  ///< what made the interval wider than scatter alone, sentences; or empty

    double width() const { return high / low - 1; }
};

}  // namespace parallax
