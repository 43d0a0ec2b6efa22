// Names, limits and the usual arithmetic conversions.
#include "benchmarks/generated/types.hpp"

#include <array>
#include <cmath>

namespace parallax::generated {

unsigned Type::bits() const {
    switch (base) {
        case Base::i8:
        case Base::u8:
        case Base::boolean: return 8;
        case Base::i16:
        case Base::u16: return 16;
        case Base::i32:
        case Base::u32:
        case Base::f32: return 32;
        case Base::i64:
        case Base::u64:
        case Base::f64: break;
    }
    return 64;
}

std::string Type::name() const {
    static constexpr std::array<std::string_view, 11> names{"char",  "uchar",  "short", "ushort",
                                                            "int",   "uint",   "long",  "ulong",
                                                            "float", "double", "bool"};
    return std::string(names[static_cast<std::size_t>(base)]) +
           (width > 1 ? std::to_string(width) : "");
}

Type Type::as_integer(bool has_sign) const {
    const unsigned number = bits() == 8 ? 0 : bits() == 16 ? 2 : bits() == 32 ? 4 : 6;
    return {static_cast<Base>(number + (has_sign ? 0 : 1)), width};
}

bool Range::is_exact() const {
    return std::ldexp(largest(), places) <= 0x1p24;
}

Range limits(Type type) {
    if (type.base == Base::boolean) return {0, 1};
    if (type.is_float()) return {-128, 127, 2};
    // Of 64 bits a bit less than there is: doubles have no more.
    const double all =
        type.bits() == 64 ? 0x1.fffffp63 : std::ldexp(1, static_cast<int>(type.bits()));
    if (type.is_unsigned()) return {0, all - 1};
    return {-all / 2, all / 2 - 1};
}

Range usual_range(Type type) {
    if (type.is_signed()) return {-128, 127};
    return limits(type);
}

Type common_type(Type a, Type b) {
    if (a.is_float() || b.is_float()) {
        const bool is_double = a.base == Base::f64 || b.base == Base::f64;
        return {is_double ? Base::f64 : Base::f32};
    }
    const auto promoted = [](Type one) { return one.bits() < 32 ? Type{Base::i32} : one; };
    return {std::max(promoted(a).base, promoted(b).base)};
}

std::uint64_t Random::next() {
    // splitmix64
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ z >> 30U) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27U) * 0x94d049bb133111eb;
    return z ^ z >> 31U;
}

}  // namespace parallax::generated
