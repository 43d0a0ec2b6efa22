// Types of numbers, constants, operators and declarations, as the translation shows them.
#include <gtest/gtest.h>

#include "mapping/analyze/syntax.hpp"
#include "mapping/tests/support.hpp"

namespace parallax::typing_test {
namespace {

using testing::translate;

TEST(Typing, NumbersHaveTheTypesOfTheirSuffixes) {
    for (const auto& [text, element] : {std::pair{"1", "int"},    {"0", "int"},
                                        {"017", "int"},           {"1u", "uint"},
                                        {"1L", "long"},           {"1ul", "ulong"},
                                        {"1LU", "ulong"},         {"2147483647", "int"},
                                        {"2147483648", "long"},   {"4294967295u", "uint"},
                                        {"4294967296u", "ulong"}, {"0x7fffffff", "int"},
                                        {"0x80000000", "uint"},   {"0x00000000ff", "int"},
                                        {"0x100000000", "long"},  {"1.0", "double"},
                                        {"1e3", "double"},        {"1.0f", "float"},
                                        {"0x1p3f", "float"},      {"0x1p3", "double"},
                                        {"1.h", "half"},          {"'a'", "int"},
                                        {"0xfu", "uint"},         {"0xe", "int"}}) {
        EXPECT_EQ(number_type(text), type_of(element)) << text;
    }
}

TEST(Typing, APointerThatDropsConstIsCast) {
    const std::string text = translate(R"(
typedef const float* Reads;
void g(float* to) {}
void f(__global const float* q, float const* c, Reads r, const __global float2* v) {
    __global float* p = q;
    p = q + 1;
    __global const float* same = q;
    float* a = c; float* b = r; float* d = &q[2];
    __global float2* w; w = v + 3;
    float* const fixed = p;
    float* loose = fixed;
    g(c);
}
)")
                                 .body;
    for (const char* part :
         {"p = (float*)(q);", "p = (float*)(q + 1);", "same = q;", "a = (float*)(c);",
          "b = (float*)(r);", "d = (float*)(&q[2]);", "w = (float2*)(v + 3);", "fixed = p;",
          "loose = fixed;", "g((float*)(c));"}) {
        EXPECT_NE(text.find(part), text.npos) << part << "\n" << text;
    }
}

TEST(Typing, ConstantsHaveTheTypesOfTheirMeaning) {
    EXPECT_EQ(constant_type("M_PI"), type_of("double"));
    EXPECT_EQ(constant_type("M_PI_F"), type_of("float"));
    EXPECT_EQ(constant_type("FLT_MAX"), type_of("float"));
    EXPECT_EQ(constant_type("FLT_DIG"), type_of("int"));
    EXPECT_EQ(constant_type("DBL_EPSILON"), type_of("double"));
    EXPECT_EQ(constant_type("ULONG_MAX"), type_of("ulong"));
    EXPECT_EQ(constant_type("CHAR_BIT"), type_of("int"));
    EXPECT_EQ(constant_type("INFINITY"), type_of("float"));
    EXPECT_FALSE(constant_type("SIZE_MAX_OF_MINE").known());
}

TEST(Typing, OperatorsOfScalarsConvertToTheLarger) {
    EXPECT_EQ(binary_type("+", type_of("char"), type_of("short")), type_of("int"));
    EXPECT_EQ(binary_type("+", type_of("int"), type_of("uint")), type_of("uint"));
    EXPECT_EQ(binary_type("*", type_of("ulong"), type_of("float")), type_of("float"));
    EXPECT_EQ(binary_type("<<", type_of("uchar"), type_of("ulong")), type_of("int"));
    EXPECT_EQ(binary_type("<", type_of("double"), type_of("int")), type_of("int"));
    EXPECT_EQ(binary_type(",", type_of("double"), type_of("int")), type_of("int"));
    EXPECT_FALSE(binary_type("+", type_of("int"), {}).known());
    EXPECT_FALSE(binary_type("<", {}, type_of("int")).known());
}

TEST(Typing, WithoutPromotionNarrowIntegersStayNarrow) {
    EXPECT_EQ(without_promotion(type_of("uchar"), type_of("uchar")), type_of("uchar"));
    EXPECT_EQ(without_promotion(type_of("char"), type_of("short")), type_of("short"));
    EXPECT_EQ(without_promotion(type_of("ushort"), type_of("short")), type_of("ushort"));
    EXPECT_EQ(without_promotion(type_of("char"), type_of("uchar")), type_of("uchar"));
    EXPECT_EQ(without_promotion(type_of("char"), type_of("float")), type_of("float"));
    EXPECT_EQ(without_promotion(type_of("uint"), type_of("uchar")), type_of("uint"));
}

TEST(Typing, OperatorsOfVectorsKeepThemOrCompareThem) {
    EXPECT_EQ(binary_type("+", type_of("float", 4), type_of("int")), type_of("float", 4));
    EXPECT_EQ(binary_type("-", type_of("int"), type_of("uchar", 8)), type_of("uchar", 8));
    EXPECT_EQ(binary_type("<", type_of("float", 4), type_of("float", 4)), type_of("int", 4));
    EXPECT_EQ(binary_type("==", type_of("double", 2), type_of("double")), type_of("long", 2));
    EXPECT_EQ(binary_type("&&", type_of("uchar", 3), type_of("uchar", 3)), type_of("char", 3));
}

TEST(Typing, OperatorsOfPointers) {
    const Type pointer{{"float", 4}, 0, 1};
    EXPECT_EQ(binary_type("+", pointer, type_of("int")), pointer);
    EXPECT_EQ(binary_type("+", type_of("int"), pointer), pointer);
    EXPECT_EQ(binary_type("-", pointer, pointer), type_of("long"));
    EXPECT_EQ(pointer.pointee(), type_of("float", 4));
    EXPECT_FALSE(Type{}.pointee().known());
}

/// Whether the expression was typed with 64 bits, from the translation of `1 << 40` next to it.
bool is_seen_as_64_bits(const std::string& text, const std::string& before = "") {
    const std::string body =
        translate(before + "__kernel void k(__global long* p, int i, ulong u, float f) { p[0] = (" +
                  text + ") << 40; }")
            .body;
    return body.find("shift_left") == std::string::npos;
}

TEST(Typing, ExpressionsHaveTheTypesOfTheirParts) {
    for (const char* text : {"u",
                             "*p",
                             "p[i]",
                             "p[i] + i",
                             "i ? u : i",
                             "(long)i",
                             "(unsigned long)i",
                             "i + 1L",
                             "u++",
                             "-u",
                             "sizeof(int)",
                             "get_global_id(0)",
                             "(i, u)",
                             "i = 1, u",
                             "((u))",
                             "u / 2",
                             "p - p",
                             "0x9E3779B97F4A7C15",
                             "0x100000000",
                             "3000000000",
                             "040000000000",
                             "convert_ulong(i)",
                             "ULONG_MAX",
                             "*(p + 1)",
                             "(&u)[0]",
                             "upsample(i, 2u)"}) {
        EXPECT_TRUE(is_seen_as_64_bits(text)) << text;
    }
    for (const char* text :
         {"i", "i + 1u", "u < 3", "!u", "(int)u", "'a'", "i ? 1 : i", "(u, i)", "INT_MAX",
          "convert_int(u)", "u && u", "0xFFFFFFFF", "2147483647", "037777777777", "4294967295u"}) {
        EXPECT_FALSE(is_seen_as_64_bits(text)) << text;
    }
}

TEST(Typing, DeclarationsAreRead) {
    EXPECT_TRUE(is_seen_as_64_bits("w", "typedef unsigned long word; __constant word w = 1; "));
    EXPECT_TRUE(is_seen_as_64_bits("w[1]", "__constant long w[2] = {1, 2}; "));
    EXPECT_TRUE(is_seen_as_64_bits("w(i)", "long w(int a) { return a; } "));
    EXPECT_TRUE(is_seen_as_64_bits("W", "#define W 1L\n"));
    EXPECT_TRUE(is_seen_as_64_bits("W(i)", "#define W(a) ((ulong)(a))\n"));
    EXPECT_TRUE(is_seen_as_64_bits("((struct S*)p)->a", "struct S { int b, c; long a; }; "));
    EXPECT_TRUE(
        is_seen_as_64_bits("((S*)p)->a[1].b", "typedef struct { struct { long b; } a[3]; } S; "));
    EXPECT_FALSE(is_seen_as_64_bits("((S*)p)->c", "typedef struct { long a; int c; } S; "));
    EXPECT_FALSE(is_seen_as_64_bits("A", "enum { A = 3 }; "));
}

TEST(Typing, ScopesEnd) {
    EXPECT_EQ(translate("int f(int a) { { ulong a = 1; a = a << 40; } return a << 40; }").body,
              "__device__ int f(int a) { { unsigned long long a = 1; a = a << 40; } "
              "return shift_left(a, 40); }");
    EXPECT_EQ(translate("int f(int a) { for (ulong a = 1; a << 40;) ; return a << 40; }").body,
              "__device__ int f(int a) { for (unsigned long long a = 1; a << 40;) ; "
              "return shift_left(a, 40); }");
}

}  // namespace
}  // namespace parallax::typing_test
