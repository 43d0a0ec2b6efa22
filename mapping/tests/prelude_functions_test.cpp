// The meaning of the prelude's functions: their text, run on the host against plain formulas.
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "mapping/prelude/prelude.hpp"
#include "mapping/prelude/prelude_parts.hpp"
#include "mapping/tests/prelude_stand_ins.hpp"

namespace parallax::device {
#include "mapping/tests/prelude_functions.hpp"
}  // namespace parallax::device

namespace parallax {
namespace {

namespace dev = device;

using dev::UnsignedWide;
using dev::Wide;

template <class T>
class Integers : public ::testing::Test {
protected:
    static constexpr int bits = 8 * sizeof(T);
    static constexpr Wide lowest = std::numeric_limits<T>::min();
    static constexpr Wide highest = std::numeric_limits<T>::max();
    using Bits = std::make_unsigned_t<T>;

    /// The ends, the middle, single bits, and some at random.
    static std::vector<T> values() {
        std::vector<T> all{T(0),  T(1),      T(2),          T(3),       T(-1),
                           T(-2), T(lowest), T(lowest + 1), T(highest), T(highest - 1)};
        for (int i = 0; i < bits; ++i) all.push_back(T(Bits(Bits(1) << i)));
        std::mt19937_64 random(7);
        for (int i = 0; i < 20; ++i) all.push_back(T(random()));
        return all;
    }
    static T kept(Wide x) { return T(x < lowest ? lowest : x > highest ? highest : x); }
    static Wide halved(Wide x) { return x >> 1; }
};
using AllIntegers = ::testing::Types<signed char, unsigned char, short, unsigned short, int,
                                     unsigned, long long, unsigned long long>;
TYPED_TEST_SUITE(Integers, AllIntegers);

TYPED_TEST(Integers, OfOneArgument) {
    using T = TypeParam;
    using U = std::make_unsigned_t<T>;
    for (const T a : this->values()) {
        static_assert(std::is_same_v<decltype(dev::unsigned_abs(a)), U>);
        static_assert(std::is_same_v<decltype(dev::clz(a)), T>);
        EXPECT_EQ(dev::unsigned_abs(a), U(Wide(a) < 0 ? -Wide(a) : Wide(a)));
        int leading = 0, trailing = 0, set = 0;
        while (leading < this->bits && !(U(a) >> (this->bits - 1 - leading) & 1)) ++leading;
        while (trailing < this->bits && !(U(a) >> trailing & 1)) ++trailing;
        for (int i = 0; i < this->bits; ++i) set += U(a) >> i & 1;
        EXPECT_EQ(Wide(dev::clz(a)), leading) << +a;
        EXPECT_EQ(Wide(dev::ctz(a)), trailing) << +a;
        EXPECT_EQ(Wide(dev::popcount(a)), set) << +a;
    }
}

TYPED_TEST(Integers, OfTwoArguments) {
    using T = TypeParam;
    using U = std::make_unsigned_t<T>;
    for (const T a : this->values()) {
        for (const T b : this->values()) {
            SCOPED_TRACE(::testing::Message() << +a << " " << +b);
            const Wide x = a, y = b;
            static_assert(std::is_same_v<decltype(dev::abs_diff(a, b)), U>);
            static_assert(std::is_same_v<decltype(dev::hadd(a, b)), T>);
            EXPECT_EQ(dev::abs_diff(a, b), U(x < y ? y - x : x - y));
            EXPECT_EQ(dev::add_sat(a, b), this->kept(x + y));
            EXPECT_EQ(dev::sub_sat(a, b), this->kept(x - y));
            EXPECT_EQ(dev::hadd(a, b), T(this->halved(x + y)));
            EXPECT_EQ(dev::rhadd(a, b), T(this->halved(x + y + 1)));
            EXPECT_EQ(dev::min(a, b), T(x < y ? x : y));
            EXPECT_EQ(dev::max(a, b), T(x < y ? y : x));
            const Wide product = std::is_signed_v<T> ? x * y : Wide(UnsignedWide(U(a)) * U(b));
            const auto shifted = std::is_signed_v<T> ? product >> this->bits
                                                     : Wide(UnsignedWide(product) >> this->bits);
            EXPECT_EQ(dev::mul_hi(a, b), T(shifted));
            const unsigned count = unsigned(U(b)) % unsigned(this->bits);
            U turned = U(a);
            for (unsigned i = 0; i < count; ++i)
                turned = U(U(turned << 1) | (turned >> (this->bits - 1)));
            EXPECT_EQ(dev::rotate(a, b), T(turned));
        }
    }
}

TYPED_TEST(Integers, OfThreeArguments) {
    using T = TypeParam;
    using U = std::make_unsigned_t<T>;
    for (const T a : this->values()) {
        for (const T b : this->values()) {
            for (const T c : this->values()) {
                const Wide upper = dev::mul_hi(a, b);
                ASSERT_EQ(dev::mad_hi(a, b, c), T(U(U(upper) + U(c))));
                // Two factors of 64 bits without a sign may need all 128 bits.
                const bool beyond = sizeof(T) == 8 && !std::is_signed_v<T> && upper != 0;
                const T sum = beyond ? std::numeric_limits<T>::max()
                                     : this->kept(Wide(a) * Wide(b) + Wide(c));
                ASSERT_EQ(dev::mad_sat(a, b, c), sum) << +a << " " << +b << " " << +c;
                if (b <= c) {
                    ASSERT_EQ(dev::clamp(a, b, c), a < b ? b : a > c ? c : a);
                }
            }
        }
    }
}

TEST(PreludeFunctions, UpsamplePutsTwoTogether) {
    EXPECT_EQ(dev::upsample(short(-2), std::uint16_t(3)), int(0xfffe0003u));
    EXPECT_EQ(dev::upsample(std::uint8_t(0x80), std::uint8_t(0xff)), 0x80ffu);
    EXPECT_EQ(dev::upsample(std::int8_t(-128), std::uint8_t(0xff)), short(0x80ff));
    EXPECT_EQ(dev::upsample(-1, 5u), static_cast<long long>(0xffffffff00000005ull));
    EXPECT_EQ(dev::upsample(0x80000000u, 5u), 0x8000000000000005ull);
}

TEST(PreludeFunctions, MultiplyOf24BitsKeepsTheLow32) {
    EXPECT_EQ(dev::mul24(0x7fffff, 0x7fffff), int(0x7fffffu * 0x7fffffu));
    EXPECT_EQ(dev::mul24(-8388608, 8388607), int(unsigned(-8388608ll * 8388607)));
    EXPECT_EQ(dev::mad24(0xffffffu, 0xffffffu, 7u), 0xffffffu * 0xffffffu + 7u);
}

TEST(PreludeFunctions, ShiftsMaskTheCount) {
    EXPECT_EQ(dev::shift_left(1u, 33), 2u);
    EXPECT_EQ(dev::shift_left(1u, -1), 0x80000000u);
    EXPECT_EQ(dev::shift_left(1ull, 65u), 2ull);
    EXPECT_EQ(dev::shift_left(1ull, 33), 1ull << 33);
    EXPECT_EQ(dev::shift_right(-8, 33ull), -4);
    EXPECT_EQ(dev::shift_right(0x80000000u, 32), 0x80000000u);
    EXPECT_EQ(dev::shift_right(-1ll, 127), -1ll);
    // A narrow left side is promoted, so its count goes up to 31.
    EXPECT_EQ(dev::shift_left(std::uint8_t(1), 9), 512);
    EXPECT_EQ(dev::shift_left(short(1), 33), 2);
    unsigned char c = 0x81;
    EXPECT_EQ(&dev::shift_left_assign(c, 33), &c);
    EXPECT_EQ(c, 2);
    long long l = -16;
    dev::shift_right_assign(l, 66);
    EXPECT_EQ(l, -4);
}

TEST(PreludeFunctions, VectorsGoByComponents) {
    const dev::int2 sum = dev::add_sat(dev::int2{INT32_MAX, -5}, dev::int2{1, -6});
    EXPECT_EQ(sum.x, INT32_MAX);
    EXPECT_EQ(sum.y, -11);
    const dev::uchar2 size = dev::abs(dev::char2{-128, 5});
    EXPECT_EQ(size.x, 128);
    EXPECT_EQ(size.y, 5);
    dev::uchar16 a{}, b{};
    a.s0 = 250, b.s0 = 10, a.sf = 1, b.sf = 2, a.sa = 7;
    const dev::uchar16 all = dev::add_sat(a, b);
    EXPECT_EQ(all.s0, 255);
    EXPECT_EQ(all.sf, 3);
    EXPECT_EQ(all.sa, 7);
    EXPECT_EQ(dev::min(dev::int2{3, 9}, 5).y, 5);
    EXPECT_EQ(dev::clamp(dev::int2{-3, 9}, 0, 5).x, 0);
    EXPECT_EQ(dev::clamp(dev::int2{-3, 9}, dev::int2{0, 10}, dev::int2{5, 11}).y, 10);
    const dev::float4 edges = dev::step(2.0f, dev::float4{1, 2, 3, NAN});
    EXPECT_EQ(edges.x, 0);
    EXPECT_EQ(edges.y, 1);
    EXPECT_EQ(edges.z, 1);
    EXPECT_EQ(dev::fmax(dev::float4{1, 5, NAN, 0}, 3.0f).z, 3);
    EXPECT_EQ(dev::ldexp(dev::float4{1, 2, 3, 4}, 3).w, 32);
    EXPECT_EQ(dev::ldexp(dev::float4{1, 2, 3, 4}, dev::int4{0, 1, 2, 3}).z, 12);
    dev::int4 powers{};
    EXPECT_EQ(dev::frexp(dev::float4{1, 2, 3, 8}, &powers).w, 0.5f);
    EXPECT_EQ(powers.w, 4);
    EXPECT_EQ(powers.y, 2);
    EXPECT_EQ(dev::mix(dev::float4{0, 1, 2, 3}, dev::float4{4, 5, 6, 7}, 0.25f).y, 2);
}

template <class T>
class Floats : public ::testing::Test {};
using BothFloats = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Floats, BothFloats);

template <class T>
void expect_near_ulp(T value, T wanted, double ulp) {
    if (std::isnan(wanted)) {
        EXPECT_TRUE(std::isnan(value)) << value;
    } else if (std::isinf(wanted) || wanted == 0) {
        EXPECT_EQ(value, wanted);
        EXPECT_EQ(std::signbit(value), std::signbit(wanted));
    } else {
        EXPECT_NEAR(value, wanted, ulp * std::fabs(std::nextafter(wanted, T(INFINITY)) - wanted));
    }
}

TYPED_TEST(Floats, Common) {
    using T = TypeParam;
    EXPECT_EQ(dev::clamp(T(5), T(0), T(1)), 1);
    EXPECT_EQ(dev::clamp(T(NAN), T(0), T(1)), 0);
    expect_near_ulp(dev::degrees(T(2)), T(114.591559026164641753L), 2);
    expect_near_ulp(dev::radians(T(90)), T(1.57079632679489661923L), 2);
    EXPECT_EQ(dev::mix(T(2), T(10), T(0.5)), 6);
    EXPECT_EQ(dev::sign(T(-3)), -1);
    EXPECT_EQ(dev::sign(T(INFINITY)), 1);
    EXPECT_TRUE(std::signbit(dev::sign(T(-0.0))));
    EXPECT_EQ(dev::sign(T(NAN)), 0);
    EXPECT_EQ(dev::smoothstep(T(0), T(2), T(1)), T(0.5));
    EXPECT_EQ(dev::smoothstep(T(0), T(2), T(-1)), 0);
    EXPECT_EQ(dev::smoothstep(T(0), T(2), T(9)), 1);
    EXPECT_EQ(dev::smoothstep(T(0), T(4), T(1)), T(0.15625));
    EXPECT_EQ(dev::maxmag(T(-3), T(2)), -3);
    EXPECT_EQ(dev::maxmag(T(-3), T(3)), 3);
    EXPECT_EQ(dev::minmag(T(-3), T(2)), 2);
    EXPECT_EQ(dev::minmag(T(-3), T(3)), -3);
    EXPECT_EQ(dev::mad(T(3), T(4), T(5)), 17);
}

TYPED_TEST(Floats, FractStaysBelowOne) {
    using T = TypeParam;
    T whole = 0;
    EXPECT_EQ(dev::fract(T(-1.25), &whole), T(0.75));
    EXPECT_EQ(whole, -2);
    const T below = dev::fract(-std::numeric_limits<T>::denorm_min(), &whole);
    EXPECT_EQ(below, std::nextafter(T(1), T(0)));
    EXPECT_EQ(whole, -1);
    EXPECT_TRUE(std::signbit(dev::fract(T(-INFINITY), &whole)));
    EXPECT_EQ(whole, T(-INFINITY));
    EXPECT_TRUE(std::isnan(dev::fract(T(NAN), &whole)));
}

TYPED_TEST(Floats, Powers) {
    using T = TypeParam;
    const T inf = T(INFINITY), nan = T(NAN);
    EXPECT_EQ(dev::pown(T(-2), 3), -8);
    EXPECT_EQ(dev::pown(T(-1), 16777217), -1);
    EXPECT_EQ(dev::pown(T(-1), INT32_MIN), 1);
    EXPECT_EQ(dev::pown(T(-0.0), -3), -inf);
    EXPECT_EQ(dev::pown(T(-0.0), -2), inf);
    EXPECT_EQ(dev::pown(nan, 0), 1);
    expect_near_ulp(dev::pown(std::nextafter(T(1), T(2)), 1 << 30),
                    T(std::pow(static_cast<long double>(std::nextafter(T(1), T(2))), 1 << 30)), 16);
    for (const auto& [x, y] : {std::pair{T(-1), T(2)},
                               {T(0), T(0)},
                               {inf, T(0)},
                               {T(1), inf},
                               {T(2), nan},
                               {nan, T(0)}}) {
        EXPECT_TRUE(std::isnan(dev::powr(x, y))) << x << " " << y;
    }
    EXPECT_EQ(dev::powr(T(-0.0), T(-1)), inf);
    EXPECT_FALSE(std::signbit(dev::powr(T(-0.0), T(3))));
    EXPECT_EQ(dev::powr(T(4), T(0.5)), 2);
    EXPECT_EQ(dev::rootn(T(-0.0), -3), -inf);
    EXPECT_EQ(dev::rootn(T(-0.0), -2), inf);
    EXPECT_TRUE(std::signbit(dev::rootn(T(-0.0), 3)));
    EXPECT_FALSE(std::signbit(dev::rootn(T(-0.0), 2)));
    EXPECT_TRUE(std::isnan(dev::rootn(T(-4), 2)));
    EXPECT_TRUE(std::isnan(dev::rootn(T(4), 0)));
    EXPECT_EQ(dev::rootn(-inf, 3), -inf);
    for (const int n : {-7, -3, -1, 1, 2, 3, 5, 7, 1000, 65537}) {
        for (const T x : {std::numeric_limits<T>::max(), std::numeric_limits<T>::min(),
                          std::numeric_limits<T>::denorm_min(), T(3), T(1e-20)}) {
            SCOPED_TRACE(::testing::Message() << x << " " << n);
            const T wanted = T(std::pow(static_cast<long double>(x), 1.0L / n));
            expect_near_ulp(dev::rootn(x, n), wanted, 4);
            if (n % 2 != 0) {
                expect_near_ulp(dev::rootn(-x, n), -wanted, 4);
            }
        }
    }
}

TYPED_TEST(Floats, RemquoCountsSevenBits) {
    using T = TypeParam;
    std::mt19937 random(3);
    const auto check = [](T x, T y) {
        SCOPED_TRACE(::testing::Message() << x << " " << y);
        int quotient = -1;
        EXPECT_EQ(dev::remquo(x, y, &quotient), std::remainder(x, y));
        const long long whole =
            std::llrint(static_cast<long double>(x) / static_cast<long double>(y));
        EXPECT_EQ(quotient, int(std::abs(whole) % 128) * (whole < 0 ? -1 : 1));
    };
    for (int i = 0; i < 2000; ++i) {
        check(T(int(random() % 100000) - 50000), T(int(random() % 500) * 2 + 1));
        check(T(int(random() % 4000) - 2000) / 2, T(int(random() % 9) + 1));
    }
    int quotient = -1;
    EXPECT_TRUE(std::isnan(dev::remquo(T(1), T(0), &quotient)));
    EXPECT_EQ(dev::remquo(T(1), T(INFINITY), &quotient), 1);
    EXPECT_EQ(quotient, 0);
    const T large = std::numeric_limits<T>::max();
    EXPECT_EQ(dev::remquo(large, large, &quotient), 0);
    EXPECT_EQ(quotient, 1);
}

TYPED_TEST(Floats, AnglesInTurnsOfPi) {
    using T = TypeParam;
    EXPECT_EQ(dev::acospi(T(-1)), 1);
    EXPECT_EQ(dev::asinpi(T(1)), T(0.5));
    EXPECT_EQ(dev::atanpi(T(1)), T(0.25));
    EXPECT_EQ(dev::atan2pi(T(-0.0), T(-1)), -1);
    EXPECT_EQ(dev::atan2pi(T(1), T(0)), T(0.5));
    int sign = 0;
    dev::lgamma_r(T(-0.5), &sign);
    EXPECT_EQ(sign, -1);
    dev::lgamma_r(T(-1.5), &sign);
    EXPECT_EQ(sign, 1);
    EXPECT_EQ(dev::lgamma_r(T(2), &sign), 0);
    EXPECT_EQ(sign, 1);
}

TEST(PreludeFunctions, Geometry) {
    const dev::float4 a{1, 2, 3, 4}, b{5, 6, 7, 8};
    EXPECT_EQ(dev::dot(a, b), 70);
    EXPECT_EQ(dev::dot(2.0f, 3.0f), 6);
    const dev::float4 c = dev::cross(a, b);
    EXPECT_EQ(c.x, 2 * 7 - 3 * 6);
    EXPECT_EQ(c.y, 3 * 5 - 1 * 7);
    EXPECT_EQ(c.z, 1 * 6 - 2 * 5);
    EXPECT_EQ(c.w, 0);
    EXPECT_EQ(dev::distance(a, b), 8);
    EXPECT_EQ(dev::distance(2.0, -3.0), 5);
    EXPECT_EQ(dev::length(-2.0f), 2);
    EXPECT_EQ(dev::normalize(-7.0), -1);
    EXPECT_EQ(dev::normalize(0.0), 0);
}

TYPED_TEST(Floats, LengthsNeitherOverflowNorVanish) {
    using T = TypeParam;
    using Limits = std::numeric_limits<T>;
    const auto of = [](T x, T y, T z) {
        if constexpr (std::is_same_v<T, float>) {
            return dev::make_float3_16a(x, y, z);
        } else {
            return dev::make_double3_32a(x, y, z);
        }
    };
    const T large = std::ldexp(T(1), Limits::max_exponent - 4), small = Limits::denorm_min() * 8;
    for (const T unit : {T(1), large, small, std::sqrt(Limits::min()), std::sqrt(large)}) {
        SCOPED_TRACE(unit);
        expect_near_ulp(dev::length(of(2 * unit, -3 * unit, 6 * unit)), 7 * unit, 2);
        const auto direction = dev::normalize(of(2 * unit, -3 * unit, 6 * unit));
        expect_near_ulp(direction.x, T(2) / 7, 3);
        expect_near_ulp(direction.y, T(-3) / 7, 3);
        expect_near_ulp(direction.z, T(6) / 7, 3);
    }
    EXPECT_EQ(dev::length(of(0, 0, 0)), 0);
    EXPECT_TRUE(std::isinf(dev::length(of(0, -INFINITY, 0))));
    EXPECT_TRUE(std::isnan(dev::length(of(0, NAN, 1))));
    EXPECT_TRUE(std::signbit(dev::normalize(of(0, T(-0.0), 0)).y));
    const auto infinite = dev::normalize(of(1, -INFINITY, 5));
    EXPECT_EQ(infinite.x, 0);
    EXPECT_EQ(infinite.y, -1);
    EXPECT_TRUE(std::isnan(dev::normalize(of(0, NAN, 1)).x));
}

TEST(PreludeFunctions, KeysWithoutMeaningDefineNothing) {
    for (const char* key : {"int4 exp", "float4 rotate", "double4 native_exp", "float exp",
                            "float8 dot", "float2 cross", "int dot", "ulong upsample",
                            "float4 atomicAdd", "float atomicMin", "uint4 pow"}) {
        EXPECT_EQ(prelude_of({key}), "") << key;
    }
}

TEST(PreludeFunctions, HalfIsDefinedHoweverItIsAskedFor) {
    EXPECT_NE(prelude_of({"half"}), "");
    EXPECT_EQ(prelude_of({"half", "float half", "half exp"}), prelude_of({"half exp"}));
}

TEST(PreludeFunctions, WordsAreKnown) {
    for (const char* word :
         {"exp", "rotate", "dot", "unsigned_abs", "shift_left", "get_global_id", "atomicAdd",
          "atomic_fetch_add_explicit", "atom_inc", "sub_group_reduce_max", "half", "event_t",
          "memory_order_relaxed", "get_sub_group_lt_mask", "work_group_scan_exclusive_add"}) {
        EXPECT_TRUE(is_function_word(word)) << word;
        EXPECT_NE(prelude_of({word}), "") << word;
    }
    for (const char* word : {"", "expf", "atomic_foo", "sub_group_reduce_mul", "float4", "get_"}) {
        EXPECT_FALSE(is_function_word(word)) << word;
    }
}

TEST(PreludeFunctions, DefinesOnlyWhatIsAskedFor) {
    EXPECT_EQ(prelude_of({"float4 sqrt"}),
              "__device__ inline float4 sqrt(float4 a) {\n"
              "    return make_float4(sqrt(a.x), sqrt(a.y), sqrt(a.z), sqrt(a.w));\n"
              "}\n");
    EXPECT_EQ(prelude_of({"uint rotate"}),
              prelude_of({"uint rotate", "float exp", "float fma", "int min"}));
}

}  // namespace
}  // namespace parallax
