// One row: what a word of OpenCL is in CUDA, and why.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace parallax {

/// The degree to which the two spellings mean the same.
enum class Equivalence {
    same,    ///< the same meaning
    nearly,  ///< `rationale` says where they part, and what is done about it
    none     ///< no counterpart; the translator refuses it, `rationale` says what to use instead
};
/// The lists of rows, one a topic and a file, which table.cpp joins.
namespace row_lists {
using enum Equivalence;
}

/// A line of this program that uses what a rule maps.
struct Place {
    std::string_view file = {};  ///< `backends/opencl/run.cpp`
    std::string_view text = {};  ///< a part of the line
    bool first_of_many = false;  ///< the text occurs several times in the file: the first is meant
};

/// Places in the program's own sources: at most one for each language.
class Places {
public:
    constexpr Places(Place one = {}, Place other = {}) : places_{one, other} {}
    constexpr const Place* begin() const { return places_.data(); }
    constexpr const Place* end() const {
        return begin() + !places_[0].file.empty() + !places_[1].file.empty();
    }

private:
    std::array<Place, 2> places_;
};

/// One rule. A rule of the host APIs names functions and constants of the two APIs in `opencl` and
/// `cuda`, separated by commas. A rule of the kernel language drives the translator:
///
/// - `opencl` and `cuda` are sequences of tokens. `$` matches one argument with balanced
///   parentheses. In a rule with `.$` on the CUDA side the argument is the literal 0, 1 or 2, which
///   becomes x, y or z. `T`, `T2` and `T4` match an element type and its vectors of 2 and 4.
/// - A choice matches several words: `vload<2|3|4>($, $)` matches vload2, vload3 and vload4. The
///   same choice on the CUDA side takes the same word; a choice of other words there, of the same
///   length as the last choice, takes the word at the same position. `<type>` is any scalar type,
///   `<integer>` any integer one, `<...>` up to seven further arguments. `<type in CUDA>` and
///   `<vector in CUDA>` are CUDA's names for the chosen type. spellings_of() in table.hpp writes
///   them out.
/// - Where there is no counterpart, `opencl` lists the rejected constructs, separated by a comma
///   and a blank: `half` wherever it occurs, `mad()` where it is called or defined, `image*` for
///   all words that begin so.
/// - A rule that is used from CUDA only may name the type of CUDA's first argument, `abs(int $)`.
///   Where OpenCL has no counterpart, `cuda` lists the rejected constructs in the same form.
struct MappingRule {
    std::string_view opencl;     ///< empty: OpenCL has no word for it
    std::string_view cuda;       ///< empty: CUDA has none, or the word is removed; `=`: the same
                                 ///< spelling
    std::string_view rationale;  ///< the difference, a likely confusion, or the reason
    Equivalence equivalence = Equivalence::same;
    /// Further words that lead to the rule, separated by commas; a `*` matches any letters. Where
    /// the translation calls a function of the prelude, `@` is before CUDA's own names for it: one
    /// for each of the rule's spellings, or some for all of them; alone: CUDA has none.
    std::string_view words = {};
    Places places = {};
    // table.cpp sets the following, and replaces `=` by OpenCL's word.
    std::string_view topic = {};  ///< `memory model`
    bool kernel_language = false;
    bool from_cuda = false;  ///< used from CUDA to OpenCL only
};

}  // namespace parallax
