// What the families of definitions of vectors share, one file each.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/prelude/prelude_parts.hpp"

namespace parallax {

/// The definition of a typed key, or nothing where the key is not the family's or makes no sense.
std::optional<Definition> layout_definition(const PreludeKey&);
std::optional<Definition> operator_definition(const PreludeKey&);
std::optional<Definition> relational_definition(const PreludeKey&);
std::optional<Definition> selection_definition(const PreludeKey&);
std::optional<Definition> memory_definition(const PreludeKey&);
std::optional<Definition> conversion_definition(const PreludeKey&);

/// Lines of at most 100 columns, broken after commas where there are some; what is left of a line
/// is indented by four more.
std::string wrapped(std::string_view text, std::size_t indent);

/// `__device__ inline HEAD { BODY }`: on one line where it fits, otherwise wrapped to 100 columns.
std::string device_function(std::string_view head, std::string_view body);

/// The scalar that the vector is made of, and the vector of the same element and another width.
ValueType element_of(ValueType);
ValueType with_width(ValueType, unsigned width);

/// What CUDA calls the type as a parameter. A scalar of 8 bytes has two names: `unsigned long
/// long`, and `unsigned long`, which is the type of `size_t` and would fit neither overload better.
std::vector<std::string> parameter_names(ValueType);

/// The width that `digits` says, 1 for none at all; 0 for no width of OpenCL C.
unsigned width_named(std::string_view digits);

}  // namespace parallax
