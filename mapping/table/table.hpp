// The mapping table: what each word of OpenCL C is in CUDA C++, and why.
#pragma once

#include <span>
#include <string_view>

namespace parallax {

/// How far the two spellings mean the same.
enum class Equivalence {
    same,    ///< the same meaning
    nearly,  ///< `because` says where they part, and what is done about it
    none     ///< no counterpart: the translator refuses it, `because` says what to use instead
};

/// `same`, `nearly` or `none`.
std::string_view name_of(Equivalence);

/// One row.
///
/// Where there is a counterpart, `opencl` and `cuda` are token sequences. `$` stands for one
/// balanced argument; in index rows (`.$` on the CUDA side) for the literal 0, 1 or 2, which
/// becomes x, y or z. `T`, `T2` and `T4` stand for an element type and its vectors of 2 and 4.
///
/// Where there is none, `opencl` lists what is refused for this reason, with a comma and a blank
/// between: `half` wherever it stands, `mad()` where it is called or defined, `image*` for all that
/// begin so.
struct Row {
    std::string_view
        topic;  ///< `execution`, `memory`, `synchronisation`, `types`, `functions`, ...
    std::string_view opencl;
    std::string_view cuda;     ///< empty for `none`, or for words that vanish
    std::string_view because;  ///< the trap or the reason, one or two sentences
    Equivalence equivalence = Equivalence::same;
};

/// All rows, by topic, in the order in which they are taught.
std::span<const Row> mapping_table();

}  // namespace parallax
