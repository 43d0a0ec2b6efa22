// The translation of whole constructs, written out by hand.
#include "mapping/translate/translate.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/kernel_texts.hpp"
#include "mapping/prelude/prelude.hpp"
#include "mapping/tests/support.hpp"

namespace parallax::translate_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::statements;
using testing::translate;

TEST(Translate, KeepsTheLayout) {
    EXPECT_EQ(translate("// one\n\nuint  f ( uint a )\n{\treturn a ; } // end").body,
              "// one\n\n__device__ unsigned int  f ( unsigned int a )\n{\treturn a ; } // end");
}

TEST(Translate, MapsLinesOneToOne) {
    const std::string source =
        "__kernel void f(__global\n const T* a, // in\n /* the\n local */ __local T* s)\n{\n"
        "  s[0] = fma(a[0],\n    a[1], // second\n    a[2]);\n"
        "  barrier( // all\n CLK_LOCAL_MEM_FENCE);\n"
        "  atomic_add(\n (__global int*)a\n, 1 );\n  LAST;\n}\n";
    const std::string body = translate(source).body;
    EXPECT_EQ(std::count(body.begin(), body.end(), '\n'),
              std::count(source.begin(), source.end(), '\n'));
    const auto line_of = [](const std::string& text, const char* word) {
        return std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find(word)),
                          '\n');
    };
    for (const char* word : {"LAST", "// in", "// second", "// all", "a[2]"}) {
        EXPECT_EQ(line_of(body, word), line_of(source, word)) << word << "\n" << body;
    }
}

TEST(Translate, TextHasPreludeLineAndBody) {
    Translation made = translate("T f(T a) { return clamp(a, 0.0f, 1.0f); }\n");
    EXPECT_THAT(made.prelude, HasSubstr("clamp"));
    EXPECT_EQ(made.text(), made.prelude + "#line 1 \"x.cl\"\n" + made.body);
    made.file = "a\"b";
    EXPECT_THAT(made.text(), HasSubstr("#line 1 \"a\\\"b\"\n"));
}

TEST(Translate, WritesTheElementType) {
    const char* source = "T4 f(T a) { return (T4)(a); }";
    EXPECT_THAT(translate(source, ElementType::f64).body,
                HasSubstr("double4_32a f(double a) { return splat_double4_32a(a); }"));
    EXPECT_THAT(translate(source, ElementType::i32).body,
                HasSubstr("int4 f(int a) { return splat_int4(a); }"));
}

TEST(Translate, EmitsOnlyThePreludeThatIsUsed) {
    // The keys that the kernels of the suites use.
    const std::map<std::string_view, PreludeKeys> uses{
        {"images.cl", {"read_imagef"}},
        {"pitched_rows.cl", {"float4 +", "float4 +=", "float vload4"}}};
    // Vectors of several kinds, native functions, shifts, wide products, halves: tests of the
    // prelude's own.
    const std::set<std::string_view> much{"functions.cl", "integers.cl",  "multiply_streamed.cl",
                                          "scan.cl",      "smoothing.cl", "sphere.cl",
                                          "stencil1d.cl", "tensor.cl"};
    for (const EmbeddedFile& file : embedded_kernels()) {
        if (file.name.ends_with(".inc")) continue;  // calls of a library, in C++ of the host
        if (file.name.find(".opencl.") != file.name.npos) continue;
        if (file.name.find(".cuda.") != file.name.npos) continue;
        if (much.contains(file.name)) continue;
        const auto used = uses.find(file.name);
        EXPECT_EQ(to_cuda(file.name, file.text, {ElementType::f32, testing::constants()}).prelude,
                  used == uses.end() ? "" : prelude_of(used->second))
            << file.name;
    }
    EXPECT_EQ(translate("T f(T4 a, T b) { return a.x * b + a.y; }").prelude, "");
    EXPECT_EQ(translate("void f(__global T4* p, int i) { p[0] = *(p + i); }").prelude, "");
    EXPECT_EQ(translate("T4 f(T4 a, T b, T c) { return b * c * a; }").prelude,
              prelude_of({"float4 *"}));
    EXPECT_EQ(translate("T4 f(T4 a, T b, T c) { return a * b + c; }").prelude,
              prelude_of({"float4 *", "float4 +"}));
    EXPECT_EQ(translate("void f(__global T4* p) { p[1] += -p[0] / (T)2; }").prelude,
              prelude_of({"float4 +=", "float4 neg", "float4 /"}));
    EXPECT_EQ(translate("T4 g(T a); T4 f(T a) { return g(a) - 1; }").prelude,
              prelude_of({"float4 -"}));
    EXPECT_EQ(translate("struct S { T4 v; }; T4 f(struct S s) { return (s.v) * 2; }").prelude,
              prelude_of({"float4 *"}));
    EXPECT_EQ(translate("T f(T a, int b) { return abs(b) + a; }").prelude,
              prelude_of({"int unsigned_abs"}));
}

