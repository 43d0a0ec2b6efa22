// Is every row of the mapping table in use, and does it say what happens?
#include "mapping/table/table.hpp"

#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/analyze/patterns.hpp"
#include "mapping/tests/support.hpp"

namespace parallax::table_test {
namespace {

using ::testing::AnyOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::refusal;
using testing::refusal_in_body;
using testing::statements;
using testing::translate;

/// A source that uses a row, and what its translation must contain.
struct Example {
    std::string source, cuda;
};

/// Rows that describe a construct, so that no example can be made from their text alone.
const std::map<std::string, Example, std::less<>> constructs{
    {"__kernel", {"__kernel void f(int a) {}", "extern \"C\" __global__ void f(int a) {}"}},
    {"kernel", {"kernel void f(int a) {}", "extern \"C\" __global__ void f(int a) {}"}},
    {"T f()", {"T f() { return 1; }", "__device__ float f() { return 1; }"}},
    {"__attribute__((reqd_work_group_size($, $, $)))",
     {"__kernel __attribute__((reqd_work_group_size(TILE, ROWS, 1))) void f() {}",
      "__launch_bounds__((TILE) * (ROWS) * (1)) void f() {}"}},
    {"__global", {"__kernel void f(__global int* a) {}", "f(int* a)"}},
    {"global", {"__kernel void f(const global int* a) {}", "f(const int* a)"}},
    {"__local", {"__kernel void f() { __local int a[3]; }", "{ __shared__ int a[3]; }"}},
    {"local", {"__kernel void f() { local int a[3]; }", "{ __shared__ int a[3]; }"}},
    {"__local T* p)",
     {"__kernel void f(int n, __local T* p) {}",
      "f(int n) { extern __shared__ __align__(128) unsigned char dynamic_local[]; float* p = "
      "reinterpret_cast<float*>(dynamic_local);}"}},
    {"__constant", {"__constant int a[1] = {1};", "__constant__ int a[1] = {1};"}},
    {"constant", {"__kernel void f(constant int* a) {}", "f(const int* a)"}},
    {"__private", {"__kernel void f() { __private int a; }", "{ int a; }"}},
    {"private", {"__kernel void f() { private int a; }", "{ int a; }"}},
    {"__attribute__((aligned($)))",
     {"__kernel void f() { __local __attribute__((aligned(ALIGN))) T a[2]; }",
      "__shared__ __align__(ALIGN) float a[2];"}},
    {"__read_only image2d_t",
     {"__kernel void f(__read_only image2d_t a) {}", "f(cudaTextureObject_t a) {}"}},
    {"read_only image2d_t",
     {"__kernel void f(read_only image2d_t a) {}", "f(cudaTextureObject_t a) {}"}},
    {"image2d_t", {"__kernel void f(image2d_t a) {}", "f(cudaTextureObject_t a) {}"}},
    {"__read_only image1d_buffer_t",
     {"__kernel void f(__read_only image1d_buffer_t a) {}", "f(cudaTextureObject_t a) {}"}},
    {"read_only image1d_buffer_t",
     {"__kernel void f(read_only image1d_buffer_t a) {}", "f(cudaTextureObject_t a) {}"}},
    {"image1d_buffer_t", {"__kernel void f(image1d_buffer_t a) {}", "f(cudaTextureObject_t a) {}"}},
    // Without the fourth component.
    {"read_imagef($, $)",
     {"void f(image2d_t a, int2 b) { x = read_imagef(a, b).x; }", "x = read_imagef(a, b).x;"}},
    {"read_imagei($, $)",
     {"void f(image2d_t a, int2 b) { x = read_imagei(a, b).xy; }", "read_imagei(a, b)"}},
    {"read_imageui($, $)",
     {"void f(image2d_t a, int2 b) { x = read_imageui(a, b).s2; }", "x = read_imageui(a, b).z;"}},
    {"restrict", {"__kernel void f(__global T* restrict a) {}", "f(float* __restrict__ a)"}},
    {"T", {"T f(T a) { return (T)a; }", "float f(float a) { return (float)a; }"}},
    {"T2", {"T2 f(T2 a) { return a; }", "float2 f(float2 a) { return a; }"}},
    {"T4", {"T4 f(T4 a) { return a; }", "float4 f(float4 a) { return a; }"}},
    {"1L",
     {"ulong f() { return 1L + 2ul + 0x9E3779B97F4A7C15 + 3000000000 + 1; }",
      "return 1LL + 2ull + 0x9E3779B97F4A7C15ULL + 3000000000LL + 1;"}},
    {"(T2)($)", {"T2 f(T a) { return (T2)(a); }", "return splat_float2(a);"}},
    {"(T4)($)", {"T4 f(T a) { return (T4)( a ); }", "return splat_float4( a );"}},
    {"(T2)($, $)", {"int2 f(int a) { return (int2)(a, 1); }", "return make_int2(a, 1);"}},
    {"(T4)($, $, $, $)",
     {"double4 f(T a) { return (double4)(a, 1, (a, 2), 3); }",
      "double4_32a f(float a) { return make_double4_32a(a, 1, (a, 2), 3);"}},
    {"(T4)(n++, n++, $, $)",
     {"int4 f(int n) { return (int4)(n++, n++, n, 1); }",
      "return ordered_int4{n++, n++, n, 1}.made;"}},
    {".s0", {"T f(T4 v) { return v.s0; }", "return v.x;"}},
    {".s1", {"T f(T4 v) { return v.s1; }", "return v.y;"}},
    {".s2", {"T f(T4 v) { return v.s2; }", "return v.z;"}},
    {".s3", {"T f(T4 v) { return v.s3; }", "return v.w;"}},
    {"(T4)x",
     {"T4 f(T x) { T4 a = x; return (T4)x; }",
      "{ float4 a = splat_float4(x); return splat_float4(x); }"}},
    {"vec_step(T4)",
     {"int f(T4 a, char3 b, int16 c) { return vec_step(T4) + vec_step(a) + "
      "vec_step(b) + vec_step(c) + vec_step(int); }",
      "return 4 + 4 + 4 + 16 + 1;"}},
    {"T4.xz", {"T2 f(__global T4* v) { return v[0].xz; }", "return swizzle_xz(v[0]);"}},
    {"T4.xz++", {"void f(T4 v) { v.xz++; }", "{ increment_after_xz(v); }"}},
    {"T4.xz = T2", {"void f(T4 v, T2 a) { v.xz = a; }", "{ set_xz(v, a); }"}},
    {"T4 < T4", {"int4 f(T4 a, T4 b) { return a < b && b != 0; }", "return a < b && b != 0;"}},
    {"T4 ? T4 : T4", {"T4 f(int4 a, T4 b, T4 c) { return a ? b : c; }", "return choose(a, b, c);"}},
    {"T << n",
     {"int f(int a, int n) { a >>= n; return a << n; }",
      "{ shift_right_assign(a, n); return shift_left(a, n); }"}},
    {"__kernel f(), called",
     {"__kernel void f() {} __kernel void g() { f(); }",
      "__device__ void f_called() {} extern \"C\" __global__ void f() { f_called(); }"}},
    {"T data at file scope", {"__global int a = 1;", "__device__ int a = 1;"}},
    {"'a'", {"int f() { return 'a'; }", "return 'a';"}},
    {"typedef T4 name",
     {"typedef T4 name; name f(T a) { return (name)(a); }",
      "typedef float4 name; __device__ name f(float a) { return splat_float4(a); }"}},
    {"typedef __global T* name", {"typedef __global T* name;", "typedef float* name;"}},
    {"#define NAME text", {"#define NAME (uint)1L\n", "#define NAME (unsigned int)1LL\n"}},
    {"#if NAME",
     {"#if NAME\nuint f();\n#else\nint f();\n#endif\n",
      "#if NAME\n__device__ unsigned int f();\n#else\n__device__ int f();\n#endif\n"}},
    {"class", {"int f(int class) { return class; }", "f(int class_) { return class_; }"}},
    {"rcbrt()",
     {"T rcbrt(T a) { return a; } T f(T a) { return rcbrt(a); }",
      "float rcbrt_(float a) { return a; } __device__ float f(float a) { return "
      "rcbrt_(a); }"}},
    {"make_float4",
     {"void f(T4 a) { int make_float4 = 1; a = a.wzyx; }", "{ int make_float4_ = 1; a ="}},
    {"struct S, S",
     {"int f(int S) { struct S { int a; } b; return S; }",
      "{ struct S_ { int a; } b; return S; }"}},
    {"T* p = q", {"void f(int* q) { float* p = q; }", "{ float* p = (float*)(q); }"}},
    {"T p[static 3]", {"void f(T p[static 3], int q[const]) {}", "void f(float p[3], int q[]) {}"}},
    {"char* s = \"a\"",
     {"void f() { const char* s = \"a\"; }", "s = (const signed char*)\"a\"; }"}},
    {"__restrict", {"void f(T* __restrict a) {}", "f(float* __restrict__ a)"}},
    {"register", {"void f() { register int a; }", "{ int a; }"}},
    {"volatile T4",
     {"void f(volatile __global T4* a) { a[0] = a[1]; }",
      "f(volatile float4* a) { volatile_store(a[0], volatile_load(a[1])); }"}},
    {"1.0h", {"void f() { half a = 1.0h; }", "half a = half(1.0f);"}},
    {"__const", {"void f(__const int a) {}", "f(const int a)"}},
    {"(struct S){$}",
     {"struct S { int a; }; struct S f() { return (struct S){1}; }", "return  S{1};"}},
    {"{.name = $}",
     {"struct S { int a; }; void f() { struct S s = {.a = 1}; }", "struct S s = { 1};"}},
    {"enum E e",
     {"enum E { A }; enum E f(enum E e) { return e + 1; }",
      "__device__ unsigned int f(unsigned int e) { return e + 1; }"}},
    {"enum { A }", {"typedef enum { A } E;", "enum : int { A }; typedef unsigned int E;"}},
    {"struct S { struct R { T a; } b; }",
     {"struct S { struct R { T a; } b; }; T f(struct R r) { return r.a; }",
      "struct R { float a; }; struct S { struct R b; };"}},
    {"char s[1] = \"a\"", {"void f() { char s[1] = \"a\"; }", "{ signed char s[1] = {'a'}; }"}},
    {"bool b; b++", {"bool f(bool b) { return b++; }", "return (b || !(b = true));"}},
    {"for (T i = $;;) { T i; }",
     {"void f() { for (T i = 1;;) { T i; } }", "for (float i = 1;;) {{ float i; }}"}},
    {"const T a;", {"void f() { const T a; }", "{ const float a = {}; }"}},
    {"case $:",
     {"void f(uint a) { switch (a) { case -1: a = 1; } }", "case (unsigned int)(-1): a = 1;"}},
    {"sizeof(T < T)", {"ulong f(T a) { return sizeof(a < 2); }", "return sizeof(int);"}},
    {"T = pow(T, int)", {"T f(T a, int b) { return pow(a, b); }", "pow(a, (float)(b));"}},
    {"__attribute__((packed))",
     {"struct S { int a; } __attribute__((packed));",
      "struct __attribute__((packed)) S { int a; };"}},
    {"T4 v = {$, $, $, $}",
     {"void f(T a) { T4 v = {a, a, a, a}; }", "float4 v = make_float4(a, a, a, a);"}},
    {"#pragma nounroll", {"void f() {\n#pragma nounroll\n}", "\n#pragma unroll 1\n"}},
    {"__attribute__((opencl_unroll_hint($)))",
     {"void f() { __attribute__((opencl_unroll_hint(2))) for (;;) {} }",
      "{ _Pragma(\"unroll 2\") for (;;) {} }"}},
    {"__attribute__((hint))", {"void f() __attribute__((noinline)) {}", "void f() {}"}},
    {"#pragma clang", {"#pragma clang loop\nvoid f() {}", "\n__device__ void f() {}"}},
    {"_Pragma(\"clang ...\")", {"void f() { _Pragma(\"clang loop\") ; }", "void f() { ; }"}},
    {"__inline", {"__inline void f() {}", "__device__ inline void f() {}"}},
    {"T4 + T4", {"T4 f(T4 a, T4 b) { return a + b; }", "return a + b;"}},
    {"#pragma unroll", {"void f() {\n#pragma unroll\n}", "\n#pragma unroll\n"}},
    {"#pragma unroll $", {"void f() {\n#pragma unroll UNROLL\n}", "\n#pragma unroll UNROLL\n"}},
    {"#pragma OPENCL EXTENSION cl_khr_fp64 : enable",
     {"#pragma OPENCL EXTENSION cl_khr_fp64 : enable\nvoid f() {}", "\n__device__ void f() {}"}},
};

/// An example made from the text of the row: a statement with the arguments put in.
Example example_of(const MappingRule& row, const Spelling& spelling) {
    const auto found = constructs.find(spelling.opencl);
    if (found != constructs.end()) return found->second;
    const bool index = spelling.cuda.find(".$") != spelling.cuda.npos;
    const auto filled = [&](std::string_view text, bool cuda) {
        std::string result;
        char next = 'a';
        for (const char c : text) {
            if (c != '$') {
                result += c;
            } else if (index) {
                result += cuda ? 'y' : '1';
            } else {
                result += next++;
            }
        }
        return result;
    };
    std::string before = "x = ", after;
    if (row.topic == "types" || row.topic == "vectors") {
        before = "";
        after = " v";
    }
    if (row.topic == "synchronisation") before = "";
    const std::string_view parameters = row.topic == "atomics"  ? "__global int* a, int b, int c"
                                        : row.topic == "images" ? ""
                                                                : "int a, int b, int c";
    return {fmt::format("void f({}) {{ {}{}{}; }}", parameters, before,
                        filled(spelling.opencl, false), after),
            "{ " + before + filled(spelling.cuda, true) + after + "; }"};
}

TEST(Table, EveryRowThatHasACounterpartIsApplied) {
    for (const MappingRule& row : mapping_table()) {
        if (row.equivalence == Equivalence::none) continue;
        for (const Spelling& spelling : spellings_of(row)) {
            const Example example = example_of(row, spelling);
            EXPECT_THAT(translate(example.source).body, HasSubstr(example.cuda)) << spelling.opencl;
        }
    }
}

TEST(Table, IndexRowsTakeTheThreeDimensions) {
    EXPECT_EQ(statements("a = get_local_id(0) + get_local_id(1) + get_local_id(2u);"),
              "a = size_t(threadIdx.x) + size_t(threadIdx.y) + size_t(threadIdx.z);");
    EXPECT_EQ(statements("a = get_global_id(3) + get_global_id(d) + get_local_size((0));"),
              "a = get_global_id(3) + get_global_id(d) + get_local_size((0));");
}

/// Code with a rejected word that is no function and no name.
const std::map<std::string_view, std::string> refused_constructs{
    {"long long", "void f() { long long a; }"},
    {"long double", "void f() { long double a; }"},
    {"%v", "void f(float4 a) { printf(\"%v4f\", a); }"},
    {"\"a\"", "void f() { int a = \"a\"; }"},
    {"#pragma pack", "#pragma pack(1)\n"},
    {"#pragma push_macro", "#pragma push_macro(\"A\")\n"},
    {"sizeof", "void f() { int a = sizeof(unknown < 2); }"},
    {"static", "void f() { static int a; }"},
    {"__constant T* at file scope", "__constant int* a = 0;"},
    {"__attribute__", "void f() { __attribute__((endian(host))) int a; }"},
};

TEST(Table, EveryRefusedWordIsRefusedWithItsReason) {
    for (const MappingRule& row : mapping_table()) {
        if (row.equivalence != Equivalence::none) continue;
        for (std::string_view word : words_of(row)) {
            std::string source;
            if (const auto found = refused_constructs.find(word);
                found != refused_constructs.end()) {
                source = found->second;
            } else if (word.starts_with('#')) {
                source = word.size() == 1 ? "#\n" : std::string(word) + " A\n";
            } else {
                std::string name(word);
                const bool called = name.ends_with("()");
                if (called) name.resize(name.size() - 2);
                if (const std::size_t star = name.find('*'); star != name.npos) {
                    name.replace(star, 1, "9z");
                }
                source = "void f() { x = " + name + (called ? "(a);" : ";") + " }";
            }
            EXPECT_THAT(refusal(source), HasSubstr(row.rationale)) << word << "\n" << source;
        }
    }
}

TEST(Table, RowsAreUniqueAndExplained) {
    std::set<std::string> seen;
    for (const MappingRule& row : mapping_table()) {
        EXPECT_THAT(row.rationale, AnyOf(EndsWith("."), EndsWith("!"))) << row.opencl;
        EXPECT_FALSE(row.topic.empty());
        if (row.equivalence != Equivalence::none) {
            for (const Spelling& one : spellings_of(row)) {
                EXPECT_TRUE(seen.insert(one.opencl).second) << one.opencl;
            }
            continue;
        }
        EXPECT_TRUE(row.cuda.empty()) << row.opencl;
        for (const std::string_view word : words_of(row)) {
            EXPECT_TRUE(seen.emplace(word).second) << word;
        }
    }
}

}  // namespace
}  // namespace parallax::table_test
