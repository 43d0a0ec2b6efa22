// An index of all words of the map.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mapping/search/search_words.hpp"

namespace parallax {

/// A word of a row.
struct WordHit {
    const MappingRule* row = nullptr;
    MappedWord::Kind kind = MappedWord::further;
    std::string_view text;
};
using WordHits = std::vector<WordHit>;

/// Rows by their words.
class WordIndex {
public:
    using Hits = WordHits;
    using Words = std::map<std::string, Hits, std::less<>>;

    static const WordIndex& get();

    /// The rows that hold the word exactly as it is written.
    Hits exactly(std::string_view word) const;
    /// For a word of a line of code; a word without a rule of its own is searched among the
    /// patterns.
    Hits in_code(std::string_view word) const;
    /// Finds a word by its forms (forms_of), or else among the patterns.
    Hits by_form(std::string_view word) const;

    /// The forms of all words but patterns.
    const Words& forms() const { return forms_; }
    /// All words but patterns, to look for words in.
    const std::vector<std::pair<SearchedText, WordHit>>& texts() const { return searched_; }

private:
    WordIndex();
    /// The hits of the longest matching pattern. The word has to be a name; in kernels, which
    /// reject some patterns' words, case matters.
    Hits by_pattern(std::string_view word) const;
    void add(const MappingRule& row, const MappedWord& word);

    Words texts_, code_, forms_;
    std::vector<std::pair<std::string, WordHit>> patterns_;
    std::vector<std::pair<SearchedText, WordHit>> searched_;
};

}  // namespace parallax
