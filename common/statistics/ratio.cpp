// The words of verdicts.
#include "common/statistics/ratio.hpp"

#include <array>

namespace parallax {
namespace {

constexpr std::array<std::string_view, verdict_count> verdict_words{
    "SAME",  "FASTER", "SLOWER",  "UNDECIDED",     "EQUAL", "WITHIN TOLERANCE",
    "WRONG", "FAILED", "REFUSED", "NOT COMPARABLE"};

}  // namespace

std::string_view word_of(Verdict verdict) {
    return verdict_words.at(static_cast<std::size_t>(verdict));
}

std::optional<Verdict> verdict_named(std::string_view word) {
    for (std::size_t i = 0; i < verdict_words.size(); ++i) {
        if (verdict_words[i] == word) return static_cast<Verdict>(i);
    }
    return {};
}

}  // namespace parallax
