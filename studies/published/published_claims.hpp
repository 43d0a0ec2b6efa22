// What the documents state of orders and factors, how today's figures are judged by it, and what
// to look at where they say something else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "studies/published/published.hpp"

namespace parallax {

/// A variant under circumstances.
struct ClaimedCase {
    std::string suite, variant;
    std::vector<Constant> constants = {};
    std::vector<std::uint64_t> shape = {};  ///< empty: the document does not say
    bool operator==(const ClaimedCase&) const = default;
};

/// What a document says in words of how many times as fast one case is as another.
struct Stated {
    std::optional<double> factor;  ///< 1: no difference; nothing: faster, without a figure
    std::string text;              ///< `faster`, `up to 10x`
};

/// Two cases and what one gains over the other.
struct ClaimStep {
    ClaimedCase slow, fast;
    std::optional<Stated> stated = {};  ///< nothing: the published figures of both say it
    std::string figure = {};            ///< which of them: Published::figure
};

/// What a document states of cases that belong together.
struct Claim {
    std::string row;   ///< PublishedRow::name
    std::string name;  ///< of all claims, its own: a word or a few
    std::string says;  ///< a sentence, in our words
    std::vector<ClaimStep> steps;
    const Document* document = nullptr;
};

/// All of them, in the order of the rows.
const std::vector<Claim>& claims();

/// How many times as fast, by one source.
struct PublishedFactor {
    std::string source;            ///< the device, or `in words`
    std::optional<double> factor;  ///< as Stated::factor
    std::string text;              ///< `1.36x`
};

/// Of every device that both cases have a published figure of; or what is stated.
std::vector<PublishedFactor> published_factors(const ClaimStep&);

/// From the first case to the last one; nothing: the steps make no chain of two or more.
std::optional<ClaimStep> all_steps(const Claim&);

/// What became of a published gain.
enum class ShapeVerdict {
    kept,      ///< a gain, of at least `kept_share` of what it bought; or no difference, as then
    smaller,   ///< still a gain
    gone,      ///< no gain any more
    reversed,  ///< the other way round
    gain,      ///< there was none, and there is one
    loss       ///< there was no difference, and it is slower
};
std::string_view name_of(ShapeVerdict);

/// A ratio of two times nearer to 1 than this is none.
inline constexpr double no_difference = 1.05;
/// Of what is above 1 in a published factor.
inline constexpr double kept_share = 0.5;

/// @param published  of several sources the smallest gain; nothing: a gain without a figure
/// @param today      above 0
ShapeVerdict judge(std::optional<double> published, double today);
/// By what all sources say of the step.
ShapeVerdict judge(const std::vector<PublishedFactor>&, double today);

/// A figure that bears on why a shape is not kept, worked out of records.
struct Evidence {
    enum class Kind {
        /// What the kernel's loads and stores ask for in a second, against what a copy moves: more
        /// than that comes out of caches.
        asked,
        /// What it moves in a second, each byte counted once, against what a copy moves.
        share,
        /// What empty launches take, as many as it has, against its own time.
        launches,
        /// How many times as fast `fast` is as `of`.
        step
    };
    Kind kind = Kind::share;
    ClaimedCase of;
    ClaimedCase fast = {};     ///< of `step`
    double per_byte = 0;       ///< of `asked`: bytes for each that the suite's work counts
    double per_operation = 0;  ///< of `asked`: bytes for each operation; one of the two is not 0
    double count = 0;          ///< of `launches`
    std::string because = {};  ///< of `asked`: why so many; of `step`: what it tells; no full stop
};

/// What to look at where a claim is not kept.
struct Experiment {
    std::vector<std::string> claims;  ///< Claim::name
    std::string question;             ///< a sentence
    std::string command;              ///< that makes the records
    std::vector<Evidence> evidence;
};

const std::vector<Experiment>& experiments();

}  // namespace parallax
