// Is every row of the mapping table in use, and does it say what happens?
#include "kernels/table.hpp"

#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/patterns.hpp"
#include "kernels/tests/support.hpp"

namespace parallax {
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
const std::map<std::string_view, Example> constructs{
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
      "f(int n) { extern __shared__ __align__(32) unsigned char dynamic_local[]; float* p = "
      "reinterpret_cast<float*>(dynamic_local);}"}},
    {"__constant", {"__constant int a[1] = {1};", "__constant__ int a[1] = {1};"}},
    {"constant", {"__kernel void f(constant int* a) {}", "f(const int* a)"}},
    {"__private", {"__kernel void f() { __private int a; }", "{ int a; }"}},
    {"private", {"__kernel void f() { private int a; }", "{ int a; }"}},
    {"__attribute__((aligned($)))",
     {"__kernel void f() { __local __attribute__((aligned(ALIGN))) T a[2]; }",
      "__shared__ __align__(ALIGN) float a[2];"}},
    {"restrict", {"__kernel void f(__global T* restrict a) {}", "f(float* __restrict__ a)"}},
    {"T", {"T f(T a) { return (T)a; }", "float f(float a) { return (float)a; }"}},
    {"T2", {"T2 f(T2 a) { return a; }", "float2 f(float2 a) { return a; }"}},
    {"T4", {"T4 f(T4 a) { return a; }", "float4 f(float4 a) { return a; }"}},
    {"1L", {"ulong f() { return 1L + 2ul; }", "return 1LL + 2ull;"}},
    {"(T2)($)", {"T2 f(T a) { return (T2)(a); }", "return splat_float2(a);"}},
    {"(T4)($)", {"T4 f(T a) { return (T4)( a ); }", "return splat_float4(a);"}},
    {"(T2)($, $)", {"int2 f(int a) { return (int2)(a, 1); }", "return make_int2(a, 1);"}},
    {"(T4)($, $, $, $)",
     {"double4 f(T a) { return (double4)(a, 1, (a, 2), 3); }",
      "double4_32a f(float a) { return make_double4_32a(a, 1, (a, 2), 3);"}},
    {".s0", {"T f(T4 v) { return v.s0; }", "return v.x;"}},
    {".s1", {"T f(T4 v) { return v.s1; }", "return v.y;"}},
    {".s2", {"T f(T4 v) { return v.s2; }", "return v.z;"}},
    {".s3", {"T f(T4 v) { return v.s3; }", "return v.w;"}},
    {"T4 + T4", {"T4 f(T4 a, T4 b) { return a + b; }", "return a + b;"}},
    {"#pragma unroll", {"void f() {\n#pragma unroll\n}", "\n#pragma unroll\n"}},
    {"#pragma unroll $", {"void f() {\n#pragma unroll UNROLL\n}", "\n#pragma unroll UNROLL\n"}},
    {"#pragma OPENCL EXTENSION cl_khr_fp64 : enable",
     {"#pragma OPENCL EXTENSION cl_khr_fp64 : enable\nvoid f() {}", "\n__device__ void f() {}"}},
};

/// An example made from the text of the row: a statement with the arguments put in.
Example example_of(const Row& row) {
    const auto found = constructs.find(row.opencl);
    if (found != constructs.end()) return found->second;
    const bool index = row.cuda.find(".$") != row.cuda.npos;
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
    return {"void f() { " + before + filled(row.opencl, false) + after + "; }",
            "{ " + before + filled(row.cuda, true) + after + "; }"};
}

TEST(Table, EveryRowThatHasACounterpartIsApplied) {
    for (const Row& row : mapping_table()) {
        if (row.equivalence == Equivalence::none) continue;
        const Example example = example_of(row);
        EXPECT_THAT(translate(example.source).body, HasSubstr(example.cuda)) << row.opencl;
    }
}

TEST(Table, IndexRowsTakeTheThreeDimensions) {
    EXPECT_EQ(statements("a = get_local_id(0) + get_local_id(1) + get_local_id(2u);"),
              "a = size_t(threadIdx.x) + size_t(threadIdx.y) + size_t(threadIdx.z);");
    for (const char* text : {"get_global_id(3);", "get_global_id(d);", "get_global_id();",
                             "get_global_id(0, 1);", "get_global_id((0));"}) {
        EXPECT_THAT(refusal_in_body(text), HasSubstr("0, 1 or 2")) << text;
    }
}

/// How the translator meets a refused word that is no function and no name.
const std::map<std::string_view, std::string> refused_constructs{
    {"long long", "void f() { long long a; }"},
    {"long double", "void f() { long double a; }"},
    {"typedef T4 name", "typedef T4 vec;"},
    {"typedef __global T* name", "typedef __global T* pointer;"},
    {"'a'", "void f() { int a = 'a'; }"},
    {"\"a\"", "void f() { int a = \"a\"; }"},
    {"sizeof", "void f() { int a = sizeof(1 < 2); }"},
    {"(T4)x", "void f() { T4 a = (T4)x; }"},
    {".xy", "void f(T4 v) { v.xy = 1; }"},
    {".xyzw", "void f(T4 v) { v.xyzw = 1; }"},
    {".lo", "void f(T4 v) { v.lo = 1; }"},
    {".hi", "void f(T4 v) { v.hi = 1; }"},
    {".even", "void f(T4 v) { v.even = 1; }"},
    {".odd", "void f(T4 v) { v.odd = 1; }"},
    {".s01", "void f(T4 v) { v.s01 = 1; }"},
    {"T4==T4", "void f(T4 a, T4 b) { int c = a == b; }"},
    {"T4<T4", "void f(T4 a, T4 b) { int c = a < b; }"},
    {"T4%T4", "void f(int4 a, int4 b) { a %= b; }"},
    {"T4&T4", "void f(int4 a, int4 b) { a = a & b; }"},
    {"!T4", "void f(int4 a) { a = !a; }"},
    {"<<", "void f(int n) { n = 1 << n; }"},
    {">>", "void f(int n) { n = 1 >> n; }"},
    {"<<=", "void f(int n) { n <<= n; }"},
    {">>=", "void f(int n) { n >>= n; }"},
    {"#pragma", "#pragma OPENCL FP_CONTRACT OFF\n"},
    {"static", "void f() { static int a; }"},
    {"T data at file scope", "const float a = 1;"},
    {"__attribute__", "void f() { __attribute__((packed)) int a; }"},
};

TEST(Table, EveryRefusedWordIsRefusedWithItsReason) {
    for (const Row& row : mapping_table()) {
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
            EXPECT_THAT(refusal(source), HasSubstr(row.because)) << word << "\n" << source;
        }
    }
}

TEST(Table, RowsAreUniqueAndExplained) {
    std::set<std::string_view> seen;
    for (const Row& row : mapping_table()) {
        EXPECT_THAT(row.because, AnyOf(EndsWith("."), EndsWith("!"))) << row.opencl;
        EXPECT_FALSE(row.topic.empty());
        if (row.equivalence != Equivalence::none) {
            EXPECT_TRUE(seen.insert(row.opencl).second) << row.opencl;
            continue;
        }
        EXPECT_TRUE(row.cuda.empty()) << row.opencl;
        for (const std::string_view word : words_of(row)) {
            EXPECT_TRUE(seen.insert(word).second) << word;
        }
    }
}

}  // namespace
}  // namespace parallax
