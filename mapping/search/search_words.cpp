// Takes spellings and searches apart into words.
#include "mapping/search/search_words.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/text/characters.hpp"
#include "common/text/text.hpp"
#include "mapping/analyze/builtins.hpp"
#include "mapping/analyze/outline.hpp"
#include "mapping/analyze/word_lists.hpp"

namespace parallax {
namespace {

/// The word without the prefix of its API; empty: it has none.
std::string_view without_prefix(std::string_view word) {
    for (const std::string_view prefix :
         {"cl::", "-cl-nv-", "-cl-", "CL_", "cl_", "CU_", "CUDA_", "NVRTC_"}) {
        if (word.starts_with(prefix)) return word.substr(prefix.size());
    }
    for (const std::string_view prefix : {"cl", "cuda", "cu", "nvrtc"}) {
        if (word.size() > prefix.size() && word.starts_with(prefix) &&
            is_upper(word[prefix.size()])) {
            return word.substr(prefix.size());
        }
    }
    return {};
}

/// Lower case, with single blanks for what joins parts of words.
std::string plain(std::string_view word) {
    std::string out;
    for (const char c : lower_case(word)) {
        const bool joins = c == '-' || c == '_' || c == ' ' || c == '\t' || c == '\n';
        if (!joins) {
            out += c;
        } else if (!out.empty() && out.back() != ' ') {
            out += ' ';
        }
    }
    while (out.ends_with(' ')) out.pop_back();
    return out;
}

/// Whether a name's next word begins at `at`: a capital or a digit behind others, or the last
/// capital of several.
bool begins_word(std::string_view text, std::size_t at) {
    if (at == 0) return true;
    const char before = text[at - 1], here = text[at];
    if (!is_word_character(here) || !is_word_character(before) || before == '_') return true;
    if (is_digit(here)) return !is_digit(before);
    if (!is_upper(here)) return false;
    const bool small_follows = at + 1 < text.size() && text[at + 1] >= 'a' && text[at + 1] <= 'z';
    return (!is_upper(before) && !is_digit(before)) || (is_upper(before) && small_follows);
}

/// Placeholders in spellings, and words that are too frequent.
bool is_ordinary(std::string_view word) {
    return word.size() == 1 || is_one_of(word, {"T2", "T4", "NAME", "name", "text", "value", "data",
                                                "at", "file", "scope", "typedef"});
}

bool is_type_word(std::string_view word) {
    return is_one_of(word, {"const", "unsigned", "signed", "int", "long", "char", "void", "float",
                            "double", "short", "size_t", "extern", "uint", "ulong"});
}

/// An underscore, or upper case or a digit behind lower case: no word of English.
bool looks_like_name(std::string_view word) {
    const auto inner = [](char c) { return is_upper(c) || is_digit(c); };
    const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
    if (word.size() < 3 || !std::ranges::all_of(word, is_word_character)) return false;
    return word.find('_') != word.npos ||
           (std::ranges::any_of(word, is_lower) && std::ranges::any_of(word.substr(1), inner));
}

/// The spellings between commas, except commas in brackets.
std::vector<std::string_view> parts_of(std::string_view list) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i <= list.size(); ++i) {
        const char c = i < list.size() ? list[i] : ',';
        if (c == '(' || c == '<' || c == '[') ++depth;
        if ((c == ')' || c == '>' || c == ']') && depth > 0) --depth;
        if (i < list.size() && (c != ',' || depth > 0)) continue;
        if (const auto part = trimmed(list.substr(start, i - start)); !part.empty()) {
            parts.push_back(part);
        }
        start = i + 1;
    }
    return parts;
}

/// The options among the words of a spelling, up to what is given to them: `--fmad` of
/// `--fmad=false`.
std::string_view option_of(std::string_view part) {
    if (!part.starts_with('-')) return {};
    const std::size_t end = part.find_first_of("= ");
    return part.substr(0, end);
}

class Collector {
public:
    explicit Collector(const MappingRule& row) : row_(row) {}

    std::vector<MappedWord> words() {
        for (const Spelling& one : spellings_of(row_)) {
            add_spelling(one.opencl);
            add_spelling(one.cuda);
        }
        for (std::string_view word : split(row_.words, ",")) {
            if (word.starts_with('@')) word.remove_prefix(1);
            if (word.empty()) continue;
            const bool is_operator = std::ranges::none_of(word, is_word_character);
            add(word, MappedWord::further,
                is_operator || looks_like_api(word) || looks_like_name(word));
        }
        return std::move(found_);
    }

private:
    void add(std::string_view word, MappedWord::Kind kind, bool in_code) {
        const auto known = std::ranges::find(found_, word, &MappedWord::text);
        if (known == found_.end()) {
            found_.push_back({std::string(word), kind, in_code});
        } else {
            known->in_code = known->in_code || in_code;
        }
        // The C++ bindings' member functions.
        if (word.starts_with("clEnqueue")) {
            add(fmt::format("e{}", word.substr(3)), MappedWord::further, in_code);
        }
    }

