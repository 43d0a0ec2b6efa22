// Constructs that must be rejected: each with its position, and all of them at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/tests/support.hpp"

namespace parallax::refusal_test {
namespace {

using ::testing::HasSubstr;
using testing::refusal;
using testing::refusal_in_body;

TEST(Refusal, OfATypeThatNothingDeclaresNamesIt) {
    for (const char* text :
         {"foo x;", "for (foo x = 0; x < 1; ++x) ;", "const foo x = 3, y = 4;"}) {
        EXPECT_THAT(refusal_in_body(text), HasSubstr("'foo': neither a type of OpenCL C")) << text;
    }
    EXPECT_THAT(refusal("void f(foo x) {}"), HasSubstr("'foo': neither a type of OpenCL C"));
    // A macro may be what is not seen here, and its program may give it.
    for (const char* text :
         {"#define M(a) a\nvoid f(foo x) {}", "struct foo { int a; }; struct foo f;",
          "typedef int foo; foo f(foo x) { return x; }"}) {
        EXPECT_EQ(refusal(text), "") << text;
    }
}

TEST(Refusal, OfTypeofSaysWhatToWrite) {
    EXPECT_THAT(refusal_in_body("int a; __typeof__(a) b = a;"), HasSubstr("Write the type."));
    EXPECT_EQ(refusal_in_body("int a = sizeof(\"abc\") + sizeof \"d\";"), "");
}

TEST(Refusal, ListsAllPlacesInOrder) {
    const std::string what = refusal(
        "T f(T a) {\n  queue_t b;\n  return get_work_dim();\n}\n__kernel void k(image1d_t i) {}\n");
    EXPECT_THAT(what, HasSubstr("x.cl:2: 'queue_t': Launching"));
    EXPECT_THAT(what, HasSubstr("\nx.cl:3: 'get_work_dim': CUDA does"));
    EXPECT_THAT(what, HasSubstr("\nx.cl:5: 'image1d_t': It is not translated. Use an image2d_t of "
                                "height 1,"));
    EXPECT_LT(what.find("queue_t"), what.find("get_work_dim"));
}

TEST(Refusal, ListsNoMoreThanAReaderReads) {
    std::string text;
    for (int i = 0; i < 2000; ++i) text += "queue_t a;\n";
    const std::string what = refusal_in_body(text);
    EXPECT_THAT(what, HasSubstr("x.cl:500: "));
    EXPECT_THAT(what, ::testing::EndsWith("x.cl: and 1500 more"));
}

TEST(Refusal, ImagesThatHaveNoRow) {
    const auto with = [](const std::string& parameters, const std::string& text) {
        return refusal("__kernel void k(" + parameters + ") { " + text + " }");
    };
    EXPECT_EQ(with("read_only image2d_t i", "float4 a = read_imagef(i, (int2)(1, 2));"), "");
    EXPECT_EQ(with("read_only image2d_t i, sampler_t s",
                   "float4 a = read_imagef(i, s, (float2)(1.0f, 2.0f));"),
              "");
    EXPECT_EQ(with("write_only image2d_t i", ""), "");
    EXPECT_THAT(with("__read_write image2d_t i", ""),
                HasSubstr("'__read_write': An image that a kernel reads and writes"));
    EXPECT_THAT(with("read_only image1d_array_t i", ""),
                HasSubstr("'image1d_array_t': It is not translated. Use an image2d_array_t"));
    EXPECT_EQ(with("__read_only image1d_t i", ""),
              "x.cl:1: 'image1d_t': It is not translated. Use an image2d_t of height 1, with "
              "(int2)(x, 0) or (float2)(x, 0.5f) in place of x.");
    EXPECT_THAT(with("read_only image2d_depth_t i", ""), HasSubstr("of one channel of float"));
    EXPECT_THAT(with("read_only image2d_array_msaa_depth_t i", ""), HasSubstr("several samples"));
    EXPECT_THAT(with("read_only image4d_t i", ""), HasSubstr("It is no image that is translated"));
    EXPECT_THAT(with("write_only image1d_buffer_t i", ""),
                HasSubstr("of a buffer's texels only read_only is translated"));
    EXPECT_THAT(with("read_only image2d_t i", "int w = get_image_channel_order(i);"),
                HasSubstr("'get_image_channel_order': CUDA's objects do not tell"));
    EXPECT_THAT(with("pipe int p", ""), HasSubstr("'pipe': CUDA has no pipes. Write a ring"));
}

TEST(Refusal, UnknownCalls) {
    EXPECT_THAT(refusal_in_body("frobnicate(1);"), HasSubstr("'frobnicate': neither"));
    EXPECT_THAT(refusal_in_body("barrier();"), HasSubstr("barrier(CLK_LOCAL_MEM_FENCE)"));
    EXPECT_THAT(refusal_in_body("float(x);"), HasSubstr("'float'"));
    EXPECT_THAT(refusal_in_body("x = x ?: 7;"), HasSubstr("'?': stands in a statement"));
}

TEST(Refusal, NamesOfBuiltInFunctions) {
    EXPECT_THAT(refusal("T clamp(T a) { return a; }"), HasSubstr("built-in"));
    EXPECT_THAT(refusal("T dot(T a) { return a; }"), HasSubstr("'dot'"));
    EXPECT_THAT(refusal("int4 convert_int4_rte(int4 a) { return a; }"), HasSubstr("built-in"));
}

TEST(Refusal, LocalMemoryInOtherPlaces) {
    EXPECT_THAT(refusal("void f() { __local int a[2]; }"), HasSubstr("in the body of a kernel"));
    EXPECT_THAT(refusal("__local int a[2];"), HasSubstr("x.cl:1:"));
    EXPECT_THAT(refusal_in_body("__local T* __local p;"), HasSubstr("before the *"));
    EXPECT_THAT(refusal_in_body("__local T (p)[4];"), HasSubstr("parentheses around"));
    EXPECT_EQ(refusal_in_body("__local T (*p)[4];"), "");
    EXPECT_THAT(refusal_in_body("__local T *p, q;"), HasSubstr("one each"));
}

TEST(Refusal, DataAndPointersInOtherPlaces) {
    EXPECT_THAT(refusal("__constant int* a = 0;"), HasSubstr("a pointer in constant memory"));
    EXPECT_THAT(refusal("void f() { static int a = 1; }"), HasSubstr("'static'"));
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
}  // namespace parallax::refusal_test
