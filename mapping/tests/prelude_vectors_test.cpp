// The vectors of the prelude: the source itself, compiled for the host and run.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include "prelude_text.hpp"

// In the namespace of the prelude, like a translated kernel.
namespace cuda_source {
namespace {

static_assert(sizeof(float3_16a) == 16 && alignof(float3_16a) == 16);
static_assert(sizeof(char3_4a) == 4 && alignof(uchar3_4a) == 4);
static_assert(sizeof(double4_32a) == 32 && alignof(double4_32a) == 32);
static_assert(sizeof(double3_32a) == 32 && sizeof(longlong16) == 128 && alignof(longlong16) == 128);
static_assert(sizeof(uchar16) == 16 && alignof(uchar16) == 16 && alignof(short8) == 16);
static_assert(std::is_aggregate_v<float3_16a> && std::is_trivially_copyable_v<float16>);
static_assert(std::is_same_v<decltype(float4{} < 1), int4>);
static_assert(std::is_same_v<decltype(uchar4{} == uchar4{}), char4>);
static_assert(std::is_same_v<decltype(1 && double2{}), longlong2>);

/// The components as text, so that a failure shows them.
template <class V>
std::string shown(V v) {
    using Element = std::remove_reference_t<decltype(swizzle_s0(v))>;
    const bool three = requires {
        v.z;
    }
    &&!requires {
        v.w;
    };
    const int width = three ? 3 : vec_step(v);
    Element parts[16];
    std::memcpy(parts, &v, sizeof(v));
    std::string text;
    for (int i = 0; i < width; ++i) {
        text += (i > 0 ? " " : "") + std::to_string(parts[i]);
    }
    return text;
}

TEST(PreludeVectors, AreMadeFromParts) {
    EXPECT_EQ(shown(make_int4(make_int2(1, 2), 3, 4)), "1 2 3 4");
    EXPECT_EQ(shown(make_int4(1, make_int2(2, 3), 4)), "1 2 3 4");
    EXPECT_EQ(shown(make_int4(1, make_int3_16a(2, 3, 4))), "1 2 3 4");
    EXPECT_EQ(shown(make_int8(make_int4(1, 2, 3, 4), make_int2(5, 6), 7, 8)), "1 2 3 4 5 6 7 8");
    EXPECT_EQ(shown(make_int16(splat_int8(1), splat_int8(2))), "1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2");
    int n = 0;
    const auto add = [&n](int more) { return n += more; };
    EXPECT_EQ(
        shown(ordered_int8{make_int4(add(1), 2, 3, 4), make_int2(add(4), 6), add(1) + 1, add(2)}
                  .made),
        "1 2 3 4 5 6 7 8");
    EXPECT_EQ(shown(splat_uchar4(7)), "7 7 7 7");
}

TEST(PreludeVectors, NarrowElementsStayNarrow) {
    const uchar4 v = make_uchar4(200, 1, 0, 255);
    EXPECT_EQ(shown(v + v), "144 2 0 254");
    EXPECT_EQ(shown(v + 100), "44 101 100 99");
    EXPECT_EQ(shown(2 * v), "144 2 0 254");
    EXPECT_EQ(shown(v & 1), "0 1 0 1");
    EXPECT_EQ(shown(~v), "55 254 255 0");
    EXPECT_EQ(shown(-v), "56 255 0 1");
    EXPECT_EQ(shown(make_ushort2(65535, 3) * make_ushort2(65535, 4)), "1 12");
    EXPECT_EQ(shown(make_char2(-128, 127) - 1), "127 126");
}

TEST(PreludeVectors, ArithmeticIsByComponents) {
    EXPECT_EQ(shown(make_int3_16a(7, -7, 9) / 2), "3 -3 4");
    EXPECT_EQ(shown(make_int2(7, -7) % make_int2(4, 4)), "3 -3");
    EXPECT_EQ(shown(10 - make_int2(1, 2)), "9 8");
    EXPECT_EQ(shown(make_int2(6, 5) ^ make_int2(3, 5)), "5 0");
    EXPECT_EQ(shown(make_int2(6, 5) | 8), "14 13");
    EXPECT_EQ(shown(make_float2(1, 3) * 2.0), "2.000000 6.000000");
    EXPECT_EQ(shown(1 / make_float2(2, 4)), "0.500000 0.250000");
    EXPECT_EQ(shown(make_float2(1, 3) * 2), "2.000000 6.000000");
    EXPECT_TRUE(std::signbit((-make_float2(0, 1)).x));
    EXPECT_EQ(shown(+make_int2(1, -1)), "1 -1");
}

TEST(PreludeVectors, ShiftsMaskTheirCounts) {
    EXPECT_EQ(shown(make_int2(1, 3) << 33), "2 6");
    EXPECT_EQ(shown(make_int2(1, 3) << make_int2(32, 34)), "1 12");
    EXPECT_EQ(shown(make_int2(-8, 8) >> make_uint2(1, 33)), "-4 4");
    EXPECT_EQ(shown(make_uchar2(128, 3) >> 9), "64 1");
    EXPECT_EQ(shown(make_uchar2(129, 3) << 1u), "2 6");
    EXPECT_EQ(shown(make_char2(-128, 64) >> 1), "-64 32");
    EXPECT_EQ(shown(make_ulonglong2(1, 1) << make_ulonglong2(63, 64)), "9223372036854775808 1");
    int2 v = make_int2(1, 2);
    v <<= 35;
    EXPECT_EQ(shown(v), "8 16");
    v >>= make_uint2(1, 2);
    EXPECT_EQ(shown(v), "4 4");
}

TEST(PreludeVectors, AssigningOperatorsAndSteps) {
    int3_16a v = make_int3_16a(1, 2, 3);
    EXPECT_EQ(shown((v += 1) *= 2), "4 6 8");
    EXPECT_EQ(shown(v -= make_int3_16a(1, 2, 3)), "3 4 5");
    EXPECT_EQ(shown(v++), "3 4 5");
    EXPECT_EQ(shown(--v), "3 4 5");
    EXPECT_EQ(shown(++v), "4 5 6");
    EXPECT_EQ(shown(v--), "4 5 6");
    EXPECT_EQ(shown(v %= 4), "3 0 1");
    uchar2 narrow = make_uchar2(255, 0);
    ++narrow;
    EXPECT_EQ(shown(narrow), "0 1");
}

TEST(PreludeVectors, ComparisonsGiveZeroAndMinusOne) {
    const float nan = std::nanf("");
    const float4 a = make_float4(1, 2, nan, nan), b = make_float4(1, 3, 1, nan);
    EXPECT_EQ(shown(a == b), "-1 0 0 0");
    EXPECT_EQ(shown(a != b), "0 -1 -1 -1");
    EXPECT_EQ(shown(a < b), "0 -1 0 0");
    EXPECT_EQ(shown(a <= b), "-1 -1 0 0");
    EXPECT_EQ(shown(a > b), "0 0 0 0");
    EXPECT_EQ(shown(2 >= a), "-1 -1 0 0");
    EXPECT_EQ(shown(make_int4(0, 1, 0, 2) && make_int4(0, 0, 3, 4)), "0 0 0 -1");
    EXPECT_EQ(shown(make_int4(0, 1, 0, 2) || make_int4(0, 0, 3, 4)), "0 -1 -1 -1");
    EXPECT_EQ(shown(!make_float2(0, 0.5f)), "-1 0");
    EXPECT_EQ(shown(make_uint2(0x80000000u, 1) > 2), "-1 0");
    EXPECT_EQ(shown(make_char2(-1, 1) < 0), "-1 0");
}

TEST(PreludeVectors, ComponentsAreSelectedAndSet) {
    const int4 v = make_int4(1, 2, 3, 4);
    EXPECT_EQ(shown(swizzle_wzyx(v)), "4 3 2 1");
    EXPECT_EQ(shown(swizzle_xxyy(v)), "1 1 2 2");
    EXPECT_EQ(shown(swizzle_lo(v)) + ", " + shown(swizzle_hi(v)), "1 2, 3 4");
    EXPECT_EQ(shown(swizzle_even(v)) + ", " + shown(swizzle_odd(v)), "1 3, 2 4");
    EXPECT_EQ(shown(swizzle_s03(v)), "1 4");
    EXPECT_EQ(swizzle_x(v), 1);
    EXPECT_EQ(swizzle_hi(swizzle_hi(v)), 4);
    EXPECT_EQ(swizzle_hi(make_int3_16a(1, 2, 3)).x, 3);
    const int16 wide = make_int16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    EXPECT_EQ(shown(swizzle_sfedcba98(wide)), "15 14 13 12 11 10 9 8");
    EXPECT_EQ(shown(swizzle_odd(wide)), "1 3 5 7 9 11 13 15");
    int4 w = v;
    EXPECT_EQ(shown(set_yx(w, make_int2(8, 9))), "8 9");
    EXPECT_EQ(shown(w), "9 8 3 4");
    EXPECT_EQ(set_x(w, 5), 5);
    set_hi(w, make_int2(6, 7));
    EXPECT_EQ(shown(w), "5 8 6 7");
    int3_16a three = make_int3_16a(1, 2, 3);
    set_odd(three, make_int2(8, 9));
    EXPECT_EQ(swizzle_zyx(three).y, 8);
}

TEST(PreludeVectors, ChoicesGoByTheMostSignificantBit) {
    const int4 a = make_int4(1, 2, 3, 4), b = make_int4(5, 6, 7, 8);
    const int4 c = make_int4(-1, 1, 0, INT32_MIN);
    EXPECT_EQ(shown(choose(c, a, b)), "1 6 7 4");
    EXPECT_EQ(shown(choose(c, 0, b)), "0 6 7 0");
    EXPECT_EQ(shown(choose(c, a, 0)), "1 0 0 4");
    EXPECT_EQ(shown(choose(c, 1, 0)), "1 0 0 1");
    EXPECT_EQ(shown(select(a, b, c)), "5 2 3 8");
    EXPECT_EQ(shown(select(a, b, make_uint4(1, 0x80000000u, 0, 2))), "1 6 3 4");
    EXPECT_EQ(shown(select(make_uchar2(1, 2), make_uchar2(3, 4), make_char2(-1, 1))), "3 2");
    EXPECT_EQ(select(1.0f, 2.0f, 1), 2.0f);
    EXPECT_EQ(select(1, 2, false), 1);
    EXPECT_EQ(any(c), 1);
    EXPECT_EQ(all(c), 0);
    EXPECT_EQ(all(make_int3_16a(-1, -2, -3)), 1);
    EXPECT_EQ(any(make_char2(1, 127)), 0);
    EXPECT_EQ(any(1), 0);
    EXPECT_EQ(all(-1), 1);
    EXPECT_EQ(shown(bitselect(make_int2(0x0f, 5), make_int2(0xf0, 6), make_int2(0xff, 0))),
              "240 5");
    EXPECT_EQ(bitselect(1.0f, -2.0f, -0.0f), -1.0f) << "the sign bit alone";
    EXPECT_EQ(bitselect(make_double2(3, 1), make_double2(-1, -1), make_double2(-0.0, 0)).x, -3.0);
}

TEST(PreludeVectors, Properties) {
    const float infinity = std::numeric_limits<float>::infinity();
    const float4 v = make_float4(std::nanf(""), -infinity, 1e-40f, -1);
    EXPECT_EQ(shown(isnan(v)), "-1 0 0 0");
    EXPECT_EQ(shown(isinf(v)), "0 -1 0 0");
    EXPECT_EQ(shown(isfinite(v)), "0 0 -1 -1");
    EXPECT_EQ(shown(isnormal(v)), "0 0 0 -1");
    EXPECT_EQ(shown(signbit(v)).substr(2), "-1 0 -1") << shown(signbit(v));
    EXPECT_EQ(shown(isordered(v, v)), "0 -1 -1 -1");
    EXPECT_EQ(shown(isunordered(v, v)), "-1 0 0 0");
    EXPECT_EQ(shown(islessgreater(v, make_float4(0, 0, 1e-40f, 0))), "0 -1 0 -1");
    EXPECT_EQ(isgreater(2.0f, 1.0f) + isgreater(1.0, 2.0), 1);
    EXPECT_EQ(isnormal(1e-310) + isnormal(2.3e-308), 1);
    EXPECT_EQ(shown(isnan(make_double2(std::nan(""), 0))), "-1 0");
    EXPECT_EQ(vec_step(make_int3_16a(1, 2, 3)) + vec_step(1.0f), 5);
}

TEST(PreludeVectors, ShufflesUseTheLowBitsOfTheMask) {
    const int4 v = make_int4(1, 2, 3, 4), w = make_int4(5, 6, 7, 8);
    EXPECT_EQ(shown(shuffle(v, make_uint2(3, 4))), "4 1");
    EXPECT_EQ(shown(shuffle(make_int2(1, 2), make_uint4(0, 1, 2, 3))), "1 2 1 2");
    EXPECT_EQ(shown(shuffle2(v, w, make_uint4(7, 0, 8, 5))), "8 1 1 6");
    EXPECT_EQ(shown(shuffle2(make_uchar2(1, 2), make_uchar2(3, 4), make_uchar2(2, 1))), "3 2");
}

TEST(PreludeVectors, LoadsAndStoresNeedNoAlignment) {
    int memory[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    EXPECT_EQ(shown(vload4(1, memory + 1)), "5 6 7 8");
    EXPECT_EQ(vload3(1, memory + 1).x, 4) << "three apart, not four";
    EXPECT_EQ(shown(vload8(0, memory + 1)), "1 2 3 4 5 6 7 8");
    vstore3(make_int3_16a(-1, -2, -3), 1, memory + 1);
    EXPECT_EQ(shown(vload8(0, memory + 1)), "1 2 3 -1 -2 -3 7 8");
    vstore2(make_int2(20, 21), 2, memory + 1);
    EXPECT_EQ(memory[5], 20);
    EXPECT_EQ(memory[6], 21);
}

TEST(PreludeVectors, BitsAreKept) {
    EXPECT_EQ(as_int(1.0f), 0x3f800000);
    EXPECT_EQ(as_uint(-0.0f), 0x80000000u);
    EXPECT_EQ(as_double(0x3ff0000000000000ll), 1.0);
    EXPECT_EQ(as_float(0x3f800000u), 1.0f);
    EXPECT_EQ(shown(as_uchar4(0x04030201)), "1 2 3 4");
    EXPECT_EQ(as_int(make_uchar4(1, 2, 3, 4)), 0x04030201);
    EXPECT_EQ(shown(as_int4(make_float4(1, 0, -0.0f, 2))), "1065353216 0 -2147483648 1073741824");
    EXPECT_EQ(shown(as_uchar2(make_char2(-1, 1))), "255 1");
    EXPECT_EQ(shown(as_int3(make_int4(1, 2, 3, 4))), "1 2 3");
    EXPECT_EQ(shown(as_int2(0x0000000200000001ull)), "1 2");
    EXPECT_EQ(as_ulong(1.0), 0x3ff0000000000000ull);
}

TEST(PreludeVectors, ConvertByComponents) {
    EXPECT_EQ(shown(convert_uchar4_sat_rte(make_float4(-1, 2.5f, 3.5f, 300))), "0 2 4 255");
    EXPECT_EQ(shown(convert_uchar4(make_int4(1, 256, 257, -1))), "1 0 1 255");
    EXPECT_EQ(shown(convert_int4(make_float4(1.9f, -1.9f, 0, 7))), "1 -1 0 7");
    EXPECT_EQ(shown(convert_int2(make_int2(1, 2))), "1 2");
    EXPECT_EQ(shown(convert_double2(make_uint2(1, 4294967295u))), "1.000000 4294967295.000000");
}

}  // namespace
}  // namespace cuda_source