    void add_spelling(std::string_view spelling) {
        if (row_.kernel_language && row_.equivalence == Equivalence::none) {
            // A list of what is refused: `half`, `mad()`, `image*_t`.
            for (std::string_view part : parts_of(spelling)) {
                if (part.ends_with("()")) part.remove_suffix(2);
                add(part, MappedWord::head, true);
            }
            return;
        }
        if (row_.kernel_language) {
            if (spelling.empty()) return;
            // A word that both languages have says nothing of a line of code.
            const bool is_shared = is_shared_keyword(spelling);
            add(spelling, MappedWord::head,
                std::ranges::all_of(spelling, is_word_character) && !is_shared);
            if (!is_shared) add_identifiers(spelling);
            return;
        }
        for (const std::string_view part : parts_of(spelling)) {
            add(part, MappedWord::head, looks_like_api(part));
            if (const std::string_view option = option_of(part); !option.empty()) {
                add(option, MappedWord::head, true);
            }
            add_identifiers(part);
        }
    }

    void add_identifiers(std::string_view text) {
        MappedWord::Kind kind = MappedWord::head;
        // In an expression a type is a conversion; alone it is what the row is about.
        const bool is_type =
            std::ranges::all_of(text, [](char c) { return is_word_character(c) || c == ' '; });
        for (const std::string& word : words_in_code(text)) {
            if (is_ordinary(word) || (is_type_word(word) && !is_type)) continue;
            if (!row_.kernel_language && !looks_like_api(word)) continue;
            add(word, kind, true);
            kind = MappedWord::part;
            // In code a member follows a variable's name.
            if (const std::size_t scope = word.rfind("::"); scope != word.npos) {
                const std::string_view member = std::string_view(word).substr(scope + 2);
                if (looks_like_name(member)) add(member, kind, true);
            }
        }
    }

    const MappingRule& row_;
    std::vector<MappedWord> found_;
};

}  // namespace

bool looks_like_api(std::string_view word) {
    if (word.starts_with("__") || word.starts_with("--") || word == "<<<") return true;
    if (word.starts_with("-cl-")) return true;
    if (word.find(' ') != word.npos) return false;
    return !without_prefix(word).empty();
}

std::vector<std::string> forms_of(std::string_view word) {
    std::vector<std::string> forms{plain(word)};
    if (std::string short_form = plain(without_prefix(word)); !short_form.empty()) {
        if (short_form.ends_with(" t")) short_form.resize(short_form.size() - 2);
        forms.push_back(std::move(short_form));
    }
    return forms;
}

std::string as_rows_spell(std::string_view word) {
    const auto conversion = conversion_named(word);
    const auto type = conversion ? conversion->to : type_of_bits(word).value_or(ValueType{});
    if (!type.is_vector()) return std::string(word);
    return replaced(word, name_of(type), type.element);
}

SearchedText::SearchedText(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string one = plain(text.substr(i, 1));
        if (!one.empty()) {
            text_ += one;
            begins_.push_back(begins_word(text, i));
        } else if (!text_.empty() && text_.back() != ' ') {
            text_ += ' ';
            begins_.push_back(true);
        }
    }
}

SearchedText::Place SearchedText::whole_words(std::string_view phrase) const {
    for (std::size_t at = text_.find(phrase); at != text_.npos; at = text_.find(phrase, at + 1)) {
        const std::size_t end = at + phrase.size();
        if (!is_joint(at)) continue;
        const bool is_plural = end < text_.size() && text_[end] == 's' && is_joint(end + 1);
        if (is_joint(end) || is_plural) return at == 0 ? Place::beginning : Place::inside;
    }
    return Place::nowhere;
}

std::vector<MappedWord> mapped_words(const MappingRule& row) {
    return Collector(row).words();
}

bool stands_for(std::string_view pattern, std::string_view word) {
    const std::size_t star = pattern.find('*');
    const std::string_view begin = pattern.substr(0, star), end = pattern.substr(star + 1);
    return word.size() >= begin.size() + end.size() && word.starts_with(begin) &&
           word.ends_with(end);
}

}  // namespace parallax
