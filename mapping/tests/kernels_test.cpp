// Kernels that a file calls, and how the extents of an image are known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/tests/support.hpp"

namespace parallax::kernels_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::refusal;
using testing::translate;

TEST(CalledKernels, AreAFunctionAndAKernel) {
    EXPECT_EQ(translate("__kernel void a(__global int* p, int n) { p[n] = 1; }\n"
                        "__kernel void b(__global int* q) { a(q, 2); }\n")
                  .body,
              "__device__ void a_called(int* p, int n) { p[n] = 1; } "
              "extern \"C\" __global__ void a(int* p, int n) { a_called(p, n); }\n"
              "extern \"C\" __global__ void b(int* q) { a_called(q, 2); }\n");
}

TEST(CalledKernels, KeepTheirLinesAndTheirSize) {
    const std::string text = translate(
                                 "kernel void a(global int* p);\n"
                                 "__attribute__((reqd_work_group_size(8, 1, 1))) kernel\n"
                                 "void a(global int* p)\n{\n  p[0] = 1;  // one\n}\n"
                                 "int a_called;\nvoid f(global int* p) { a(p); }\n")
                                 .body;
    EXPECT_EQ(text,
              "__device__ void a_called_(int* p); extern \"C\" __global__ void a(int* p);\n"
              "__device__ \nvoid a_called_(int* p)\n{\n  p[0] = 1;  // one\n} "
              "extern \"C\" __launch_bounds__((8) * (1) * (1)) __global__ void a(int* p) "
              "{ a_called_(p); }\n"
              "__device__ int a_called;\n__device__ void f(int* p) { a_called_(p); }\n");
}

TEST(CalledKernels, TakeLocalMemoryAsPointersAndFromTheLaunch) {
    const std::string text =
        translate(
            "__kernel void a(__local int* s, __local float (*t)[4], __global int* this) {}\n"
            "__kernel void b(__global int* q) { __local int s[8]; __local float t[2][4]; "
            "a(s, t, q); }\n")
            .body;
    EXPECT_THAT(text, HasSubstr("void a_called(int* s, float (*t)[4], int* this_) {} extern"));
    EXPECT_THAT(text, HasSubstr("__global__ void a(unsigned int t_at, int* this_) { extern"));
    EXPECT_THAT(text, HasSubstr("reinterpret_cast<float (*)[4]>(dynamic_local + t_at); "
                                "a_called(s, t, this_); }\n"));
    EXPECT_THAT(text, HasSubstr("a_called(s, t, q);"));
}

TEST(CalledKernels, OthersStayAsTheyAre) {
    EXPECT_THAT(translate("__kernel void a() {} __kernel void b() { int a = 1; }").body,
                Not(HasSubstr("called")));
    // A macro may call it for others.
    EXPECT_THAT(translate("#define A a()\n__kernel void a() {} __kernel void b() { A; }").body,
                HasSubstr("void a_called() {}"));
}

TEST(CalledKernels, WhatMacrosDeclareIsExpandedFirst) {
    for (const char* const text :
         {"#define K __kernel\nK void a() {} __kernel void b() { a(); }",
          "#define P(x) __global int* x\n__kernel void a(P(x)) {} __kernel void b() { a(0); }",
          "__kernel void a(\n#ifdef F\nfloat\n#else\nint\n#endif\nx) {}\n"
          "__kernel void b() { a(0); }"}) {
        EXPECT_THAT(refusal(text), HasSubstr("macros or #if decide how it is declared; run the "
                                             "preprocessor first (--expand)"))
            << text;
    }
}

TEST(Images, TellTheirExtentsAtOnce) {
    const std::string text =
        translate(
            "__kernel void k(read_only image2d_t a, write_only image3d_t b,\n"
            "    read_only image2d_array_t c, __global int* out) {\n"
            "  int2 size = get_image_dim(a); out[0] = get_image_dim(b).w + size.x;\n"
            "  out[1] = (float4)(get_image_dim(c).x, convert_float3(get_image_dim(b).xyz)).y;"
            "\n}\n")
            .text();
    EXPECT_THAT(text, HasSubstr("int2 size = get_image_dim(a);"));
    EXPECT_THAT(text, HasSubstr("inline int4 get_image_dim(const Image3d& image)"));
}

}  // namespace
}  // namespace parallax::kernels_test
