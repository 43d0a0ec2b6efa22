// Builds the index of all words of the map, and searches it.
#include "mapping/search/word_index.hpp"

#include <algorithm>

#include "common/text/characters.hpp"
#include "common/text/text.hpp"

namespace parallax {
namespace {

WordHits look(const WordIndex::Words& in, std::string_view word) {
    const auto found = in.find(word);
    return found == in.end() ? WordHits{} : found->second;
}

}  // namespace

WordIndex::WordIndex() {
    for (const MappingRule& row : whole_map()) {
        for (const MappedWord& word : mapped_words(row)) add(row, word);
    }
}

const WordIndex& WordIndex::get() {
    static const WordIndex index;
    return index;
}

WordHits WordIndex::exactly(std::string_view word) const {
    return look(texts_, word);
}

WordHits WordIndex::in_code(std::string_view word) const {
    const Hits hits = look(code_, word);
    return hits.empty() ? by_pattern(word) : hits;
}

WordHits WordIndex::by_form(std::string_view word) const {
    Hits hits;
    for (const std::string& form : forms_of(word)) {
        std::ranges::copy(look(forms_, form), std::back_inserter(hits));
    }
    return hits.empty() ? by_pattern(word) : hits;
}

WordHits WordIndex::by_pattern(std::string_view word) const {
    Hits best;
    const bool is_name = std::ranges::all_of(
        word, [](char c) { return is_word_character(c) || c == '-' || c == ':'; });
    if (!is_name) return best;
    const std::string lower = lower_case(word);
    for (const auto& [pattern, hit] : patterns_) {
        const bool fits = hit.row->kernel_language ? stands_for(pattern, word)
                                                   : stands_for(lower_case(pattern), lower);
        if (!fits) continue;
        const std::size_t known = best.empty() ? 0 : best.front().text.size();
        if (pattern.size() > known) best.clear();
        if (pattern.size() >= known) best.push_back(hit);
    }
    return best;
}

void WordIndex::add(const MappingRule& row, const MappedWord& word) {
    const auto [at, ignored] = texts_.try_emplace(word.text);
    const WordHit hit{&row, word.kind, at->first};
    at->second.push_back(hit);
    if (word.text.find('*') != word.text.npos && word.text.find(' ') == word.text.npos) {
        if (word.text.find('(') == word.text.npos) patterns_.emplace_back(word.text, hit);
        return;
    }
    searched_.emplace_back(SearchedText(word.text), hit);
    if (word.in_code) code_[word.text].push_back(hit);
    for (std::string& form : forms_of(word.text)) {
        if (!form.empty()) forms_[std::move(form)].push_back(hit);
    }
}

}  // namespace parallax
