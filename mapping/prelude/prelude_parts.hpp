// What the parts of the prelude share: vectors, which C++ code makes, and functions, which the
// .cuh files have.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/translate/value_type.hpp"

namespace parallax {

/// One definition of the prelude and the keys that it needs in front of it. The text is empty where
/// CUDA has what the key asks for, or where the needs are all there is to it.
struct Definition {
    std::string text;
    std::vector<std::string> needs = {};
};

/// A key, taken apart: `float4 make 2 1 1` is the type float4, the word `make`, the rest `2 1 1`. A
/// key without a type has an unknown one.
struct PreludeKey {
    ValueType type = {};
    std::string word = {}, rest = {};
};

/// What a part of the prelude makes of a key; nothing where the key is not its own or makes no
/// sense.
std::optional<Definition> vector_definition(const PreludeKey&);
std::optional<Definition> function_definition(const PreludeKey&);

/// Whether the part can define the word for some type.
bool is_vector_word(std::string_view word);
bool is_function_word(std::string_view word);

/// A key's spelling: `float4 exp`.
std::string key_of(ValueType type, std::string_view word);

/// The key of the maker from scalars: `float4 make 1 1 1 1`.
std::string maker_key(ValueType type);

/// `text` with every `{c}` replaced by `component`.
std::string for_component(std::string_view text, std::string_view component);

/// `make_float4(EACH of x, ..., EACH of w)`: an expression; `{c}` in `each` is replaced by the
/// component's name. The key of the type (`float4`) brings the maker with it.
std::string by_components(ValueType type, std::string_view each);

}  // namespace parallax
