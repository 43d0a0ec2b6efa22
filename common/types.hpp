// The element types of kernels, and arrays of them on the host.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace parallax {

/// What `T` stands for in a kernel text.
enum class ElementType { f32, f64, i32 };

inline constexpr std::array all_element_types{ElementType::f32, ElementType::f64, ElementType::i32};

/// Its name in OpenCL C, in CUDA C++ and on the command line: `float`, `double`, `int`.
std::string_view name_of(ElementType);
/// The type of that name, or nothing.
std::optional<ElementType> element_type_named(std::string_view name);
/// Bytes of one element.
constexpr std::size_t size_of(ElementType type) {
    return type == ElementType::f64 ? 8 : 4;
}
constexpr bool is_floating(ElementType type) {
    return type != ElementType::i32;
}

template <class T>
constexpr ElementType element_type_of() {
    if constexpr (std::is_same_v<T, float>) return ElementType::f32;
    if constexpr (std::is_same_v<T, double>) return ElementType::f64;
    if constexpr (std::is_same_v<T, std::int32_t>) return ElementType::i32;
}

/// Calls `f` with a value of the C++ type behind `type`: `visit_type(t, [](auto zero) {...})`.
template <class F>
decltype(auto) visit_type(ElementType type, F&& f) {
    switch (type) {
        case ElementType::f64: return f(double{});
        case ElementType::i32: return f(std::int32_t{});
        case ElementType::f32: break;
    }
    return f(float{});
}

/// A number passed to a kernel by value: `int`, `uint`, `long`, `ulong`, `float`, `double`.
using Scalar =
    std::variant<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double>;

/// The OpenCL C name of the scalar's type.
std::string_view type_name(const Scalar&);
std::string to_string(const Scalar&);
/// `value`, held as `type`.
Scalar scalar_of(ElementType type, double value);

/// Elements of one type on the host, contiguous, aligned for any of them. Their values are
/// undefined until they are set: zeroing gigabytes on one core would take longer than filling them
/// on all.
class HostArray {
public:
    HostArray() = default;
    HostArray(ElementType type, std::size_t elements)
        : type_(type),
          size_(elements),
          bytes_(std::make_unique_for_overwrite<std::byte[]>(elements * size_of(type))) {}
    HostArray(HostArray&&) = default;
    HostArray& operator=(HostArray&&) = default;

    ElementType type() const { return type_; }
    std::size_t size() const { return size_; }
    std::span<std::byte> bytes() { return {bytes_.get(), size_ * size_of(type_)}; }
    std::span<const std::byte> bytes() const { return {bytes_.get(), size_ * size_of(type_)}; }

    /// A second array with the same elements; never made by accident.
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
    std::unique_ptr<std::byte[]> bytes_;
};

}  // namespace parallax
