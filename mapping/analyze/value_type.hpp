// The scalar and vector types of OpenCL C, and their names in CUDA C++.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace parallax {

/// The scalars that have vectors, by OpenCL C's short names.
inline constexpr std::array<std::string_view, 11> vector_elements{
    "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"};

/// The widths of vectors.
inline constexpr std::array<unsigned, 5> vector_widths{2, 3, 4, 8, 16};

/// A scalar or vector type of OpenCL C.
struct ValueType {
    /// One of `vector_elements`; for scalars `bool` and `void` as well (`size_t` is `ulong`).
    /// Empty: not known.
    std::string_view element = {};
    unsigned width = 1;

    bool known() const { return !element.empty(); }
    bool is_vector() const { return width > 1; }
    bool operator==(const ValueType&) const = default;
};

/// `float4`, `uchar`, as OpenCL C spells it; empty where it is not known.
std::string name_of(ValueType);

/// The type that OpenCL C calls so: `float`, `uchar16`, `size_t`; not `unsigned int`. Nothing for
/// other words.
std::optional<ValueType> value_type_named(std::string_view word);

/// `size_t` and its kin: to CUDA C++ they are other types than those of 64 bits.
bool is_size_name(std::string_view word);

/// The width from the digits after an element's name: 1 without digits; nothing for a width that
/// OpenCL C lacks.
std::optional<unsigned> width_named(std::string_view digits);

/// Bytes of a scalar of this element: 1, 2, 4 or 8. (A vector of three has the size of one of
/// four.)
unsigned element_bytes(std::string_view element);
bool is_float_element(std::string_view element);   ///< half, float, double
bool is_signed_element(std::string_view element);  ///< char, short, int, long

/// The result type of OpenCL's comparison of two such vectors: the signed integers of the same size
/// and width. For scalars: int.
ValueType comparison_of(ValueType);

/// The unsigned integers of the same size and width.
ValueType unsigned_like(ValueType);
/// The integers of twice the size and the same width; unknown where there are none.
ValueType wide_like(ValueType);

/// Its name in CUDA C++: `float4`, `unsigned char`, `longlong2`. Where CUDA has no such vector or
/// one of another layout, a name that the prelude defines: `float3_16a`, `double4_32a`, `float8`.
std::string cuda_name(ValueType);

/// Whether CUDA itself has the type, with OpenCL's size and alignment.
bool is_cuda_type(ValueType);

/// The name of the function that puts a vector together: `make_float4`, `make_float3_16a`.
std::string maker_of(ValueType);

/// The member of component `i`: `x`, `y`, `z`, `w` up to a width of four; `s0` ... `sf` beyond.
std::string component_name(ValueType, unsigned i);

/// The components that `name` selects of a vector of this width (`xyz`, `s03`, `lo`, `odd`), the
/// first being 0, or nothing where it selects none. `unsigned width` 0: of any width, and then
/// `lo`, `hi`, `even` and `odd` give nothing.
std::optional<std::string> components_of(std::string_view name, unsigned width);

}  // namespace parallax
