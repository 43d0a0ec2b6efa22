// Names and copies of the element types.
#include "common/device/types.hpp"

#include <fmt/format.h>

#include "common/process/parallel.hpp"

namespace parallax {

std::string_view name_of(ElementType type) {
    switch (type) {
        case ElementType::i8: return "char";
        case ElementType::u8: return "uchar";
        case ElementType::i16: return "short";
        case ElementType::u16: return "ushort";
        case ElementType::i32: return "int";
        case ElementType::u32: return "uint";
        case ElementType::i64: return "long";
        case ElementType::u64: return "ulong";
        case ElementType::f16: return "half";
        case ElementType::f64: return "double";
        case ElementType::f32: break;
    }
    return "float";
}

std::optional<ElementType> element_type_named(std::string_view name) {
    for (const ElementType type : all_scalar_types) {
        if (name_of(type) == name) return type;
    }
    return {};
}

HostArray HostArray::copy() const {
    HostArray same(type_, size_);
    copy_bytes(same.bytes().data(), bytes().data(), bytes().size());
    return same;
}

std::string_view type_name(const Scalar& scalar) {
    if (const auto* vector = std::get_if<VectorValue>(&scalar)) return vector->type;
    constexpr std::array<std::string_view, 11> names{"int",   "uint",   "long", "ulong",
                                                     "float", "double", "char", "uchar",
                                                     "short", "ushort", "half"};
    return names.at(scalar.index());
}

std::string to_string(const Scalar& scalar) {
    return std::visit(
        [](const auto& value) {
            using T = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<T, VectorValue>) {
                return fmt::format("of {} bytes", value.bytes.size());
            } else if constexpr (std::is_same_v<T, Half>) {
                return fmt::format("{}", static_cast<float>(value));
            } else if constexpr (std::is_integral_v<T>) {
                // Prints an 8-bit value as a number, not as a character.
                return fmt::format("{}", value + 0);
            } else {
                return fmt::format("{}", value);
            }
        },
        scalar);
}

std::span<const std::byte> bytes_of(const Scalar& scalar) {
    return std::visit(
        [](const auto& value) -> std::span<const std::byte> {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, VectorValue>) {
                return value.bytes;
            } else {
                return std::as_bytes(std::span(&value, 1));
            }
        },
        scalar);
}

}  // namespace parallax
