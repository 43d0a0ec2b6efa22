// Writes out the spellings of a rule with choices.
#include <algorithm>
#include <optional>

#include "common/text/characters.hpp"
#include "mapping/analyze/value_type.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/table/table.hpp"

namespace parallax {
namespace {

/// Choices that have a name; others are written out, `<min|max>`.
struct NamedChoice {
    std::string_view name, words;  ///< words with a bar between
};
constexpr NamedChoice named_choices[] = {
    {"type", "char|uchar|short|ushort|int|uint|long|ulong|half|float|double"},
    {"integer", "char|uchar|short|ushort|int|uint|long|ulong"},
    {"...",
     "|, $|, $, $|, $, $, $|, $, $, $, $|, $, $, $, $, $|, $, $, $, $, $, $|, $, $, $, $, $, $, $"},
};

/// A choice in a spelling.
struct Choice {
    std::size_t at = 0, size = 0;  ///< its position and length, including the angle brackets
    std::string_view words;
};

std::optional<Choice> first_choice(std::string_view text) {
    for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at + 1)) {
        const std::size_t end = text.find('>', at);
        if (end == text.npos) return {};
        const std::string_view inside = text.substr(at + 1, end - at - 1);
        const auto* const named = std::ranges::find(named_choices, inside, &NamedChoice::name);
        if (named != std::end(named_choices)) return Choice{at, end + 1 - at, named->words};
        const bool is_list = std::ranges::all_of(inside, [&](char c) {
            return is_word_character(c) || std::string_view("|, $.()+-*/").find(c) != inside.npos;
        });
        if (is_list && inside.find('|') != inside.npos) return Choice{at, end + 1 - at, inside};
    }
    return {};
}

/// The alternatives of a choice; one may be empty.
std::vector<std::string_view> words_of(const Choice& choice) {
    std::vector<std::string_view> words;
    for (std::string_view rest = choice.words;;) {
        const std::size_t bar = rest.find('|');
        words.push_back(rest.substr(0, bar));
        if (bar == rest.npos) return words;
        rest.remove_prefix(bar + 1);
    }
}

/// CUDA's name of the OpenCL type at `at`; empty where there is none.
std::string cuda_type_at(std::string_view opencl, std::size_t at) {
    std::size_t end = at;
    while (end < opencl.size() && is_word_character(opencl[end]) && opencl[end] != '_') ++end;
    const auto type = value_type_named(opencl.substr(at, end - at));
    return type ? cuda_name(*type) : std::string();
}

/// Adds the spellings of `one`, whose choices before `type_at`, the position of the first chosen
/// type, have been made.
void add_spellings(Spelling one, std::optional<std::size_t> type_at, std::vector<Spelling>& to) {
    const auto choice = first_choice(one.opencl);
    if (!choice) {
        const std::string type = type_at ? cuda_type_at(one.opencl, *type_at) : "";
        for (const std::string_view name : {"<type in CUDA>", "<vector in CUDA>"}) {
            one.cuda = replaced(one.cuda, name, type);
        }
        to.push_back(std::move(one));
        return;
    }
    const std::string written = one.opencl.substr(choice->at, choice->size);
    const std::vector<std::string_view> words = words_of(*choice);
    for (std::size_t i = 0; i < words.size(); ++i) {
        Spelling made = one;
        made.opencl.replace(choice->at, choice->size, words[i]);
        made.cuda = replaced(made.cuda, written, words[i]);
        const auto other = first_choice(made.cuda);
        if (other && !first_choice(made.opencl)) {
            made.cuda.replace(other->at, other->size, words_of(*other).at(i));
        }
        const bool is_type = !type_at && value_type_named(words[i]);
        add_spellings(std::move(made), is_type ? choice->at : type_at, to);
    }
}

}  // namespace

Spelling spelling_with(const MappingRule& row, std::span<const std::string> words) {
    std::vector<Spelling> all = spellings_of(row);
    if (all.size() > 1) {
        const std::vector<std::string_view> own = names_in_cuda(row);
        for (const std::string& word : words) {
            const auto named = std::ranges::find(own, word);
            if (named != own.end() && own.size() == all.size()) {
                return std::move(all[static_cast<std::size_t>(named - own.begin())]);
            }
            for (Spelling& one : all) {
                if (has_word(one.opencl, word) || has_word(one.cuda, word)) return std::move(one);
            }
        }
    }
    return {std::string(row.opencl), std::string(row.cuda)};
}

std::vector<Spelling> spellings_of(const MappingRule& row) {
    if (!row.kernel_language || row.equivalence == Equivalence::none) {
        return {{std::string(row.opencl), std::string(row.cuda)}};
    }
    std::vector<Spelling> all;
    add_spellings({std::string(row.opencl), std::string(row.cuda)}, {}, all);
    return all;
}

}  // namespace parallax
