// What must not pass: each with its place, and all of them at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/tests/support.hpp"

namespace parallax {
namespace {

using ::testing::HasSubstr;
using testing::refusal;
using testing::refusal_in_body;

TEST(Refusal, ListsAllPlacesInOrder) {
    const std::string what = refusal(
        "T f(T a) {\n  half b;\n  return mad(a, a, a);\n}\n__kernel void k(image2d_t i) {}\n");
    EXPECT_THAT(what, HasSubstr("x.cl:2: 'half': CUDA's half"));
    EXPECT_THAT(what, HasSubstr("\nx.cl:3: 'mad': OpenCL leaves"));
    EXPECT_THAT(what, HasSubstr("\nx.cl:5: 'image2d_t': Images"));
    EXPECT_LT(what.find("half"), what.find("mad"));
}

TEST(Refusal, ListsNoMoreThanAReaderReads) {
    std::string text;
    for (int i = 0; i < 2000; ++i) text += "half a;\n";
    const std::string what = refusal_in_body(text);
    EXPECT_THAT(what, HasSubstr("x.cl:500: "));
    EXPECT_THAT(what, ::testing::EndsWith("x.cl: and 1500 more"));
}

TEST(Refusal, ShiftsThatMayGoBeyondTheWidth) {
    for (const char* text :
         {"a = b << n;", "a = b << 32;", "a = b << (n & 63);", "a = (ulong)b << 64;",
          "a = b << 3 + n;", "a = b << (n | m & 31);", "a = b << (n & 31) + 1;", "a <<= 3 | n;",
          "a = b << -1;", "a = b << 3 * n;", "a = b << UNROLL;", "a = b << n & 31;",
          "a = b << 1.0f;", "a = b << (c ? n : m & 31);", "a = b << (n = m & 31);",
          "a = b >> (n & 32);", "a = b << (n & 31)[p];", "a <<= n & 31;"}) {
        EXPECT_THAT(refusal_in_body(text), HasSubstr("OpenCL masks the count")) << text;
    }
}

TEST(Refusal, VectorLiteralsThatCxxWouldReadOtherwise) {
    for (const char* text :
         {"a = (float4)(1, 2, 3);", "a = (float4)(v, 1);", "a = (float4)b;", "a = (float4)-b;",
          "a = (const float4)(1, 2, 3, 4);", "a = (float4)(1, 2, 3, 4, 5);", "a = (T4)();",
          "return (float2)1.0f;"}) {
        EXPECT_THAT(refusal_in_body(text), HasSubstr("Write (T4)(x)")) << text;
    }
}

TEST(Refusal, UnknownCalls) {
    EXPECT_THAT(refusal_in_body("frobnicate(1);"), HasSubstr("'frobnicate': neither"));
    EXPECT_THAT(refusal_in_body("fma(1, 2);"), HasSubstr("fma($, $, $)"));
    EXPECT_THAT(refusal_in_body("barrier(flags);"), HasSubstr("barrier(CLK_LOCAL_MEM_FENCE)"));
    EXPECT_THAT(refusal_in_body("float(x);"), HasSubstr("'float'"));
    EXPECT_THAT(refusal("__kernel void a() {} __kernel void b() { a(); }"),
                HasSubstr("a kernel called"));
}

TEST(Refusal, NamesOfBuiltInFunctions) {
    EXPECT_THAT(refusal("T clamp(T a) { return a; }"), HasSubstr("built-in"));
    EXPECT_THAT(refusal("T dot(T a) { return a; }"), HasSubstr("'dot'"));
    EXPECT_THAT(refusal("T norm3d(T a) { return a; }"), HasSubstr("'norm3d'"));
    EXPECT_THAT(refusal("T f(T a) { int class; return a; }"),
                HasSubstr("'class': A keyword of C++"));
    EXPECT_THAT(refusal("struct S { int s0; };"), HasSubstr("'s0'"));
    EXPECT_THAT(refusal("T f(struct S s) { return s.template; }"), HasSubstr("'template'"));
}

TEST(Refusal, LocalMemoryInOtherPlaces) {
    EXPECT_THAT(refusal("void f() { __local int a[2]; }"), HasSubstr("in the body of a kernel"));
    EXPECT_THAT(refusal("__local int a[2];"), HasSubstr("x.cl:1:"));
    EXPECT_THAT(refusal("__kernel void f(__local int* a, int b) {}"), HasSubstr("the last one"));
    EXPECT_THAT(refusal("__kernel void f(__local int* a, __local int* b) {}"),
                HasSubstr("the only one"));
    EXPECT_THAT(refusal("__kernel void f(__local int a[]) {}"), HasSubstr("plain pointer"));
    EXPECT_THAT(refusal_in_body("__local T* __local p;"), HasSubstr("before the *"));
    EXPECT_THAT(refusal_in_body("__local T (*p)[4];"), HasSubstr("parentheses around"));
    EXPECT_THAT(refusal_in_body("__local T *p, q;"), HasSubstr("one each"));
}

TEST(Refusal, DataAndPointersInOtherPlaces) {
    EXPECT_THAT(refusal("__global int a;"), HasSubstr("must be __constant"));
    EXPECT_THAT(refusal("int a = 1;"), HasSubstr("must be __constant"));
    EXPECT_THAT(refusal("struct S { int a; } s;"), HasSubstr("must be __constant"));
    EXPECT_THAT(refusal("__constant int* a = 0;"), HasSubstr("must be __constant"));
    EXPECT_THAT(refusal("static __constant int a = 1;"), HasSubstr("'static'"));
    EXPECT_THAT(refusal("__kernel void f(__constant int a) {}"), HasSubstr("write __constant T*"));
    EXPECT_THAT(refusal("void __kernel f() {}"), HasSubstr("begins with __kernel"));
}

TEST(Refusal, NamesOfConstants) {
    for (const char* name : {"float", "T4", "half", "if", "class", "sqrt"}) {
        const std::vector<std::string> names{name};
        EXPECT_THROW(to_cuda("x.cl", "", {ElementType::f32, names}), Refused) << name;
    }
}

TEST(Refusal, UnreadableTexts) {
    for (const char* text : {"void f() {", "}", "(]", "int a", "void f(", "struct S {}", "a b c"}) {
        EXPECT_THAT(refusal(text), HasSubstr("x.cl:1:")) << text;
    }
}

}  // namespace
}  // namespace parallax
