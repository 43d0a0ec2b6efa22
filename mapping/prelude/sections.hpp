// The prelude's functions from the .cuh files of this folder, cut into sections.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/analyze/value_type.hpp"

namespace parallax {

/// A section begins with a line `// == NAMES: CLAUSE; CLAUSE`, which may go on in lines that begin
/// with `//    `, and has the CUDA source that defines these names. Comments in front of such a
/// line are for the reader of the file only. The clauses:
///
/// - `needs A, B`: required definitions, which precede this one; of the same type where the text
///   has one.
/// - `each`: a definition for each name, which the text calls `NAME`. A name may have a word behind
///   it, `atomic_add(atomicAdd)`, which the text calls `BASE`. `BASE` must precede it where it is a
///   name, too.
/// - `and NAME_explicit`: the text of each name defines this one as well.
/// - `for int float`: one definition for each of these types, which the text calls `T`; `integers`
///   and `floats` are short for all of them. A `half` next to other types is computed as a float
///   and rounded. Vectors are computed by components, by calls of the scalar function.
/// - `CUDA has int float`: for these types nothing is written (`all`: for none).
/// - `also (T, one T)`: vectors have this list of parameters as well; `one T` is a scalar.
/// - `by NAME`: vectors call this scalar function.
/// - `scalars only`: there is none of vectors.
/// - `operators + -`: a part of a type's text for each of these, which it calls `OPERATOR`.
/// - `vectors 2 3 4`: of vectors of these widths, which the text calls `V`, of elements `T`.
///
/// In a text with `for` these words depend on `T`: `unsigned_T`, `wide_T` (the integer of twice the
/// size), `unsigned_wide_T`, `float_T` (the float of the same size), `bits_T` (how many it has),
/// `last_bit_T` (one less), `lowest_T`, `highest_T`, `half_epsilon_T` (half the distance of 1 to
/// the next number). In one with `vectors`: `make_V`, `EACH(a.c + 1)` for the vector of the
/// expression for each component, `SUM(a.c * b.c)` for its sum over them, and the numbers by which
/// lengths are scaled: `scale_down_T`, `scale_up_T`, `small_sum_T`.
struct Section {
    /// A name that the section defines.
    struct Name {
        std::string_view name, base;
    };
    std::vector<Name> names;
    bool each = false, scalars_only = false;
    std::vector<std::string_view> elements;  ///< empty: the text has no type
    std::vector<std::string_view> in_cuda;   ///< the elements that CUDA has it for
    std::vector<std::string_view> also;      ///< `T, one T`
    std::vector<std::string_view> needs;
    std::vector<std::string_view> operators;
    std::vector<unsigned> widths;               ///< of `vectors`; empty for others
    std::string_view further_name, vectors_by;  ///< of the clauses `and` and `by`
    std::string_view text;

    /// The name that `and` adds to this one; empty: none.
    std::string further_name_of(const Name&) const;
    /// The entry of `names` that is `word`, or adds it; null: none.
    const Name* named(std::string_view word) const;
};

/// `text` with all words written out that depend on the name and on the type; of an unknown type,
/// only those that depend on the name.
std::string filled(std::string_view text, const Section::Name& name, ValueType type);

/// All sections, file by file.
std::span<const Section> prelude_sections();

/// The sections that define `word`, in the order of their file.
std::vector<const Section*> sections_of(std::string_view word);

}  // namespace parallax
