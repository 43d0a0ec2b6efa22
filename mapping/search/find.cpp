// The searches in the index of all words of the map.
#include "mapping/search/find.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <dtl/dtl.hpp>
#include <fmt/format.h>

#include "common/text/text.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/search/search_words.hpp"
#include "mapping/search/word_index.hpp"

namespace parallax {
namespace {

using Hit = WordHit;
using Hits = WordHits;
using Index = WordIndex;

/// The words by which a row's two sides are told from other rows' in a line of code.
struct Sides {
    std::vector<std::string> opencl, cuda;
};

/// The searched words of a rule, built once.
struct Searched {
    std::vector<Spelling> spellings;
    std::vector<Sides> sides;  ///< of each spelling
    SearchedText text;         ///< all that the row says

    explicit Searched(const MappingRule& row)
        : spellings(spellings_of(row)), text(all_of(row, spellings)) {
        for (const Spelling& one : spellings) {
            sides.push_back({words_in_code(one.opencl), words_in_code(one.cuda)});
        }
    }

    static std::string all_of(const MappingRule& row, std::span<const Spelling> spellings) {
        std::string all = fmt::format("{} {} {}", row.rationale, row.words, row.topic);
        std::ranges::replace(all, '@', ' ');
        for (const Spelling& one : spellings) all += fmt::format(" {} {}", one.opencl, one.cuda);
        return all;
    }

    bool has_spelling(std::string_view word) const {
        return std::ranges::any_of(
            spellings, [&](const Spelling& one) { return one.opencl == word || one.cuda == word; });
    }
};

const Searched& searched(const MappingRule& row) {
    static const std::vector<Searched> all(whole_map().begin(), whole_map().end());
    return all[static_cast<std::size_t>(&row - whole_map().data())];
}

/// Rows with how they were found, kept in the order of what is best.
class Ranking {
public:
    explicit Ranking(std::string_view word) : word_(word) {}

    void add(const MappingRule& row, Match match, MappedWord::Kind kind) {
        const bool only_part = !searched(row).has_spelling(word_);
        const Place place{
            match > Match::topic,
            is_about_translator(row),
            match,
            kind,
            only_part,
            &row - whole_map().data() - (is_asked_from_cuda(row) ? std::ssize(whole_map()) : 0)};
        const auto [at, is_new] = places_.try_emplace(&row, place);
        if (!is_new && place < at->second) at->second = place;
    }
    /// A row that is read from CUDA alone, by a word of CUDA's: it says what is written for it.
    bool is_asked_from_cuda(const MappingRule& row) const {
        return row.from_cuda && row.cuda.find(word_) != row.cuda.npos &&
               row.opencl.find(word_) == row.opencl.npos;
    }
    void add(const Hits& hits, Match match) {
        for (const Hit& hit : hits) add(*hit.row, match, hit.kind);
    }

    bool is_empty() const { return places_.empty(); }

    std::vector<Found> found() const {
        std::vector<std::pair<Place, const MappingRule*>> sorted;
        for (const auto& [row, place] : places_) sorted.emplace_back(place, row);
        std::ranges::sort(sorted);
        std::vector<Found> found;
        const std::string words[] = {std::string(word_)};
        for (const auto& [place, row] : sorted) {
            found.push_back({row, std::get<Match>(place), spelling_with(*row, words)});
        }
        return found;
    }

private:
    /// Whether it only mentions the word, is the translator's own business, how it was found, by
    /// which of its words, whether that is less than a whole spelling, and its place in the map.
    using Place = std::tuple<bool, bool, Match, MappedWord::Kind, bool, std::ptrdiff_t>;

