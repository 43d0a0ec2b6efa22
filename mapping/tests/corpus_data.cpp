// Fills the corpus' buffers with ordinary and edge-case values, and compares the results.
#include "mapping/tests/corpus_data.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

namespace parallax::corpus {
namespace {

constexpr std::byte poison{0x5a};

/// A well-known mixing of 64 bits: equal on every machine.
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// Bits of a half, kept apart from those of a ushort.
struct Half {
    std::uint16_t bits;
};

float float_of(Half half) {
    const int exponent = half.bits >> 10 & 31, fraction = half.bits & 1023;
    float size = 0;
    if (exponent == 31) {
        size = fraction ? std::numeric_limits<float>::quiet_NaN()
                        : std::numeric_limits<float>::infinity();
    } else {
        size = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                             : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
    }
    return half.bits & 0x8000 ? -size : size;
}

/// Of a number that a half holds exactly.
Half half_of(float value) {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const Half half{static_cast<std::uint16_t>(bits)};
        if (float_of(half) == value) return half;
    }
    return {};
}

template <class T>
constexpr bool is_real = std::is_floating_point_v<T> || std::is_same_v<T, Half>;

template <class T>
T from_number(double value) {
    if constexpr (std::is_same_v<T, Half>) {
        return half_of(static_cast<float>(value));
    } else if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(value);
    } else {
        return static_cast<T>(static_cast<std::int64_t>(value));
    }
}

template <class T>
T from_bits(std::uint64_t bits) {
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// Sixteen values that break what was not thought through.
template <class T>
std::vector<T> hostile() {
    if constexpr (std::is_same_v<T, Half>) {
        std::vector<Half> all;
        for (const unsigned bits :
             {0x0000, 0x8000, 0x3c00, 0xbc00, 0x7bff, 0xfbff, 0x0001, 0x8001, 0x0400, 0x03ff,
              0x7c00, 0xfc00, 0x7e00, 0x3800, 0x4100, 0xc100}) {
            all.push_back({static_cast<std::uint16_t>(bits)});
        }
        return all;
    } else if constexpr (std::is_floating_point_v<T>) {
        using L = std::numeric_limits<T>;
        return {0,
                -T{0},
                1,
                -1,
                L::max(),
                L::lowest(),
                L::min(),
                L::denorm_min(),
                -L::denorm_min(),
                T{0.5},
                T{-2.5},
                L::infinity(),
                -L::infinity(),
                L::quiet_NaN(),
                T{2147483648.0},
                T{1.5}};
    } else {
        using L = std::numeric_limits<T>;
        constexpr T top = L::max(), low = L::min();
        const auto narrow = [](auto v) { return static_cast<T>(v); };
        return {0,
                1,
                narrow(-1),
                top,
                low,
                narrow(top - 1),
                narrow(low + 1),
                2,
                narrow(-2),
                narrow(top / 2),
                narrow(top / 2 + 1),
                narrow(7),
                narrow(31),
                narrow(64),
                narrow(0x55),
                narrow(-100)};
    }
}

template <class T>
T element(Buffer::InputPattern filling, std::size_t index, unsigned buffer) {
    const std::uint64_t random = mixed(index * 64 + buffer + 1);
    switch (filling) {
        case Buffer::InputPattern::zero: return T{};
        case Buffer::InputPattern::bits: return from_bits<T>(random);
        case Buffer::InputPattern::iota: return from_number<T>(static_cast<double>(index % 1024));
        case Buffer::InputPattern::small:
            return from_number<T>(std::is_unsigned_v<T> ? static_cast<double>(random % 17)
                                                        : static_cast<double>(random % 17) - 8);
        case Buffer::InputPattern::unit:
            if constexpr (std::is_same_v<T, Half>) {
                return from_number<T>(static_cast<double>(random % 256) / 256);
            } else {
                return from_number<T>(static_cast<double>(random >> 40) * 0x1p-24);
            }
        case Buffer::InputPattern::special: {
            // Two buffers of 256 components meet in all pairs.
            static const std::vector<T> all = hostile<T>();
            return all[(buffer % 2 == 0 ? index : index / all.size()) % all.size()];
        }
        case Buffer::InputPattern::poison: break;
    }
    return from_bits<T>(0x5a5a5a5a5a5a5a5au);
}

/// Calls `f` with a value of the C++ type behind an OpenCL element.
template <class F>
decltype(auto) visit_element(std::string_view name, F&& f) {
    if (name == "char") return f(std::int8_t{});
    if (name == "uchar") return f(std::uint8_t{});
    if (name == "short") return f(std::int16_t{});
    if (name == "ushort") return f(std::uint16_t{});
    if (name == "int") return f(std::int32_t{});
    if (name == "uint") return f(std::uint32_t{});
    if (name == "long") return f(std::int64_t{});
    if (name == "ulong") return f(std::uint64_t{});
    if (name == "half") return f(Half{});
    if (name == "double") return f(double{});
    return f(float{});
}

template <class T>
bool is_nan(T value) {
    if constexpr (std::is_same_v<T, Half>) return std::isnan(float_of(value));
    if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
    return false;
}

/// The place of a number among all of its type, in order: neighbours are 1 apart.
template <class T>
std::int64_t rank(T value) {
    using Bits = std::conditional_t<sizeof(T) == 8, std::int64_t,
                                    std::conditional_t<sizeof(T) == 4, std::int32_t, std::int16_t>>;
    const Bits bits = std::bit_cast<Bits>(value);
    return bits < 0 ? std::numeric_limits<Bits>::min() - static_cast<std::int64_t>(bits) : bits;
}

template <class T>
bool fits(T expected, T got, double ulp) {
    if (std::memcmp(&expected, &got, sizeof got) == 0) return true;
    if constexpr (is_real<T>) {
        if (is_nan(expected) || is_nan(got)) return is_nan(expected) && is_nan(got);
        const std::int64_t low = std::min(rank(expected), rank(got));
        const std::int64_t high = std::max(rank(expected), rank(got));
        const std::uint64_t apart =
            static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
        return static_cast<double>(apart) <= ulp;
    }
    return false;
}

template <class T>
std::string spelled(T value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    std::string number;
    if constexpr (std::is_same_v<T, Half>) {
        number = fmt::format("{}", float_of(value));
    } else if constexpr (sizeof(T) == 1) {
        number = fmt::format("{}", static_cast<int>(value));
    } else {
        number = fmt::format("{}", value);
    }
    return fmt::format("{} (0x{:0{}x})", number, bits, 2 * sizeof value);
}

template <class T>
std::string buffer_difference(const Buffer& buffer, double ulp, const Bytes& expected,
                              const Bytes& got) {
    const unsigned stored = buffer.type.width == 3 ? 4 : buffer.type.width;
    std::size_t wrong = 0;
    std::string first;
    for (std::size_t i = 0; i < got.size() / sizeof(T); ++i) {
        if (i % stored >= buffer.type.width) continue;
        T a, b;
        std::memcpy(&a, &expected[i * sizeof(T)], sizeof a);
        std::memcpy(&b, &got[i * sizeof(T)], sizeof b);
        if (fits(a, b, ulp)) continue;
        if (wrong++ > 0) continue;
        first = fmt::format("element {}{} is {} and should be {}", i / stored,
                            stored > 1 ? fmt::format(".s{:x}", i % stored) : "", spelled(b),
                            spelled(a));
    }
    if (wrong == 0) return {};
    return fmt::format("{}; {} of {} components are wrong, {:g} ulp allowed", first, wrong,
                       got.size() / sizeof(T), ulp);
}

}  // namespace

