// OpenCL C's built-in functions and their result types.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "mapping/analyze/value_type.hpp"

namespace parallax {

/// Whether OpenCL C has a built-in function of this name (also one that the table refuses).
bool is_builtin_function(std::string_view name);

/// Whether CUDA has the function of scalars, which gives a bool there and an int in OpenCL C.
bool is_predicate_of_cuda(std::string_view name);

/// `convert_uchar4_sat_rte`, taken apart.
struct Conversion {
    ValueType to;
    bool saturates = false;
    std::string_view mode;  ///< `_rte`, `_rtz`, `_rtp`, `_rtn`, or empty
};

/// Parses the name of a conversion; nothing for other names.
std::optional<Conversion> conversion_named(std::string_view name);
/// The type that `as_float4` says; nothing for other names.
std::optional<ValueType> type_of_bits(std::string_view name);

/// An argument's type: of the pointee where it is a pointer.
struct ArgumentType {
    ValueType type;
    bool pointer = false;
};

/// The type that a call gives back, or an unknown one: where an argument's type that decides is
/// unknown, where the function gives back nothing, or where it is not one of OpenCL C.
ValueType result_of(std::string_view function, std::span<const ArgumentType> arguments);

}  // namespace parallax
