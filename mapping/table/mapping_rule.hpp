// One row: what a word of OpenCL is in CUDA, and why.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace parallax {

/// How far the two spellings mean the same.
enum class Equivalence {
    same,    ///< the same meaning
    nearly,  ///< `rationale` says where they part, and what is done about it
    none     ///< no counterpart; the translator refuses it, `rationale` says what to use instead
};
/// The lists of rows, one a topic and a file, which table.cpp joins.
namespace row_lists {
using enum Equivalence;
}

/// A line of this program that does what a row speaks of.
struct Place {
    std::string_view file = {};  ///< `backends/opencl/run.cpp`
    std::string_view text = {};  ///< a part of the line
    bool first_of_many = false;  ///< the text stands in the file more than once: the first is meant
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

/// One row. A row of a host's words names functions and constants of the two APIs in `opencl` and
/// `cuda`, with a comma between. A row of the kernel language is what the translator goes by:
///
/// - `opencl` and `cuda` are sequences of tokens. `$` stands for one argument with balanced
///   parentheses. In a row with `.$` on the CUDA side the argument is the literal 0, 1 or 2, which
///   becomes x, y or z. `T`, `T2` and `T4` stand for an element type and its vectors of 2 and 4.
/// - A choice stands for several words: `vload<2|3|4>($, $)` for vload2, vload3 and vload4. The
///   same choice on the CUDA side takes the same word; other words in angles there, as many as in
///   the last choice, take the one in the same place. `<type>` is any scalar type, `<integer>` any
///   integer one, `<...>` up to seven further arguments. `<type in CUDA>` and `<vector in CUDA>`
///   are what CUDA calls the type that was chosen. spellings_of() in table.hpp writes them out.
/// - Where there is no counterpart, `opencl` lists what is refused for this reason, with a comma
///   and a blank between: `half` wherever it stands, `mad()` where it is called or defined,
///   `image*` for all that begins so.
/// - A row that is read from CUDA alone may name the type of CUDA's first argument, `abs(int $)`.
///   Where OpenCL has no counterpart, `cuda` lists what is refused, as `opencl` does otherwise.
struct MappingRule {
    std::string_view opencl;     ///< empty: OpenCL has no word for it
    std::string_view cuda;       ///< empty: CUDA has none, or the word vanishes; `=`: spelled alike
    std::string_view rationale;  ///< where the two part, what is mistaken for what, or the reason
    Equivalence equivalence = Equivalence::same;
    /// Further words that lead to the row, with a comma between; a `*` stands for any letters.
    /// Where the translation calls a function of the prelude, `@` is before CUDA's own names for
    /// it: one for each of the row's spellings, or some for all of them.
    std::string_view words = {};
    Places places = {};
    // What follows is written by table.cpp, and so is OpenCL's word in place of `=`.
    std::string_view topic = {};  ///< `memory model`
    bool kernel_language = false;
    bool from_cuda = false;  ///< read from right to left alone
};

}  // namespace parallax