std::vector<Bytes> inputs_of(const Kernel& kernel) {
    std::vector<Bytes> all;
    unsigned number = 0;
    for (const Parameter& parameter : kernel.parameters) {
        const auto* buffer = std::get_if<Buffer>(&parameter);
        if (!buffer) continue;
        Bytes bytes(buffer->bytes(), poison);
        visit_element(buffer->type.element, [&]<class T>(T) {
            for (std::size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
                const T value = element<T>(buffer->filling, i, number);
                std::memcpy(&bytes[i * sizeof(T)], &value, sizeof value);
            }
        });
        all.push_back(std::move(bytes));
        ++number;
    }
    return all;
}

std::string difference(const Kernel& kernel, const std::vector<Bytes>& expected,
                       const std::vector<Bytes>& got) {
    std::size_t place = 0;
    for (std::size_t p = 0; p < kernel.parameters.size(); ++p) {
        const auto* buffer = std::get_if<Buffer>(&kernel.parameters[p]);
        if (!buffer) continue;
        if (place >= expected.size() || place >= got.size() ||
            expected[place].size() != got[place].size()) {
            return fmt::format("kernel {}: parameter {} has no answer of the same size",
                               kernel.name, p + 1);
        }
        const std::string said = visit_element(buffer->type.element, [&]<class T>(T) {
            return buffer_difference<T>(*buffer, buffer->is_output() ? kernel.ulp : 0,
                                        expected[place], got[place]);
        });
        if (!said.empty()) {
            return fmt::format("kernel {}, parameter {} ({}): {}", kernel.name, p + 1,
                               name_of(buffer->type), said);
        }
        ++place;
    }
    return {};
}

}  // namespace parallax::corpus
