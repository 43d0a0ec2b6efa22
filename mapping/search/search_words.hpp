// The words of a row, of a line of code and of a search, and when two of them are the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mapping/table/table.hpp"

namespace parallax {

/// The words of a piece of code in order, each once: identifiers (`cl::Platform::get` is one),
/// `<<<`, shifts, `#pragma`, `1L` for a number that is a long; within strings only options
/// (`--fmad`) and words of the two APIs; none of comments.
std::vector<std::string> words_in_code(std::string_view code);

/// Whether it has the form of a word of an API or of a kernel language: `cudaMalloc`, `cl::Buffer`,
/// `CL_TRUE`, `__shared__`, `-cl-std`.
bool looks_like_api(std::string_view word);

/// The forms in which a word is compared, in lower case, with a blank for each joint:
/// clEnqueueWriteBuffer is `clenqueuewritebuffer` and, without its prefix, `enqueuewritebuffer`;
/// Zero-Copy is `zero copy`. The first form is the whole word's.
std::vector<std::string> forms_of(std::string_view word);

/// The word as the rows spell it: `convert_uchar_sat` for `convert_uchar4_sat`, since they name
/// conversions to scalars only; others as they are.
std::string as_rows_spell(std::string_view word);

/// A text that is searched for words, ignoring case. Within a name a word begins after an
/// underscore and where a capital or a digit follows others: `cudaMemcpy2DAsync` has `memcpy`, `2d`
/// and `async`, and no `sync`.
class SearchedText {
public:
    explicit SearchedText(std::string_view text);

    /// Where the words of `phrase`, which is in the form of forms_of(), occur in the text.
    enum class Place { nowhere, inside, beginning };
    /// As whole words, or in the plural.
    Place whole_words(std::string_view phrase) const;
    bool begins_with(std::string_view phrase) const { return text_.starts_with(phrase); }

private:
    bool is_joint(std::size_t at) const { return at >= text_.size() || begins_[at]; }

    std::string text_;          ///< in the form of forms_of()
    std::vector<bool> begins_;  ///< whether a word begins at this letter, or there is no letter
};

/// One word that leads to a rule.
struct MappedWord {
    enum Kind {
        head,    ///< a whole spelling, or the first word of one
        part,    ///< another word of a spelling
        further  ///< one of MappingRule::words
    };
    std::string text;
    Kind kind = further;
    bool in_code = false;  ///< whether it finds the rule in a line of code
};

/// All words that lead to a rule. A `*` in one matches any letters.
std::vector<MappedWord> mapped_words(const MappingRule&);

/// Whether `pattern`, which has one `*`, matches `word`.
bool stands_for(std::string_view pattern, std::string_view word);

}  // namespace parallax
