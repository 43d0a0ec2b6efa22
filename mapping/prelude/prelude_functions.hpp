// What the files with the prelude's functions share.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/prelude/prelude_parts.hpp"

namespace parallax {

/// Built-in functions that work component by component and have the same parameters.
struct Family {
    std::string_view names;  ///< with blanks between
    /// A letter each: h half, f float, d double; c char, s short, i int, l long, and the unsigned
    /// ones in capitals.
    std::string_view elements;
    /// `v:vs v:vv`: the result, a colon, the parameters. v: the type itself, s: its element,
    /// i: int of as many components, k: one int, u: its unsigned integer, w: its integer of twice
    /// the size, f: the float of its size; V, I: pointers to v and i.
    std::string_view forms;
    /// The letters of the elements for which CUDA has the scalar function.
    std::string_view cuda;
    /// For scalars a, b, c, d: an expression, or a block in braces. `$t` is the type, `$u` and `$w`
    /// as above, `$W` the unsigned of `$w`, `$b` the bits, `$m` one less, `$L` and `$H` the least
    /// and the largest integer, `$x` and `$X` the widest signed and unsigned integers.
    std::string_view body = {};
    /// The scalar function that vectors call, where it has another name.
    std::string_view scalar = {};
};

std::span<const Family> math_families();
std::span<const Family> integer_families();

/// What a letter of a form means for a function of this type; for V and I what is pointed to.
ValueType type_meant(char code, ValueType type);

/// The words of a list with blanks between.
std::vector<std::string_view> words_in(std::string_view list);
/// Whether `list`, words with blanks between, has `word`.
bool lists(std::string_view list, std::string_view word);

/// `texts` with `$x` replaced by what `values` gives for it.
struct Placeholder {
    char letter;
    std::string value;
};
std::string filled(std::string_view text, std::span<const Placeholder> values);

/// A key's spelling: `float4 exp`.
std::string key_of(ValueType type, std::string_view word);

/// A function that is one text for all types.
struct PlainFunction {
    std::string_view names;  ///< all that the text defines, with blanks between
    std::string_view text;
    std::string_view needs = {};  ///< plain keys, with blanks between
};

/// The definition by `list`. Names that share a text share a key, the first of them.
std::optional<Definition> plain_definition(std::span<const PlainFunction> list,
                                           const PreludeKey& key);
bool defines(std::span<const PlainFunction> list, std::string_view word);

std::optional<Definition> family_definition(const PreludeKey& key);
std::optional<Definition> geometric_definition(const PreludeKey& key);
std::optional<Definition> sub_group_definition(const PreludeKey& key);
std::optional<Definition> atomic_definition(const PreludeKey& key);
std::optional<Definition> half_definition(const PreludeKey& key);
std::span<const PlainFunction> work_item_functions();     ///< and those of the whole group
std::span<const PlainFunction> memory_model_functions();  ///< C11's atomics
std::span<const PlainFunction> image_functions();

bool is_family_word(std::string_view word);
bool is_geometric_word(std::string_view word);
bool is_sub_group_word(std::string_view word);
bool is_atomic_word(std::string_view word);

}  // namespace parallax
