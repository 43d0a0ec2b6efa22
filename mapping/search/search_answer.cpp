// Classifies a question, and finds its answer.
#include "mapping/search/search_answer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/text.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/search/search_words.hpp"

namespace parallax {
namespace {

constexpr std::size_t longest_quote = 60;
constexpr std::size_t most_bytes = 4096;  // of a question

/// Whether it has marks that code has and words have not.
bool is_code(std::string_view text) {
    return text.find_first_of("(){}[];=<>&|+,\"/") != text.npos || text.find("->") != text.npos;
}

/// The word that a question in the form of a call or of an option asks for: `__syncthreads()`,
/// `--fmad=false`.
std::string_view bare_word(std::string_view text) {
    if (text.starts_with('-')) return text.substr(0, text.find_first_of("= "));
    if (text.ends_with("()")) text.remove_suffix(2);
    return text;
}

/// `threadIdx` of `threadIdx.x`: rows speak of all dimensions.
std::string_view without_dimension(std::string_view text) {
    for (const std::string_view index : {"threadIdx", "blockIdx", "blockDim", "gridDim"}) {
        if (text.starts_with(index) && is_one_of(text.substr(index.size()), {".x", ".y", ".z"})) {
            return index;
        }
    }
    return text;
}

void add(std::vector<Found>& found, const MappingRule* row, Match match) {
    if (std::ranges::find(found, row, &Found::row) == found.end()) found.push_back({row, match});
}

/// Adds the rows of the words nearest to `word`. @returns whether there are any
bool take_nearest(const std::string& word, Answer& answer) {
    UnknownWord unknown{word, {}};
    for (const Nearest& nearest : nearest_to(word)) {
        unknown.nearest.push_back(nearest.word);
        for (const MappingRule* row : nearest.rows) add(answer.found, row, Match::form);
    }
    answer.unknown.push_back(unknown);
    return !unknown.nearest.empty();
}

void answer_code(std::string_view code, std::string_view beside, bool host_code, Answer& answer) {
    const std::vector<std::string> words = words_in_code(code);
    for (const MappingRule* row : rows_for_code(code, beside, host_code)) {
        add(answer.found, row, Match::exact);
        answer.found.back().spelling = spelling_with(*answer.found.back().row, words);
    }
    for (const std::string& word : words) {
        if (!looks_like_api(word) || !rows_for_code(word).empty()) continue;
        take_nearest(word, answer);
    }
}

bool has_words_match(const std::vector<Found>& found) {
    return !found.empty() && found.front().match <= Match::topic;
}

[[noreturn]] void refuse(std::string_view question) {
    throw UsageError(
        fmt::format("No row speaks of '{}', and no word of the map is near it. Name a word of "
                    "OpenCL or CUDA, a concept (warp, zero copy), a topic (memory model), or a "
                    "line of code; 'parallax map' shows all rows.",
                    printable(question, longest_quote)));
}

}  // namespace

Answer answer_to(std::string_view question) {
    const std::string_view asked = without_dimension(trimmed(question));
    if (asked.empty()) {
        throw UsageError(
            "The word is empty. Name one, or leave it out: 'parallax map' shows all rows.");
    }
    if (asked.size() > most_bytes) {
        throw UsageError(
            fmt::format("'{}' has {} bytes, and {} are the most. Name a word, or a "
                        "line of code.",
                        printable(asked, longest_quote), asked.size(), most_bytes));
    }
    Answer answer;
    answer.line = named_line(asked);
    if (answer.line) {
        const std::string_view beside = answer.line->other ? answer.line->other->text : "";
        answer_code(answer.line->line.text, beside, answer.line->is_host_code, answer);
        if (!answer.found.empty()) return answer;
        const NamedLine& line = *answer.line;
        const bool is_same = line.other && line.other->text == line.line.text;
        throw UsageError(fmt::format("No word of {}:{} has a row: '{}'{}.", line.line.file,
                                     line.line.number,
                                     printable(trimmed(line.line.text), longest_quote),
                                     is_same ? " reads the same in both languages" : ""));
    }
    // A spelling of a row may look like code itself: barrier(CLK_LOCAL_MEM_FENCE).
    answer.found = rows_for(asked);
    if (has_words_match(answer.found)) return answer;
    const std::string_view word = bare_word(asked);
    if (is_code(word)) {
        answer.found.clear();
        answer_code(asked, {}, false, answer);
        if (answer.found.empty()) refuse(asked);
        return answer;
    }
    if (word != asked) answer.found = rows_for(word);
    if (!answer.found.empty()) return answer;
    if (asked.find(' ') != asked.npos) answer_code(asked, {}, false, answer);
    if (answer.found.empty()) {
        answer.unknown.clear();
        if (!take_nearest(std::string(word), answer)) refuse(asked);
    }
    return answer;
}

}  // namespace parallax
