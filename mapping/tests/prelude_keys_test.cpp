// Tests of the prelude's registry: what a key brings with it, in which order, and how often.
#include "mapping/tests/prelude_keys.hpp"

#include <gmock/gmock.h>

#include "mapping/prelude/prelude.hpp"

namespace parallax::prelude_keys_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::size_t count_of(std::string_view text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
}

TEST(PreludeKeys, WhatIsNotAskedForIsNotThere) {
    EXPECT_EQ(prelude_of({}), "");
    EXPECT_EQ(prelude_of({"float4", "float4 make 1 1 1 1", "int", "float isnan"}), "")
        << "CUDA has these";
    EXPECT_EQ(prelude_of({"float4 +", "float4"}), prelude_of({"float4 +"}));
    EXPECT_THAT(prelude_of({"float4 +"}), Not(HasSubstr("operator-")));
}

TEST(PreludeKeys, KeysThatMakeNoSenseDefineNothing) {
    for (const char* key : {"float4 %",
                            "float4 ~",
                            "float4 <<",
                            "int +",
                            "float4 make 2 1",
                            "float4 make 5",
                            "float4 make",
                            "float4 swizzle s7",
                            "float4 swizzle q",
                            "float4 set xx",
                            "float4 as_int8",
                            "float4 as_int2",
                            "float4 convert_int3",
                            "int convert_float_sat",
                            "int convert_size_t",
                            "int4 isnan",
                            "float4 any",
                            "float3 shuffle",
                            "float vload_half",
                            "float4 vload4",
                            "void vload4",
                            "nonsense",
                            "int4 nonsense",
                            "float4 splat_float4",
                            "",
                            " ",
                            "float choose"}) {
        EXPECT_EQ(prelude_of({key}), "") << key;
    }
}

TEST(PreludeKeys, NeedsComeFirstAndOnce) {
    const std::string text = prelude_of({"float3 swizzle xzy", "float3 +=", "float8 swizzle hi",
                                         "float8 +", "float3 make 2 1", "float3 splat"});
    const auto place = [&](std::string_view part) {
        EXPECT_EQ(count_of(text, part), 1u) << part << "\n" << text;
        return text.find(part);
    };
    EXPECT_LT(place("struct __align__(32) float8 {"), place("make_float3_16a(float2 a, float c)"));
    EXPECT_LT(place("struct __align__(16) float3_16a {"), place("make_float3_16a(float2 a"));
    EXPECT_LT(place("make_float3_16a(float2 a"), place("operator+(float3_16a a, float3_16a b)"));
    EXPECT_LT(place("operator+(float3_16a a, float3_16a b)"),
              place("operator+=(float3_16a& a, float b)"));
    EXPECT_LT(place("operator+=(float3_16a& a, float b)"), place("swizzle_hi(float8 v)"));
    EXPECT_LT(place("operator+=(float3_16a& a, float b)"), place("splat_float3_16a"));
}

TEST(PreludeKeys, TwoSpellingsOfOneTypeAreOne) {
    EXPECT_EQ(prelude_of({"size_t convert_int_sat", "ulong convert_int_sat"}),
              prelude_of({"ulong convert_int_sat"}));
    EXPECT_THAT(prelude_of({"size_t convert_int_sat"}),
                AllOf(HasSubstr("(unsigned long x)"), HasSubstr("(unsigned long long x)")));
    EXPECT_EQ(prelude_of({"splat_float4"}), prelude_of({"float4 splat"}));
    EXPECT_EQ(prelude_of({"splat_double4_32a"}), prelude_of({"double4 splat"}));
}

TEST(PreludeKeys, WithoutATypeTheCommonTypesAreDefined) {
    EXPECT_THAT(prelude_of({"convert_int4_sat"}),
                AllOf(HasSubstr("convert_int4_sat(float4 x)"),
                      HasSubstr("convert_int4_sat(uint4 x)"), Not(HasSubstr("float3_16a"))));
    EXPECT_THAT(prelude_of({"convert_int8"}), HasSubstr("convert_int8(float8 x)"));
    EXPECT_THAT(prelude_of({"swizzle xy"}),
                AllOf(HasSubstr("swizzle_xy(float4 v)"), HasSubstr("swizzle_xy(int2 v)")));
    EXPECT_THAT(prelude_of({"vload_half4"}), HasSubstr("float4 vload_half4("));
    // A type that is known adds no second definition.
    EXPECT_EQ(prelude_of({"select", "float4 select"}), prelude_of({"select"}));
}

TEST(PreludeKeys, HalfsAreCalculatedByInstructionsOfTheirOwn) {
    const std::string text = prelude_of({"half", "half fma", "half: +", "half2", "half2 fma"});
    EXPECT_THAT(text,
                AllOf(HasSubstr("add.f16"), HasSubstr("sub.f16"), HasSubstr("mul.f16"),
                      HasSubstr("fma.rn.f16"), Not(HasSubstr("fma(float"))));
}

TEST(PreludeKeys, NamesOfFunctions) {
    for (const char* name : {"select", "as_float", "convert_uchar4_sat_rte", "vload3", "choose",
                             "vstore_half4_rtz", "splat_float4", "isnan", "shuffle2", "clamp"}) {
        EXPECT_TRUE(in_prelude(name)) << name;
    }
    for (const char* name : {"make", "swizzle", "neg", "+", "", "make_float4", "convert_size_t",
                             "convert_int5", "vload5", "float4", "as_size_t"}) {
        EXPECT_FALSE(in_prelude(name)) << name;
    }
}

TEST(PreludeKeys, LinesFitIntoAHundredColumns) {
    const std::vector<std::string> words = prelude_tests::vector_words();
    constexpr std::array widths{1u, 2u, 3u, 4u, 8u, 16u};
    const auto keys = prelude_tests::keys_of(words, vector_elements, widths);
    ASSERT_GT(keys.size(), 3000u);
    std::string_view rest = "";
    const std::string text = prelude_of({keys.begin(), keys.end()});
    for (rest = text; !rest.empty();
         rest.remove_prefix(std::min(rest.find('\n') + 1, rest.size()))) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        ASSERT_LE(line.size(), 100u) << line;
    }
}

}  // namespace
}  // namespace parallax::prelude_keys_test
