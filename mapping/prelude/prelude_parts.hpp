// Shared by the parts of the prelude: vectors, which C++ code generates, and functions from the
// .cuh files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/analyze/value_type.hpp"

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

/// The definition of a key by one part of the prelude; nothing where the key is not its own or is
/// invalid.
std::optional<Definition> vector_definition(const PreludeKey&);
std::optional<Definition> function_definition(const PreludeKey&);

/// The definition of a typed key by a family of vectors' definitions, one file each.
std::optional<Definition> layout_definition(const PreludeKey&);
std::optional<Definition> operator_definition(const PreludeKey&);
std::optional<Definition> relational_definition(const PreludeKey&);
std::optional<Definition> memory_definition(const PreludeKey&);
std::optional<Definition> conversion_definition(const PreludeKey&);

/// Whether the part can define the word for some type.
bool is_vector_word(std::string_view word);
bool is_function_word(std::string_view word);

/// A key's spelling: `float4 exp`.
std::string key_of(ValueType type, std::string_view word);

/// The key of the maker from scalars: `float4 make 1 1 1 1`.
std::string maker_key(ValueType type);

/// `each` for every component with `between` between them: `{c}` in it is the component's name,
/// `{i}` its number.
std::string for_components(ValueType type, std::string_view each, std::string_view between = ", ");

/// `make_float4(EACH of x, ..., EACH of w)`: an expression. Of a scalar it is EACH, without the
/// `.{c}` in it. The key of the type (`float4`) brings the maker with it.
std::string by_components(ValueType type, std::string_view each);

/// Lines of at most 100 columns, broken after commas where there are some; what is left of a line
/// is indented by four more.
std::string wrapped(std::string_view text, std::size_t indent);

/// `__device__ inline HEAD { BODY }`: on one line where it fits, otherwise wrapped to 100 columns.
std::string device_function(std::string_view head, std::string_view body);

/// The same with the body `return VALUE;`.
std::string function_of(std::string_view head, std::string_view value);

/// The names that CUDA has for the type. A scalar of 8 bytes has two: `unsigned long long`, and
/// `unsigned long`, which is the type of `size_t` and would fit no overload better than others.
std::vector<std::string> names_of_scalar(ValueType);

/// One function for each of these names of a parameter's type, which `head` calls `{T}`.
std::string functions_of_names(ValueType, std::string_view head, std::string_view body);

/// The scalar that the vector is made of, and the vector of the same element and another width.
ValueType element_of(ValueType);
ValueType with_width(ValueType, unsigned width);

}  // namespace parallax
