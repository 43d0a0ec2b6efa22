// Answers searches of the map: a word, a phrase, a topic, a line of code or a line's name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/search/find.hpp"
#include "mapping/search/sources.hpp"

namespace parallax {

/// A word of an API that has no row.
struct UnknownWord {
    std::string word;
    std::vector<std::string> nearest;  ///< what was taken instead; empty: nothing is near
};

struct Answer {
    std::optional<NamedLine> line;  ///< the one that was named
    std::vector<Found> found;       ///< best first, never empty
    std::vector<UnknownWord> unknown;
};

/// @throws UsageError when nothing of it has a row, and nothing near has, or it is too long for a
/// line
Answer answer_to(std::string_view question);

}  // namespace parallax