TEST(Translate, AddressSpacesVanishFromPointers) {
    EXPECT_EQ(statements("__global const T4* q = (__global const T4*)p;"),
              "const float4* q = (const float4*)p;");
    EXPECT_EQ(statements("__local T* q = p, *r = p;"), "float* q = p, *r = p;");
    EXPECT_EQ(statements("__constant T* q = p;"), "const float* q = p;");
    EXPECT_EQ(statements("const __constant T* q = p;"), "const float* q = p;");
    EXPECT_EQ(statements("__constant T w[2] = {1, 2};"), "const float w[2] = {1, 2};");
    EXPECT_THAT(translate("T f(__local const T* p) { return *p; }").body,
                HasSubstr("__device__ float f(const float* p)"));
}

TEST(Translate, DynamicLocalMemoryHasOneArrayForAllKernels) {
    const std::string body =
        translate(
            "__kernel void f(__local int* a) {}\n"
            "kernel void g(int n, local volatile T4* restrict b) { b[0].x = n; }\n")
            .body;
    EXPECT_THAT(body,
                HasSubstr("f() { extern __shared__ __align__(128) unsigned char "
                          "dynamic_local[]; int* a = reinterpret_cast<int*>(dynamic_local);}"));
    EXPECT_THAT(body, HasSubstr("g(int n) { extern __shared__ __align__(128) unsigned char "
                                "dynamic_local[]; volatile float4* __restrict__ b = "
                                "reinterpret_cast<volatile float4*>(dynamic_local); b[0].x = n;"));
}

TEST(Translate, HelpersAndPrototypes) {
    EXPECT_EQ(translate("static inline T f(T);\nvoid g(void) {}").body,
              "__device__ static inline float f(float);\n__device__ void g(void) {}");
    EXPECT_EQ(translate("struct S { int a; };\nenum { N = 3 };\ntypedef struct S R;").body,
              "struct S { int a; };\nenum : int { N = 3 };\ntypedef struct S R;");
}

TEST(Translate, NamesOfFunctionsMayBeVariables) {
    EXPECT_EQ(statements("int abs = 1, step = abs; abs += step;"),
              "int abs = 1, step = abs; abs += step;");
}

TEST(Translate, MembersMayShareNames) {
    EXPECT_THAT(
        translate("struct S { int clamp, uint_; };\nint f(struct S s) { return s.clamp; }").body,
        HasSubstr("return s.clamp;"));
}

TEST(Translate, TypesOfSeveralWords) {
    EXPECT_EQ(statements("unsigned char a; unsigned long b; unsigned c; long int d; char e;"),
              "unsigned char a; unsigned long long b; unsigned c; long long int d; signed char e;");
}

TEST(Translate, RowsNest) {
    EXPECT_THAT(translate("int f(__local int* p, __local int* q)\n"
                          "{ return atomic_inc(p + atomic_add(q, (int)get_local_id(0))); }")
                    .body,
                HasSubstr("atomicAdd(p + atomicAdd(q, (int)size_t(threadIdx.x)), 1);"));
    EXPECT_THAT(translate("int f(int b, int c) { return mul24(mul24(b, c) + 1, c); }").body,
                HasSubstr("return ((((b) * (c)) + 1) * (c));"));
    // The prelude's functions find an unknown type themselves, where one accepts all types.
    EXPECT_EQ(statements("atomic_inc(p);"), "atomic_inc(p);");
}

TEST(Translate, IsDeterministic) {
    const char* source = "T4 f(T4 a) { return clamp(a.x, a.y, a.z) * a + (T4)(1) - a / 2; }";
    const std::string first = translate(source).text();
    for (int i = 0; i < 5; ++i) EXPECT_EQ(translate(source).text(), first);
}

}  // namespace
}  // namespace parallax::translate_test
