// Fills the corpus' buffers with ordinary and edge-case values, and compares the results.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "common/device/types.hpp"
#include "common/suite/inputs.hpp"
#include "mapping/tests/corpus.hpp"

namespace parallax::corpus {
namespace {

constexpr std::byte poison{0x5a};

template <class T>
constexpr bool is_real = std::is_floating_point_v<T> || std::is_same_v<T, Half>;

template <class T>
T from_number(double value) {
    if constexpr (is_real<T>) {
        return static_cast<T>(value);
    } else {
        return static_cast<T>(static_cast<std::int64_t>(value));
    }
}

template <class T>
T from_bits(std::uint64_t bits) {
    T value;
    std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
    return value;
}

/// Sixteen values that break what was not thought through.
template <class T>
std::vector<T> hostile() {
    using L = std::numeric_limits<T>;
    std::vector<T> all;
    if constexpr (is_real<T>) {
        using D = std::numeric_limits<double>;
        const auto most = static_cast<double>(L::max()), least = static_cast<double>(L::min()),
                   denormal = static_cast<double>(L::denorm_min());
        for (const double one :
             {0.0, -0.0, 1.0, -1.0, most, -most, least, denormal, -denormal, 0.5, -2.5,
              D::infinity(), -D::infinity(), D::quiet_NaN(), 2147483648.0, 1.5})
            all.push_back(static_cast<T>(one));
    } else {
        constexpr auto top = static_cast<std::uint64_t>(L::max()),
                       low = static_cast<std::uint64_t>(L::min());
        for (const std::uint64_t one :
             {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}, top, low, top - 1, low + 1,
              std::uint64_t{2}, ~std::uint64_t{1}, top / 2, top / 2 + 1, std::uint64_t{7},
              std::uint64_t{31}, std::uint64_t{64}, std::uint64_t{0x55}, ~std::uint64_t{99}})
            all.push_back(static_cast<T>(one));
    }
    return all;
}

template <class T>
T element(Buffer::InputPattern filling, std::size_t index, unsigned buffer) {
    const std::uint64_t random = mix(index * 64 + buffer + 1, 0);
    switch (filling) {
        case Buffer::InputPattern::zero: return T{};
        case Buffer::InputPattern::bits: return from_bits<T>(random);
        case Buffer::InputPattern::iota: return from_number<T>(static_cast<double>(index % 1024));
        case Buffer::InputPattern::small:
            return from_number<T>(std::is_unsigned_v<T> ? static_cast<double>(random % 17)
                                                        : static_cast<double>(random % 17) - 8);
        case Buffer::InputPattern::unit:
            // So few digits that a half has them all.
            return from_number<T>(std::is_same_v<T, Half>
                                      ? static_cast<double>(random % 256) / 256
                                      : static_cast<double>(random >> 40) * 0x1p-24);
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
    return visit_any_type(element_type_named(name).value(), f);
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
        const auto is_nan = [](T value) { return std::isnan(static_cast<double>(value)); };
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
    return fmt::format("{} (0x{:0{}x})", to_string(Scalar(value)), bits, 2 * sizeof value);
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
