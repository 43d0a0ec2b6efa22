// Vectors of the prelude: reads and writes of vectors that are only aligned as their elements are.
#include <array>

#include <fmt/format.h>

#include "mapping/prelude/prelude_parts.hpp"

namespace parallax {
namespace {

/// The mode of a rounding suffix and what PTX calls it.
struct Rounding {
    std::string_view suffix, ptx;
};

constexpr std::array<Rounding, 4> roundings{
    {{"_rte", "rn"}, {"_rtz", "rz"}, {"_rtp", "rp"}, {"_rtn", "rm"}}};

Definition plain_load(ValueType pointee, unsigned width) {
    const ValueType type = with_width(pointee, width);
    return {device_function(
                fmt::format("{} vload{}(size_t offset, const {}* p)", cuda_name(type), width,
                            cuda_name(pointee)),
                fmt::format("p += {} * offset; return {};", width, by_components(type, "p[{i}]"))),
            {name_of(type)}};
}

Definition plain_store(ValueType pointee, unsigned width) {
    const ValueType type = with_width(pointee, width);
    return {device_function(fmt::format("void vstore{}({} v, size_t offset, {}* p)", width,
                                        cuda_name(type), cuda_name(pointee)),
                            fmt::format("p += {} * offset; {}", width,
                                        for_components(type, "p[{i}] = v.{c};", " "))),
            {name_of(type)}};
}

/// `half_value(bits)`: the sixteen bits as a float, whatever the class `half` can do.
Definition half_value() {
    return {device_function("float half_value(unsigned short bits)",
                            "float x; asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(x) : \"h\"(bits)); "
                            "return x;")};
}

/// `half_bits_rtz(x)`: rounded once, from a double too.
std::optional<Definition> half_bits(ValueType type, std::string_view suffix) {
    const bool is_double = type == ValueType{"double", 1};
    if (!is_double && type != ValueType{"float", 1}) return {};
    for (const Rounding& rounding : roundings) {
        if (rounding.suffix != suffix) continue;
        return Definition{device_function(
            fmt::format("unsigned short half_bits{}({} x)", suffix, type.element),
            fmt::format("unsigned short bits; asm(\"cvt.{}.f16.{} %0, %1;\" : \"=h\"(bits) : "
                        "\"{}\"(x)); return bits;",
                        rounding.ptx, is_double ? "f64" : "f32", is_double ? "d" : "f"))};
    }
    return {};
}

/// The suffix of `vload` or `vstore` for accesses to halfs.
struct HalfAccess {
    unsigned width = 0;
    unsigned step = 0;        ///< halfs from one vector to the next
    std::string_view suffix;  ///< of the rounding, written out
};

std::optional<HalfAccess> half_access(std::string_view name, bool stores) {
    HalfAccess made;
    const bool aligned = name.starts_with("a");
    if (aligned) name.remove_prefix(1);
    if (!name.starts_with("_half")) return {};
    name.remove_prefix(5);
    made.suffix = "_rte";
    if (stores) {
        for (const Rounding& rounding : roundings) {
            if (!name.ends_with(rounding.suffix)) continue;
            made.suffix = rounding.suffix;
            name.remove_suffix(rounding.suffix.size());
            break;
        }
    }
    const auto width = width_named(name);
    if (!width) return {};
    made.width = *width;
    made.step = aligned && made.width == 3 ? 4 : made.width;
    return made;
}

Definition half_load(std::string_view name, const HalfAccess& access) {
    const ValueType type{"float", access.width};
    return {
        device_function(fmt::format("{} {}(size_t offset, const half* p)", cuda_name(type), name),
                        fmt::format("const auto* bits = (const unsigned short*)(p + {} * offset); "
                                    "return {};",
                                    access.step, by_components(type, "half_value(bits[{i}])"))),
        {"half", name_of(type), "half half_value"}};
}

Definition half_store(std::string_view name, const HalfAccess& access) {
    Definition made{"", {"half"}};
    for (const std::string_view element : {"float", "double"}) {
        const ValueType type{element, access.width};
        made.needs.push_back(name_of(type));
        made.needs.push_back(fmt::format("{} half_bits{}", element, access.suffix));
        const std::string each = fmt::format("bits[{{i}}] = half_bits{}(v{});", access.suffix,
                                             type.is_vector() ? ".{c}" : "");
        made.text += device_function(
            fmt::format("void {}({} v, size_t offset, half* p)", name, cuda_name(type)),
            fmt::format("auto* bits = (unsigned short*)(p + {} * offset); {}", access.step,
                        for_components(type, each, " ")));
    }
    return made;
}

}  // namespace

std::optional<Definition> memory_definition(const PreludeKey& key) {
    if (key.type.is_vector() || !key.rest.empty()) return {};
    const std::string_view word = key.word;
    const bool of_half = key.type.element == "half";
    if (word == "half_value" && of_half) return half_value();
    if (word.starts_with("half_bits")) return half_bits(key.type, word.substr(9));
    const bool stores = word.starts_with("vstore");
    if (!stores && !word.starts_with("vload")) return {};
    if (key.type.element == "bool" || key.type.element == "void") return {};
    const std::string_view rest = word.substr(stores ? 6 : 5);
    if (const auto access = half_access(rest, stores)) {
        if (!of_half) return {};
        return stores ? half_store(word, *access) : half_load(word, *access);
    }
    const auto width = width_named(rest);
    if (width.value_or(1) == 1) return {};
    return stores ? plain_store(key.type, *width) : plain_load(key.type, *width);
}

}  // namespace parallax
