// Tests the prelude's scalar conversions with edge-case values: its source, compiled for the host
// and run.
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "prelude_text.hpp"

namespace cuda_source {
namespace {

/// The expected result of a conversion: the value rounded in the requested mode, then clamped to
/// the range.
template <class To, class From>
To converted(From x, long double (*rounded)(long double)) {
    if (x != x) return 0;
    const long double value = rounded(static_cast<long double>(x));
    if (value < std::numeric_limits<To>::min()) return std::numeric_limits<To>::min();
    if (value > std::numeric_limits<To>::max()) return std::numeric_limits<To>::max();
    return static_cast<To>(value);
}

template <class From>
std::vector<From> hostile() {
    using Limits = std::numeric_limits<From>;
    std::vector<From> values{0, 1, 2, Limits::max(), Limits::lowest(), Limits::min()};
    std::mt19937_64 random(1);
    for (int bits = 0; bits <= 64; ++bits) {
        for (const double delta : {-1.0, -0.75, -0.5, 0.0, 0.5, 1.0, 1.5}) {
            for (const double sign : {-1.0, 1.0}) {
                const double value = sign * (std::ldexp(1.0, bits) + delta);
                if (value < static_cast<double>(Limits::lowest()) ||
                    value >= static_cast<double>(Limits::max())) {
                    continue;
                }
                values.push_back(static_cast<From>(value));
            }
        }
        values.push_back(static_cast<From>(random() >> (bits % 64)));
    }
    if constexpr (std::is_floating_point_v<From>) {
        values.insert(values.end(), {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()});
    }
    return values;
}

template <class To, class From, class Convert>
void expect_saturation(const char* name, Convert convert, long double (*rounded)(long double)) {
    for (const From x : hostile<From>()) {
        EXPECT_EQ(+convert(x), +converted<To>(x, rounded)) << name << ' ' << +x;
    }
}

template <class To, class Convert>
void expect_saturation(const char* name, Convert convert, long double (*rounded)(long double)) {
    expect_saturation<To, float>(name, convert, rounded);
    expect_saturation<To, double>(name, convert, rounded);
    expect_saturation<To, signed char>(name, convert, rounded);
    expect_saturation<To, unsigned char>(name, convert, rounded);
    expect_saturation<To, short>(name, convert, rounded);
    expect_saturation<To, unsigned short>(name, convert, rounded);
    expect_saturation<To, int>(name, convert, rounded);
    expect_saturation<To, unsigned int>(name, convert, rounded);
    expect_saturation<To, long long>(name, convert, rounded);
    expect_saturation<To, unsigned long long>(name, convert, rounded);
    expect_saturation<To, unsigned long>(name, convert, rounded);
}

TEST(PreludeConversions, Saturate) {
    expect_saturation<signed char>(
        "char", [](auto x) { return convert_char_sat(x); }, std::trunc);
    expect_saturation<unsigned char>(
        "uchar", [](auto x) { return convert_uchar_sat(x); }, std::trunc);
    expect_saturation<short>(
        "short", [](auto x) { return convert_short_sat(x); }, std::trunc);
    expect_saturation<unsigned short>(
        "ushort", [](auto x) { return convert_ushort_sat(x); }, std::trunc);
    expect_saturation<int>(
        "int", [](auto x) { return convert_int_sat(x); }, std::trunc);
    expect_saturation<unsigned int>(
        "uint", [](auto x) { return convert_uint_sat(x); }, std::trunc);
    expect_saturation<long long>(
        "long", [](auto x) { return convert_long_sat(x); }, std::trunc);
    expect_saturation<unsigned long long>(
        "ulong", [](auto x) { return convert_ulong_sat_rtz(x); }, std::trunc);
}

TEST(PreludeConversions, Round) {
    expect_saturation<unsigned char>(
        "uchar rte", [](auto x) { return convert_uchar_sat_rte(x); }, std::nearbyint);
    expect_saturation<int>(
        "int rte", [](auto x) { return convert_int_sat_rte(x); }, std::nearbyint);
    expect_saturation<short>(
        "short rtp", [](auto x) { return convert_short_sat_rtp(x); }, std::ceil);
    expect_saturation<long long>(
        "long rtn", [](auto x) { return convert_long_sat_rtn(x); }, std::floor);
    EXPECT_EQ(convert_int_rte(2.5f) + convert_int_rtp(2.5f) + convert_int_rtn(-2.5), 2 + 3 - 3);
    EXPECT_EQ(convert_int(-2.7f), -2);
    EXPECT_EQ(convert_float(0x1000001), 16777216.0f);
    EXPECT_EQ(convert_float_rte(16777219), 16777220.0f);
}

}  // namespace
}  // namespace cuda_source
