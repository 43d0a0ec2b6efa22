// Names and copies of the element types.
#include "common/types.hpp"

#include <cstring>

#include <fmt/format.h>

#include "common/parallel.hpp"

namespace parallax {

std::string_view name_of(ElementType type) {
    switch (type) {
        case ElementType::f64: return "double";
        case ElementType::i32: return "int";
        case ElementType::f32: break;
    }
    return "float";
}

std::optional<ElementType> element_type_named(std::string_view name) {
    for (const ElementType type : all_element_types) {
        if (name_of(type) == name) return type;
    }
    return {};
}

HostArray HostArray::copy() const {
    HostArray same(type_, size_);
    for_chunks(bytes().size(), [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
        std::memcpy(same.bytes().data() + begin, bytes().data() + begin, end - begin);
    });
    return same;
}

std::string_view type_name(const Scalar& scalar) {
    constexpr std::array<std::string_view, 6> names{"int",   "uint",  "long",
                                                    "ulong", "float", "double"};
    return names[scalar.index()];
}

std::string to_string(const Scalar& scalar) {
    return std::visit([](auto value) { return fmt::format("{}", value); }, scalar);
}

Scalar scalar_of(ElementType type, double value) {
    return visit_type(type,
                      [&](auto zero) -> Scalar { return static_cast<decltype(zero)>(value); });
}

}  // namespace parallax