    std::string_view word_;
    std::map<const MappingRule*, Place> places_;
};

/// Whether a text has all of the words, which blanks part.
bool mentions(const SearchedText& text, std::string_view words) {
    const auto all = split(words, " ");
    return !all.empty() && std::ranges::all_of(all, [&](std::string_view word) {
        return text.whole_words(word) != SearchedText::Place::nowhere;
    });
}

/// How badly a rule fits a line: the number of words of the fitting side that the line lacks, the
/// negative number that it has, and the number of words of the other side that it lacks. Smaller is
/// better.
using Misfit = std::tuple<int, int, int>;

Misfit misfit(const MappingRule& row, const std::string& word,
              const std::set<std::string, std::less<>>& line) {
    std::optional<Misfit> best;
    const auto consider = [&](const std::vector<std::string>& side,
                              const std::vector<std::string>& other) {
        if (std::ranges::find(side, word) == side.end()) return;
        const auto there = [&](const std::vector<std::string>& words) {
            return static_cast<int>(std::ranges::count_if(
                words, [&](const std::string& w) { return line.count(w) > 0; }));
        };
        const auto lacking = [&](const std::vector<std::string>& words) {
            return static_cast<int>(words.size()) - there(words);
        };
        const Misfit one{lacking(side), -there(side), lacking(other)};
        if (!best || one < *best) best = one;
    };
    for (const Sides& sides : searched(row).sides) {
        consider(sides.opencl, sides.cuda);
        consider(sides.cuda, sides.opencl);
    }
    // A word that the row only names besides is none of its sides'.
    return best.value_or(Misfit{});
}

/// Hits of the longest part of a name with scopes that has any.
Hits hits_for(const std::string& word) {
    for (std::string_view name = word;;) {
        if (Hits hits = Index::get().in_code(name); !hits.empty()) return hits;
        const std::size_t scope = name.rfind("::");
        if (scope == name.npos) return {};
        name = name.substr(0, scope);
    }
}

bool is_host_word(std::string_view word, const Hits& hits) {
    return looks_like_api(word) &&
           std::ranges::any_of(hits, [](const Hit& hit) { return !hit.row->kernel_language; });
}

/// Whether a word of the kernel language could as well be any word or operator of C++.
bool is_plain_cpp(std::string_view word) {
    const char first = word.front();
    return word.size() == 1 || first == '#' || first == '<' || first == '>' || first == '1' ||
           std::ranges::all_of(word, [](char c) { return c >= 'a' && c <= 'z'; }) ||
           word == "size_t" || word == "ptrdiff_t" || word == "NULL";
}

/// Letters to insert and to remove to make `b` of `a`.
std::size_t distance(const std::string& a, const std::string& b) {
    dtl::Diff<char, std::string> diff(a, b);
    diff.onOnlyEditDistance();
    diff.compose();
    return static_cast<std::size_t>(diff.getEditDistance());
}

}  // namespace

std::vector<Found> rows_for(std::string_view asked) {
    const std::string word = as_rows_spell(asked);
    Ranking ranking(word);
    ranking.add(Index::get().exactly(word), Match::exact);
    ranking.add(Index::get().by_form(word), Match::form);
    const std::string lower = lower_case(word);
    if (ranking.is_empty() && word.ends_with('s')) {
        // Rows speak of one: a thread, an event.
        const std::string one = word.substr(0, word.size() - 1);
        if (!Index::get().by_form(one).empty()) return rows_for(one);
    }
    for (const MappingRule& row : whole_map()) {
        const std::string topic(row.topic);
        const bool is_topic = lower == topic || lower == topic_of(row) || lower + " model" == topic;
        if (is_topic) ranking.add(row, Match::topic, MappedWord::head);
    }
    const std::vector<std::string> forms = forms_of(word);
    const auto add_texts = [&](const auto& match_of) {
        for (const std::string& form : forms) {
            if (form.size() < 2) continue;
            for (const auto& [text, hit] : Index::get().texts()) {
                if (const auto match = match_of(text, form)) {
                    ranking.add(*hit.row, *match, hit.kind);
                }
            }
        }
    };
    add_texts([](const SearchedText& text, const std::string& form) -> std::optional<Match> {
        switch (text.whole_words(form)) {
            case SearchedText::Place::beginning: return Match::beginning;
            case SearchedText::Place::inside: return Match::inside;
            case SearchedText::Place::nowhere: break;
        }
        return {};
    });
    for (const MappingRule& row : whole_map()) {
        if (mentions(searched(row).text, forms.front())) {
            ranking.add(row, Match::mention, MappedWord::further);
        }
    }
    if (!ranking.is_empty()) return ranking.found();
    // Nothing has the whole word: it may be the beginning of one.
    add_texts([](const SearchedText& text, const std::string& form) -> std::optional<Match> {
        if (form.size() < 3 || !text.begins_with(form)) return {};
        return Match::beginning;
    });
    return ranking.found();
}

std::vector<const MappingRule*> rows_for_code(std::string_view code, std::string_view beside,
                                              bool host_code) {
    std::vector<std::string> words = words_in_code(code);
    for (std::string& word : words) word = as_rows_spell(word);
    std::set<std::string, std::less<>> line(words.begin(), words.end());
    for (std::string& word : words_in_code(beside)) {
        if (line.insert(word).second) words.push_back(std::move(word));
    }
    std::vector<Hits> hits;
    for (const std::string& word : words) {
        hits.push_back(hits_for(word));
        host_code = host_code || is_host_word(word, hits.back());
    }
    std::vector<const MappingRule*> rows;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const MappingRule* best = nullptr;
        std::tuple<bool, Misfit, MappedWord::Kind> best_place;
        for (const Hit& hit : hits[i]) {
            if (host_code && hit.row->kernel_language && is_plain_cpp(words[i])) continue;
            const std::tuple place{is_about_translator(*hit.row), misfit(*hit.row, words[i], line),
                                   hit.kind};
            if (!best || place < best_place) {
                best = hit.row;
                best_place = place;
            }
        }
        if (best && std::ranges::find(rows, best) == rows.end()) rows.push_back(best);
    }
    // Rows that are spelled alike on both sides say less.
    std::stable_partition(rows.begin(), rows.end(),
                          [](const MappingRule* row) { return row->opencl != row->cuda; });
    return rows;
}

std::vector<Nearest> nearest_to(std::string_view word) {
    constexpr std::size_t most_words = 3;
    std::size_t least = std::string::npos;
    std::vector<const Hits*> best;
    for (const std::string& form : forms_of(word)) {
        // A letter in three may be wrong, where one is exchanged for another counts twice.
        const std::size_t allowed =
            form.size() < 4 ? 0 : std::clamp<std::size_t>(form.size() / 3, 2, 4);
        for (const auto& [text, hits] : Index::get().forms()) {
            const std::size_t longer = std::max(text.size(), form.size());
            if (longer - std::min(text.size(), form.size()) > allowed || text.size() < 3) continue;
            const std::size_t edits = distance(form, text);
            if (edits > allowed || edits > least) continue;
            if (edits < least) best.clear();
            least = edits;
            best.push_back(&hits);
        }
    }
    std::vector<Nearest> nearest;
    for (const Hits* hits : best) {
        const std::string text(hits->front().text);
        const bool known =
            std::ranges::any_of(nearest, [&](const Nearest& n) { return n.word == text; });
        if (known || nearest.size() == most_words) continue;
        Nearest one{text, {}};
        for (const Hit& hit : *hits) {
            if (std::ranges::find(one.rows, hit.row) == one.rows.end()) one.rows.push_back(hit.row);
        }
        nearest.push_back(std::move(one));
    }
    return nearest;
}

}  // namespace parallax
