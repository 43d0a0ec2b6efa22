// Changes of a kernel's source: what they change, what they leave alone, and that the result still
// lexes.
#include "studies/explain/rewrite.hpp"

#include "common/tests/portable_sources.hpp"
#include "kernels/kernel_texts.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax::rewrite_test {
namespace {

const char* const tile =
    "__kernel void f(__global const T* a, __global T* b, const ulong n) {\n"
    "    __local T t[TILE][TILE + 1];\n"
    "    for (uint i = 0; i < 4; ++i) {\n"
    "        for (uint k = 0; k < 4; ++k) b[i] += a[k] * 2.0;\n"
    "    }\n"
    "}\n";

bool has(const Rewritten& text, std::string_view part) {
    return text && text->find(part) != std::string::npos;
}

TEST(Rewrite, LocalArraysAreAligned) {
    EXPECT_TRUE(has(align_local_arrays(tile, 16),
                    "    __local __attribute__((aligned(16))) T t[TILE][TILE + 1];\n"));
}

TEST(Rewrite, AnAlignmentThatIsThereIsReplaced) {
    const std::string text =
        "__kernel void f() { __local __attribute__((aligned(ALIGN))) T t[4], *p; }";
    EXPECT_EQ(align_local_arrays(text, 8),
              std::nullopt);  // a pointer among them: it is no array of local memory
    EXPECT_EQ(
        align_local_arrays("__kernel void f() { __local __attribute__((aligned(4))) T t[4]; }", 8),
        "__kernel void f() { __local __attribute__((aligned(8))) T t[4]; }");
}

TEST(Rewrite, AnAlignmentIsOnlyRaised) {
    EXPECT_EQ(align_local_arrays(
                  "__kernel void f() { __local __attribute__((aligned(128))) T t[4]; }", 16),
              std::nullopt);
}

TEST(Rewrite, OnlyLocalArraysAreTakenForThem) {
    for (const char* text : {"void f() { s->local[2] = 1; s.local[3] = 2; }",
                             "__kernel void f() { __local float (*row)[8] = rows; }",
                             "__kernel void f() { __local T a[8][8], b[9][9]; }"}) {
        EXPECT_EQ(align_local_arrays(text, 16), std::nullopt) << text;
        EXPECT_EQ(pad_local_arrays(text), std::nullopt) << text;
    }
}

TEST(Rewrite, TheGroupsSizeStandsBehindTheWordKernel) {
    EXPECT_EQ(require_group_size("__attribute__((vec_type_hint(float))) __kernel void f() { }", "f",
                                 {8, 1, 1}),
              "__attribute__((vec_type_hint(float))) __kernel "
              "__attribute__((reqd_work_group_size(8, 1, 1))) void f() { }");
}

TEST(Rewrite, ArraysOfWideElementsKeepTheirNames) {
    EXPECT_EQ(narrow_indices("__kernel void f(__global long x[]) { x[0] = 1; }"), std::nullopt);
    for (const char* const type :
         {"struct Node { int begin, end; };", "typedef struct { int begin; int end; } Node_t;",
          "struct __attribute__((packed)) Node { union { int begin; uint all; }; int end; };"}) {
        const Rewritten wide = widen_indices(
            std::string(type) +
            "\n__kernel void f(__global const struct Node* nodes, __global int* x) {\n"
            "  struct Own { int at; } own;\n  int i = get_global_id(0);\n"
            "  for (int k = nodes[i].begin; k < nodes[i].end; ++k) { own.at = k; x[own.at] = 1; "
            "}\n}");
        ASSERT_TRUE(wide);
        EXPECT_TRUE(wide->starts_with(type)) << *wide;
        EXPECT_NE(wide->find("{ int at; }"), wide->npos) << *wide;
        EXPECT_NE(wide->find("for (long k"), wide->npos) << *wide;
    }
}

TEST(Rewrite, WhatIsAsItShouldBeIsNotRewritten) {
    const char* const text = "__kernel void f(__global float* restrict a) { a[0] = 1.0f; }";
    EXPECT_EQ(align_local_arrays(text, 16), std::nullopt);
    EXPECT_EQ(restrict_pointers(text, false), std::nullopt);
    EXPECT_EQ(without_volatile(text), std::nullopt);
    EXPECT_EQ(narrow_indices(text), std::nullopt);
    EXPECT_EQ(pad_local_arrays(text), std::nullopt);
    EXPECT_EQ(without_doubles(text), std::nullopt);
    EXPECT_EQ(unroll_loops(text, Unroll::forbidden), std::nullopt);
    EXPECT_EQ(without_group_size(text), std::nullopt);
}

const char* const cuda_tile =
    "namespace t {\n"
    "template <typename U, int N>\n"
    "__global__ void f(const double* a, float *b, double scale, const size_t n) {\n"
    "    __shared__ float t[16][17];\n"
    "    struct Own { double at; } own;\n"
    "    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;\n"
    "    unsigned long long k = i;\n"
    "    double sum = 0.5;\n"
    "    for (int j = 0; j < 4; ++j) b[k] += sinf(1.0f) + a[i].sinf(2);\n"
    "}\n"
    "}\n";

TEST(RewriteCuda, EachChangeIsInTheWordsOfCuda) {
    const SourceToChange text(cuda_tile, SourceLanguage::cuda);
    EXPECT_TRUE(has(align_local_arrays(text, 16), "    __shared__ __align__(16) float t[16][17];"));
    EXPECT_TRUE(has(restrict_pointers(text, false),
                    "f(const double* __restrict__ a, float * __restrict__ b, double scale"));
    EXPECT_TRUE(has(restrict_pointers(text, true), "__restrict__ a, float *b,"));
    EXPECT_EQ(pointers_without_restrict(text, {"t::f<float, 4>"}),
              (std::vector<std::string>{"a", "b"}));
    const Rewritten bounded = require_group_size(text, "t::f<float, 4>", {8, 4, 1});
    EXPECT_TRUE(has(bounded, "__global__ __launch_bounds__(32) void f("));
    const SourceToChange with_bounds(*bounded, SourceLanguage::cuda);
    EXPECT_EQ(require_group_size(with_bounds, "f", {8, 4, 1}), std::nullopt);
    EXPECT_FALSE(has(without_group_size(with_bounds), "__launch_bounds__"));
    EXPECT_TRUE(has(pad_local_arrays(text), "t[16][(17) + 1]"));
    EXPECT_TRUE(has(unroll_loops(text, Unroll::asked, 4), "\n#pragma unroll 4\nfor (int j"));
    EXPECT_EQ(cuda_float_functions(cuda_tile), std::vector<std::string>{"sinf"});
    EXPECT_TRUE(has(cuda_fast_function(cuda_tile, "sinf"), "+= __sinf(1.0f) + a[i].sinf(2)"));
}

TEST(Rewrite, AliasesAndStructsWithBasesKeepTheirLayout) {
    EXPECT_EQ(without_doubles("typedef double real;\n__kernel void f(__global real* p) { }"),
              std::nullopt);
    const std::string text =
        "template <class T> struct View : Base<float> { double at; size_t n; };\n"
        "__global__ void f(View<int> v, float* p) { p[v.n] = 1; }";
    EXPECT_EQ(without_doubles({text, SourceLanguage::cuda}), std::nullopt);
    EXPECT_EQ(narrow_indices({text, SourceLanguage::cuda}), std::nullopt);
}

TEST(RewriteCuda, IndicesChangeTheirWidthAndTheHostsTypesStay) {
    const SourceToChange text(cuda_tile, SourceLanguage::cuda);
    const Rewritten narrow = narrow_indices(text);
    EXPECT_TRUE(has(narrow, "const size_t n)")) << "it is no index";
    EXPECT_TRUE(has(narrow, "    unsigned int i = blockIdx.x * (unsigned int)blockDim.x"));
    EXPECT_TRUE(has(narrow, "    unsigned int   k = i;"));
    EXPECT_TRUE(has(widen_indices(text), "for (long long j = 0"));
    const Rewritten floats = without_doubles(text);
    EXPECT_TRUE(has(floats, "f(const double* a, float *b, double scale,"));
    EXPECT_TRUE(has(floats, "struct Own { double at; }"));
    EXPECT_TRUE(has(floats, "    float sum = 0.5f;"));
}

TEST(Rewrite, RestrictForAllOrForInputs) {
    EXPECT_TRUE(has(restrict_pointers(tile, false),
                    "__global const T* restrict a, __global T* restrict b, const ulong n"));
    EXPECT_TRUE(
        has(restrict_pointers(tile, true), "__global const T* restrict a, __global T* b, const"));
    EXPECT_EQ(restrict_pointers("__kernel void f(__global T *a) {}", false),
              "__kernel void f(__global T * restrict a) {}");
    EXPECT_EQ(without_restrict("__kernel void f(__global T* restrict a) {}"),
              "__kernel void f(__global T*  a) {}");
}

TEST(Rewrite, TheGroupsSizeIsSaidOnce) {
    const Rewritten said = require_group_size(tile, "f", {8, 4, 1});
    EXPECT_TRUE(has(said, "__kernel __attribute__((reqd_work_group_size(8, 4, 1))) void f("));
    EXPECT_EQ(require_group_size(*said, "f", {16, 16, 1}), std::nullopt);
    EXPECT_EQ(require_group_size(tile, "g", {8, 4, 1}), std::nullopt);
    EXPECT_FALSE(has(without_group_size(*said), "reqd_work_group_size"));
    EXPECT_TRUE(has(without_group_size(*said), "void f("));
}

TEST(Rewrite, IndicesNarrowButParametersStay) {
    const Rewritten text = narrow_indices(
        "size_t at(const size_t i) { return i; }\n"
        "__kernel void f(__global ulong* a, const ulong n, const long m) {\n"
        "    for (size_t i = 0; i < n; ++i) a[at(i)] = (ulong)m;\n}\n");
    ASSERT_TRUE(text);
    EXPECT_EQ(*text,
              "uint at(const uint i) { return i; }\n"
              "__kernel void f(__global ulong* a, const ulong n_wide, const long m) {"
              " const uint n = (uint)n_wide;\n"
              "    for (uint i = 0; i < n; ++i) a[at(i)] = (ulong)m;\n}\n");
}

TEST(Rewrite, DataKeepTheirWidth) {
    const Rewritten text = widen_indices(
        "__kernel void f(__global const uint* in, __global uint* out, const uint n) {\n"
        "    __local uint tile[64];\n"
        "    const uint i = get_global_id(0), lane = get_local_id(0);\n"
        "    const uint next = i + 1, two = 2 * lane;\n"
        "    uint sum = 0, last;\n"
        "    int sign = 0;\n"
        "    if (next < n) sum += (uint)in[(uint)next] + tile[two];\n"
        "    __global uint* row = out + lane * n;\n"
        "    row[i] = sum ^ (uint)sign;\n}\n");
    ASSERT_TRUE(text);
    EXPECT_EQ(*text,
              "__kernel void f(__global const uint* in, __global uint* out, const uint n) {\n"
              "    __local uint tile[64];\n"
              "    const ulong i = get_global_id(0), lane = get_local_id(0);\n"
              "    const ulong next = i + 1, two = 2 * lane;\n"
              "    uint sum = 0, last;\n"
              "    int sign = 0;\n"
              "    if (next < n) sum += (uint)in[(ulong)next] + tile[two];\n"
              "    __global uint* row = out + lane * n;\n"
              "    row[i] = sum ^ (uint)sign;\n}\n");
    EXPECT_EQ(narrow_indices("__kernel void f(__global long* a, const ulong seed) {\n"
                             "    ulong state = seed;\n"
                             "    a[get_global_id(0)] = (long)state;\n}\n"),
              std::nullopt);
}

TEST(Rewrite, IndicesWidenButParametersStay) {
    EXPECT_EQ(widen_indices("__kernel void f(const uint n) { for (uint i = 0; i < n; ++i); }"),
              "__kernel void f(const uint n) { for (ulong i = 0; i < n; ++i); }");
}

TEST(Rewrite, WidenedIndicesTakeTheOtherArgumentsWithThem) {
    EXPECT_EQ(widen_indices("__kernel void f(__global float* a, const int n) {\n"
                            "    int i = get_global_id(0);\n"
                            "    a[clamp(i + 1, 0, min(n, 9))] = max(a[i], 0.0f);\n}\n"),
              "__kernel void f(__global float* a, const int n) {\n"
              "    long i = get_global_id(0);\n"
              "    a[clamp((long)(i + 1), (long)( 0), (long)( min((long)(n), (long)( 9))))] = "
              "max(a[i], 0.0f);\n}\n");
}

TEST(Rewrite, LoopsAreUnrolledFromTheInside) {
    const Rewritten asked = unroll_loops(tile, Unroll::asked);
    ASSERT_TRUE(asked);
    EXPECT_TRUE(has(asked, "#pragma unroll\nfor (uint k"));
    EXPECT_FALSE(has(asked, "#pragma unroll\nfor (uint i"));
    EXPECT_EQ(unroll_loops(*asked, Unroll::asked), std::nullopt);
    const Rewritten forbidden = unroll_loops(*asked, Unroll::forbidden);
    EXPECT_TRUE(has(forbidden, "#pragma unroll 1\nfor (uint i"));
    EXPECT_TRUE(has(forbidden, "#pragma unroll 1\nfor (uint k"));
    EXPECT_FALSE(has(forbidden, "#pragma unroll\n"));
    EXPECT_FALSE(has(unroll_loops(*forbidden, Unroll::silent), "unroll"));
}

TEST(Rewrite, LoopsThatAreToldHaveLines) {
    const char* source =
        "void g(int n) { for (int k = 0; k < n; ++k); }\n"
        "__kernel void f(int n) {\n    for (int i = 0; i < n; ++i)\n"
        "        for (int k = 0; k < n; ++k) g(k);\n"
        "#pragma unroll 2\n    for (int m = 0; m < n; ++m);\n}\n";
    using testing::ElementsAre;
    EXPECT_THAT(lines_of_unrolled(source, Unroll::asked), ElementsAre(1, 4));
    EXPECT_THAT(lines_of_unrolled(source, Unroll::asked, 4), ElementsAre(1, 4, 6));
    EXPECT_THAT(lines_of_unrolled(source, Unroll::forbidden), ElementsAre(1, 3, 4, 6));
    EXPECT_THAT(lines_of_unrolled(source, Unroll::silent), testing::IsEmpty());
}

TEST(Rewrite, TablesGetASpareColumn) {
    EXPECT_TRUE(has(pad_local_arrays(tile), "T t[TILE][(TILE + 1) + 1];"));
    EXPECT_EQ(pad_local_arrays("__kernel void f() { __local T t[4]; }"), std::nullopt);
}

TEST(Rewrite, DoublesBecomeFloats) {
    EXPECT_EQ(without_doubles("void f() { double x = 1.0 + 2e3 + 0x1p3 + 1 + 1.5f; }"),
              "void f() { float x = 1.0f + 2e3f + 0x1p3 + 1 + 1.5f; }");
}

TEST(Rewrite, ALocalArrayBecomesAParameter) {
    const auto dynamic = make_local_dynamic(
        "__kernel void f(__global T* a) {\n    __local T4 t[2 * (GROUP + 2)];\n    a[0] = "
        "t[0].x;\n}",
        "f", ElementType::f32, {{"GROUP", 64}});
    ASSERT_TRUE(dynamic);
    EXPECT_EQ(dynamic->bytes, 2u * 66 * 16);
    EXPECT_NE(dynamic->source.find("__global T* a, __local T4* t) {"), std::string::npos);
    EXPECT_EQ(dynamic->source.find("__local T4 t["), std::string::npos);
}

TEST(Rewrite, WhatCannotBecomeAParameterStays) {
    const std::vector<Constant> none;
    for (const char* text :
         {"__kernel void f() { }", "__kernel void f() { __local T t[2][2]; }",
          "__kernel void f() { __local T t[2]; __local T u[2]; }",
          "__kernel void f() { __local T t[N]; }",
          "__kernel void f(__local T* x) { __local T t[2]; }",
          "__kernel void f() { __local T t[2], u[2]; }", "__kernel void g() { __local T t[2]; }"}) {
        EXPECT_FALSE(make_local_dynamic(text, "f", ElementType::f32, none)) << text;
    }
}

TEST(Rewrite, Expressions) {
    const std::vector<Constant> constants{{"A", 6}, {"B", 4}};
    EXPECT_EQ(value_of_expression("A + 2 * B", constants), 14);
    EXPECT_EQ(value_of_expression("(A - B) * 3 % 4", constants), 2);
    EXPECT_EQ(value_of_expression(" A / B", constants), 1);
    for (const char* bad : {"", "A +", "C", "A / 0", "(A", "A B", "f(A)", "1.5",
                            "9223372036854775807 + 1", "A * 9223372036854775807"}) {
        EXPECT_EQ(value_of_expression(bad, constants), std::nullopt) << bad;
    }
    EXPECT_EQ(value_of_expression(std::string(100000, '('), constants), std::nullopt);
}

TEST(Rewrite, BrokenTextsAreRefused) {
    for (const char* text : {"__kernel void f( {", "void f() { @ }"}) {
        EXPECT_THROW(narrow_indices(text), Refused);
        EXPECT_THROW(unroll_loops(text, Unroll::asked), Refused);
    }
}

// Every change of every kernel of the suites can still be translated.
TEST(Rewrite, TheSuitesKernelsStayTranslatable) {
    for (const Suite& suite : suites()) {
        std::vector<std::string> constants;
        for (const ConstantSpec& spec : suite.constants) {
            if (!spec.is_argument) constants.push_back(spec.name);
        }
        unsigned changed = 0;
        const std::vector<std::string> files = portable_sources(suite);
        for (const auto& [file, source, hash] : embedded_kernels()) {
            if (std::ranges::find(files, file) == files.end()) continue;
            for (const Rewritten& text :
                 {align_local_arrays(source, 16), restrict_pointers(source, false),
                  restrict_pointers(source, true), narrow_indices(source), widen_indices(source),
                  unroll_loops(source, Unroll::asked), unroll_loops(source, Unroll::forbidden),
                  unroll_loops(source, Unroll::silent), pad_local_arrays(source),
                  without_group_size(source)}) {
                if (!text) continue;
                ++changed;
                EXPECT_NO_THROW(to_cuda(file, *text, {suite.types.front(), constants}))
                    << file << *text;
            }
        }
        EXPECT_GE(changed, 3u) << suite.name;
    }
}

}  // namespace
}  // namespace parallax::rewrite_test
