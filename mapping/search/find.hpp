// Finds the rows of the map that speak of a word, of a line of code, or of nearly the word.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/table/table.hpp"

namespace parallax {

/// How a rule was found, the best first.
enum class Match {
    exact,      ///< the word as it is written
    form,       ///< apart from case, blanks and prefixes, or by a pattern
    topic,      ///< it is the topic's name
    beginning,  ///< one of its names or phrases begins with it, as a whole word
    inside,     ///< one of its names or phrases has it in it, as a whole word
    mention     ///< the trap has it, or all of its words
};

struct Found {
    const MappingRule* row = nullptr;
    Match match = Match::mention;
    /// The rule's spelling for the requested word; empty: the rule's own.
    Spelling spelling = {};
    bool operator==(const Found&) const = default;
};

/// All rows that speak of `word` (a word, a phrase, a topic), the best first, each once.
std::vector<Found> rows_for(std::string_view word);

/// Rules for the words of a line of code, in the words' order, the best one for each word.
/// @param beside     the corresponding line in the other language; it helps to choose
/// @param host_code  whether the line is C++ for the host, where words like `float` say nothing
std::vector<const MappingRule*> rows_for_code(std::string_view code, std::string_view beside = {},
                                              bool host_code = false);

/// Suggestions for a misspelt word.
struct Nearest {
    std::string word;  ///< the one that has rows
    std::vector<const MappingRule*> rows;
};

/// The words that are nearest to `word`, the fewest inserted and removed letters away; empty:
/// nothing is near.
std::vector<Nearest> nearest_to(std::string_view word);

}  // namespace parallax
