// Parameters in array form, pointers to arrays, and typedefs of either, in every address space.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/tests/support.hpp"

namespace parallax::arrays_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::refusal;
using testing::statements;
using testing::translate;

/// The first line of a translation.
std::string first_line(std::string_view source) {
    const std::string body = translate(source).body;
    return body.substr(0, body.find('\n'));
}

TEST(Arrays, OfHelpersPointWhereverTheyLie) {
    for (const auto& [parameter, cuda] : std::vector<std::pair<std::string, std::string>>{
             {"__global const uint p[]", "const unsigned int p[]"},
             {"const __global uint p[4]", "const unsigned int p[4]"},
             {"__local float p[256]", "float p[256]"},
             {"__local float p[][17]", "float p[][17]"},
             {"__local float p[4][17]", "float p[4][17]"},
             {"__local float (*p)[17]", "float (*p)[17]"},
             {"volatile __local int p[2]", "volatile int p[2]"},
             {"__constant float p[4]", "const float p[4]"},
             {"__private int p[2]", "int p[2]"},
             {"int p[2]", "int p[2]"}}) {
        EXPECT_EQ(first_line("void f(" + parameter + ") {}"), "__device__ void f(" + cuda + ") {}");
        EXPECT_EQ(first_line("void f(" + parameter + ");"), "__device__ void f(" + cuda + ");");
    }
}

TEST(Arrays, OfKernelsPointWhereverTheyLie) {
    EXPECT_EQ(first_line("__kernel void k(__global const uint in[], __global float out[][3],\n"
                         "    __constant float c[4], __global float (*g)[17]) {}"),
              "extern \"C\" __global__ void k(const unsigned int in[], float out[][3],");
    const std::string local = first_line(
        "__kernel void k(__local float a[256], __local uint b[][17], "
        "__local const float (*c)[3], __local float* restrict d) { a[0] = b[0][1]; }");
    for (const char* const part :
         {"void k(unsigned int b_at, unsigned int c_at, unsigned int d_at)",
          " auto a = reinterpret_cast<float*>(dynamic_local);",
          " auto b = reinterpret_cast<unsigned int (*)[17]>(dynamic_local + b_at);",
          " auto c = reinterpret_cast<const float (*)[3]>(dynamic_local + c_at);",
          " float* __restrict__ d = reinterpret_cast<float*>(dynamic_local + d_at);"}) {
        EXPECT_THAT(local, HasSubstr(part));
    }
}

