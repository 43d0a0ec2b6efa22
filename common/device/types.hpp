// The element types of kernels, and host arrays of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/device/half.hpp"
#include "common/error.hpp"

namespace parallax {

/// The scalars of OpenCL C that can be stored in memory.
enum class ElementType { f32, f64, i32, i8, u8, i16, u16, u32, i64, u64, f16 };

/// The types that `T` can be in the suites' kernel sources.
inline constexpr std::array all_element_types{ElementType::f32, ElementType::f64, ElementType::i32};
/// All element types, for kernels outside the suites.
inline constexpr std::array all_scalar_types{ElementType::i8,  ElementType::u8,  ElementType::i16,
                                             ElementType::u16, ElementType::i32, ElementType::u32,
                                             ElementType::i64, ElementType::u64, ElementType::f16,
                                             ElementType::f32, ElementType::f64};

/// Its name in OpenCL C and on the command line: `float`, `double`, `int`, `uchar`, ...
std::string_view name_of(ElementType);
/// The type with that name, or nothing.
std::optional<ElementType> element_type_named(std::string_view name);
/// Bytes of one element.
constexpr std::size_t size_of(ElementType type) {
    switch (type) {
        case ElementType::i8:
        case ElementType::u8: return 1;
        case ElementType::i16:
        case ElementType::u16:
        case ElementType::f16: return 2;
        case ElementType::f64:
        case ElementType::i64:
        case ElementType::u64: return 8;
        case ElementType::f32:
        case ElementType::i32:
        case ElementType::u32: break;
    }
    return 4;
}
constexpr bool is_floating(ElementType type) {
    return type == ElementType::f16 || type == ElementType::f32 || type == ElementType::f64;
}
constexpr bool is_signed(ElementType type) {
    return type == ElementType::i8 || type == ElementType::i16 || type == ElementType::i32 ||
           type == ElementType::i64;
}
/// Whether kernels of suites and ceilings can be built for it.
constexpr bool is_suite_type(ElementType type) {
    return type == ElementType::f32 || type == ElementType::f64 || type == ElementType::i32;
}

/// Calls `f` with a value of the C++ type behind `type`, one of all_element_types:
/// `visit_type(t, [](auto zero) {...})`. @throws Error for another type.
template <class F>
decltype(auto) visit_type(ElementType type, F&& f) {
    switch (type) {
        case ElementType::f64: return f(double{});
        case ElementType::i32: return f(std::int32_t{});
        case ElementType::f32: return f(float{});
        default: break;
    }
    throw Error("An element type that the suites do not have: " + std::string(name_of(type)));
}

/// The same for all_scalar_types; a `half` is a Half.
template <class F>
decltype(auto) visit_any_type(ElementType type, F&& f) {
    switch (type) {
        case ElementType::i8: return f(std::int8_t{});
        case ElementType::u8: return f(std::uint8_t{});
        case ElementType::i16: return f(std::int16_t{});
        case ElementType::u16: return f(std::uint16_t{});
        case ElementType::u32: return f(std::uint32_t{});
        case ElementType::i64: return f(std::int64_t{});
        case ElementType::u64: return f(std::uint64_t{});
        case ElementType::f16: return f(Half{});
        default: break;
    }
    return visit_type(type, std::forward<F>(f));
}

/// A vector passed to a kernel by value: its bytes as OpenCL lays them out.
struct VectorValue {
    std::string type;  ///< `float4`
    std::vector<std::byte> bytes;
    bool operator==(const VectorValue&) const = default;
};

/// A value passed to a kernel: a number of any type, or a vector of them.
using Scalar =
    std::variant<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double,
                 std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, Half, VectorValue>;

/// The OpenCL C name of its type.
std::string_view type_name(const Scalar&);
std::string to_string(const Scalar&);
/// Its bytes; valid as long as the value.
std::span<const std::byte> bytes_of(const Scalar&);
std::span<const std::byte> bytes_of(const Scalar&&) = delete;  // would dangle

/// Host elements of one type, contiguous, aligned for any type. Values are undefined at first:
/// zeroing gigabytes on one core would take longer than filling them on all.
class HostArray {
public:
    HostArray() = default;
    HostArray(ElementType type, std::size_t elements)
        : type_(type),
          size_(elements),
          bytes_(std::make_unique_for_overwrite<std::byte[]>(elements * size_of(type))) {}
    /// Elements in host memory with another owner; the array shares its ownership.
    /// @param bytes  at least elements * size_of(type)
    HostArray(ElementType type, std::size_t elements, std::shared_ptr<std::byte[]> bytes)
        : type_(type), size_(elements), bytes_(std::move(bytes)) {}
    HostArray(HostArray&&) = default;
    HostArray& operator=(HostArray&&) = default;

    ElementType type() const { return type_; }
    std::size_t size() const { return size_; }
    std::span<std::byte> bytes() { return {bytes_.get(), size_ * size_of(type_)}; }
    std::span<const std::byte> bytes() const { return {bytes_.get(), size_ * size_of(type_)}; }

    /// A copy; explicit, since it may be large.
    HostArray copy() const;

    /// The elements as `T`, which must be the C++ type behind `type()`.
    template <class T>
    std::span<T> as() {
        return {reinterpret_cast<T*>(bytes_.get()), size_};
    }
    template <class T>
    std::span<const T> as() const {
        return {reinterpret_cast<const T*>(bytes_.get()), size_};
    }

private:
    ElementType type_ = ElementType::f32;
    std::size_t size_ = 0;
    std::shared_ptr<std::byte[]> bytes_;
};

}  // namespace parallax