TEST(Arrays, TypedefsSayWhereTheyPoint) {
    const std::string before =
        "typedef __global float* out_t;\ntypedef __local float* tile_t;\n"
        "typedef __constant float* table_t;\ntypedef float row_t[17];\ntypedef uint u32;\n";
    const std::string text =
        translate(before +
                  "float f(out_t a, tile_t b, table_t c) { return *b; }\n"
                  "float g(__local row_t* a, __global row_t b) { return *b; }\n"
                  "__kernel void k(out_t a, tile_t b, __global row_t* c) {\n"
                  "  u32 d[4]; u32 (*e)[4] = &d; (*e)[1] = 2;\n"
                  "  __local row_t rows[2]; __local u32 (*h)[4]; }\n")
            .body;
    for (const char* const part :
         {"typedef float* out_t;", "typedef float* tile_t;", "typedef const float* table_t;",
          "__device__ float f(out_t a, tile_t b, table_t c)", "float g(row_t* a, row_t b)",
          "void k(out_t a, row_t* c) {", " auto b = reinterpret_cast<tile_t>(dynamic_local);",
          "u32 (*e)[4] = &d;", "__shared__ row_t rows[2];", " u32 (*h)[4];"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
    EXPECT_THAT(text, Not(HasSubstr("__shared__ u32")));
}

TEST(Arrays, ASignatureSaysWhatTheyAre) {
    using Kind = Parameter::Kind;
    const auto parameters =
        signatures("x.cl",
                   "typedef __global const uint* in_t; typedef __local float* tile_t;\n"
                   "typedef float row_t[17]; struct S { int n; }; typedef __global struct S* s_t;\n"
                   "__kernel void k(in_t a, const tile_t b, __global row_t* c, s_t d,\n"
                   "    __global const uint e[], __local float f[][17], __constant float g[4],\n"
                   "    __global float (*h)[17], __global row_t i) {}",
                   std::nullopt)
            .at(0)
            .parameters;
    const std::vector<std::tuple<Kind, std::string, std::string, bool>> wanted{
        {Kind::global, "uint", "a", true},    {Kind::local, "float", "b", false},
        {Kind::global, "float", "c", false},  {Kind::global, "S", "d", false},
        {Kind::global, "uint", "e", true},    {Kind::local, "float", "f", false},
        {Kind::constant, "float", "g", true}, {Kind::global, "float", "h", false},
        {Kind::global, "float", "i", false}};
    ASSERT_EQ(parameters.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const Parameter& p = parameters[i];
        EXPECT_EQ(std::tuple(p.kind, p.type, p.name, p.read_only), wanted[i]) << i;
    }
    EXPECT_EQ(parameters[3].members.size(), 1U);
    for (const char* const text :
         {"__global float* a[4]", "__global float** a", "pp_t* a", "__global float (*a[4])[2]"}) {
        EXPECT_THROW(signatures("x.cl",
                                "typedef __global float* pp_t; __kernel void k(" +
                                    std::string(text) + ") {}",
                                std::nullopt),
                     Refused)
            << text;
    }
}

TEST(Arrays, WhatIsRefusedIsSaidTruly) {
    const std::string add = "an address space without a pointer; add the *";
    EXPECT_EQ(refusal("__kernel void k(__constant int a) {}"), "x.cl:1: '__constant': " + add);
    EXPECT_EQ(refusal("void f(__global int a) {}"), "x.cl:1: '__global': " + add);
    EXPECT_THAT(refusal("void f(__local int a) {}"), HasSubstr(add));
    EXPECT_THAT(refusal("__kernel void k(__local int** a) {}"), HasSubstr("no pointer to numbers"));
    EXPECT_THAT(refusal("__kernel void k(__local int* a[4]) {}"), HasSubstr("no pointer to"));
    EXPECT_THAT(refusal("typedef __local int* p; __kernel void k(p* a) {}"),
                HasSubstr("no pointer to"));
    EXPECT_THAT(refusal("typedef __local float l; __kernel void k(l* a) {}"),
                HasSubstr("a typedef that is no pointer"));
    EXPECT_THAT(refusal("#define L __local float*\n__kernel void k(L a) {}"),
                HasSubstr("x.cl:2: 'L': a macro that puts a kernel's parameter into local memory"));
    EXPECT_THAT(refusal("#define F(name, q) int name(q int* p) { return *p; }\nF(f, const)\n"
                        "__kernel void k(__global int* a) { a[0] = f(a); }"),
                AllOf(HasSubstr("a macro that makes declarations"), Not(HasSubstr("'f'"))));
    EXPECT_THAT(refusal("typedef uint u; void f() { u(3); }"), HasSubstr("write a cast as"));
}

TEST(Casts, OfCastsAreSplat) {
    EXPECT_EQ(statements("float4 v = (float4)(int)(x);"), "float4 v = splat_float4((int)(x));");
    EXPECT_EQ(statements("float4 v = (float4)(int)x;"), "float4 v = splat_float4((int)x);");
    EXPECT_EQ(statements("int4 v = (int4)(char)(float)(x);"),
              "int4 v = splat_int4((signed char)(float)(x));");
    EXPECT_EQ(statements("float4 v = (float4)(float4)(1.0f, 2.0f, 3.0f, 4.0f);"),
              "float4 v = (float4)make_float4(1.0f, 2.0f, 3.0f, 4.0f);");
    EXPECT_EQ(statements("float2 v = (float2)(int2)(1, 2).x;"),
              "float2 v = splat_float2(make_int2(1, 2).x);");
}

TEST(Packed, MembersAreNotChangedThroughReferences) {
    const std::string before =
        "struct __attribute__((packed)) P { char c; float4 v; int n; }; struct Q { struct P p[2]; "
        "struct P* q; float4 v; };\n__kernel void k(__global struct Q* q, int i) { ";
    for (const char* const text :
         {"q->p[1].v.xz = (float2)(1.0f);", "q[i].p[1].v.hi = q->v.lo;", "q->p[0].v += 1.0f;",
          "q->p[0].n <<= i;", "q->q->v *= q->v;", "q->p[1].v.xy += (float2)(1.0f);"}) {
        EXPECT_THAT(refusal(before + text + " }"), HasSubstr("a member of a packed struct"))
            << text;
    }
    for (const char* const text : {"q->v.xz = (float2)(1.0f);", "q->p[0].v = q->v;",
                                   "q->v += 1.0f;", "q->p[0].n <<= 3;", "q->p[0].v.x += 1.0f;"}) {
        EXPECT_EQ(refusal(before + text + " }"), "") << text;
    }
}

TEST(Images, OneTexelStandsForAllChannels) {
    const std::string before = "__kernel void k(write_only image2d_t i, uint u, float f) { ";
    EXPECT_THAT(translate(before + "write_imageui(i, (int2)(1, 2), u); }").body,
                HasSubstr("make_int2(1, 2), splat_uint4(u))"));
    EXPECT_THAT(translate(before + "write_imagef(i, (int2)(1, 2), f); }").body,
                HasSubstr("make_int2(1, 2), splat_float4(f))"));
}

TEST(Lines, GoOnBehindAnyTokenThatEnds) {
    EXPECT_EQ(refusal("#define F(x)\\\n  x + 1\n__kernel void k(__global int* a) { a[0] = F(2); }"),
              "");
    EXPECT_EQ(refusal("#define F(x)\\\nx\n#define G x\\\n  + y\n"), "");
    EXPECT_THAT(refusal("#define F ab\\\ncd\n"), HasSubstr("inside a word or operator"));
    EXPECT_THAT(refusal("void f() { int a +\\\n= 2; }"), HasSubstr("inside a word or operator"));
}

TEST(Arrays, OfParametersMaySayHowManyThereAre) {
    EXPECT_EQ(first_line("void f(int a[static 3], int b[const static 2], float c[restrict], "
                         "const uint d[static const 1][2]) {}"),
              "__device__ void f(int a[3], int b[2], float c[], const unsigned int d[1][2]) {}");
    EXPECT_EQ(first_line("__kernel void k(__global int a[static 3]) { a[0] = 1; }"),
              "extern \"C\" __global__ void k(int a[3]) { a[0] = 1; }");
    EXPECT_THAT(refusal("void f() { static int a[3]; }"), HasSubstr("'static'"));
}

TEST(Pointers, OfBuiltInFunctionsDropVolatile) {
    const std::string text =
        translate(
            "void f(volatile __global float* a, volatile __local const uint* b, "
            "volatile __global int* c) {\n"
            "  vstore4((float4)(1.0f), 0, a + 4); uint2 x = vload2(1, b); atomic_inc(c); }")
            .body;
    EXPECT_THAT(text, HasSubstr("vstore4(splat_float4(1.0f), 0, (float*)(a + 4));"));
    EXPECT_THAT(text, HasSubstr("vload2(1, (const unsigned int*)(b));"));
    EXPECT_THAT(text, HasSubstr("(c"));
    EXPECT_THAT(text, Not(HasSubstr("(int*)(c)")));
}

}  // namespace
}  // namespace parallax::arrays_test
