// Tries every row of the mapping table from CUDA to OpenCL C.
#include "mapping/from_cuda/reverse_rows.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/text/characters.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/from_cuda/clang_tree.hpp"
#include "mapping/from_cuda/to_opencl.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax::reverse_rows_test {
namespace {

using from_cuda::Node;

/// A function that CUDA declares for device code.
struct Declared {
    std::string name, result;
    std::vector<std::string> parameters;
    bool has_body = false;  ///< written out: it is translated as the source's own are
};

struct Declarations {
    std::vector<Declared> functions;
    std::set<std::string> names;
};

const Declarations& declarations() {
    static const Declarations all = [] {
        Declarations made;
        const from_cuda::ClangTree tree = from_cuda::clang_tree("x.cu", "", {}, {});
        for (const Node& one : tree.root.parts) {
            made.names.insert(one.name);
            if (!one.is("FunctionDecl") || one.is_implicit || one.part("UnavailableAttr")) continue;
            Declared function{one.name,
                              one.type.substr(0, one.type.find(" (")),
                              {},
                              one.part("CompoundStmt") != nullptr};
            for (const Node& part : one.parts) {
                if (part.is("ParmVarDecl")) function.parameters.push_back(part.type);
            }
            made.functions.push_back(std::move(function));
        }
        return made;
    }();
    return all;
}

/// A rule's words about one CUDA source: `atomicAdd($, 1)`.
struct Said {
    const MappingRule* row;
    std::string opencl, cuda;
};

/// All rows' spellings, those that are read from CUDA alone first.
std::vector<Said> all_said() {
    std::vector<Said> made;
    for (const std::span<const MappingRule> rows : {reverse_table(), mapping_table()}) {
        for (const MappingRule& row : rows) {
            if (row.equivalence == Equivalence::none) continue;
            for (const Spelling& one : spellings_of(row)) {
                const std::size_t close = one.cuda.find('>');
                if (row.from_cuda && one.cuda.starts_with('<') && close != one.cuda.npos) {
                    for (const std::string_view word :
                         split(std::string_view(one.cuda).substr(1, close - 1), "|")) {
                        made.push_back(
                            {&row, one.opencl, std::string(word) + one.cuda.substr(close + 1)});
                    }
                } else {
                    made.push_back({&row, one.opencl, one.cuda});
                }
            }
        }
    }
    return made;
}

/// CUDA C++ on one line, and what one of its translations has to contain; none: it is rejected. `#`
/// is replaced by the line's number.
struct Trial {
    std::string cuda;
    std::vector<std::string> expected;
};

/// Rows of constructs, by their CUDA or their OpenCL C.
const std::map<std::string, Trial, std::less<>> constructs{
    // Execution.
    {"__kernel", {"extern \"C\" __global__ void k#(int a) {}", {"__kernel void k#(int a) {}"}}},
    {"kernel", {"extern \"C\" __global__ void k#(int a) {}", {"__kernel void k#(int a) {}"}}},
    {"T f()",
     {"__device__ int f#(int a) { return a; } __global__ void k#(int* p) { p[0] = f#(1); }",
      {"int f#(int a) { return a; }"}}},
    {"(uint)get_global_id($)",
     {"__global__ void k#(int* p) { p[0] = blockIdx.y * blockDim.y + threadIdx.y; }",
      {"p[0] = (uint)get_global_id(1);"}}},
    {"get_global_id($)",
     {"__global__ void k#(int* p) { p[0] = (size_t(blockIdx.x) * blockDim.x + threadIdx.x); }",
      {"p[0] = (get_global_id(0));"}}},
    {"get_global_size($)",
     {"__global__ void k#(int* p) { p[0] = (size_t(gridDim.x) * blockDim.x); }",
      {"p[0] = (get_num_groups(0) * (uint)get_local_size(0));"}}},
    {"get_global_offset($)", {"__global__ void k#(int* p) { p[0] = size_t(0); }", {"((ulong)0)"}}},
    {"__attribute__((reqd_work_group_size($, $, $)))",
     {"__global__ void __launch_bounds__((8) * (4) * (1)) k#(int* p) {}",
      {"__kernel void k#(__global int* p) {}"}}},
    {"32", {"__global__ void k#(int* p) { p[0] = warpSize; }", {"p[0] = 32;"}}},
    // Memory.
    {"__global", {"__global__ void k#(int* p) {}", {"__global int* p"}}},
    {"global", {"__global__ void k#(int* p) {}", {"__global int* p"}}},
    {"__local", {"__global__ void k#(int* p) { __shared__ int s[3]; }", {"{ __local int s[3]; }"}}},
    {"local", {"__global__ void k#(int* p) { __shared__ int s[3]; }", {"{ __local int s[3]; }"}}},
    {"__local T* p)",
     {"extern __shared__ int s#[]; __global__ void k#(int* p) { p[0] = s#[1]; }",
      {"(__global int* p, __local int* s#) { p[0] = s#[1]; }"}}},
    {"__constant",
     {"__constant__ int c#[2] = {1, 2}; __global__ void k#(int* p) { p[0] = c#[1]; }",
      {"__constant int c#[2] = {1, 2};"}}},
    {"constant",
     {"__constant__ int c#[2] = {1, 2}; __global__ void k#(int* p) { p[0] = c#[1]; }",
      {"__constant int c#[2] = {1, 2};"}}},
    {"__global T* p",
     {"__device__ int d#; __global__ void k#(int* p) { p[0] = d#; }",
      {"(__global int* p, __global int* d#) { p[0] = (*d#); }"}}},
    {"__managed__ T data",
     {"__managed__ int d#; __global__ void k#(int* p) { p[0] = d#; }",
      {"(__global int* p, __global int* d#) { p[0] = (*d#); }"}}},
    {"__grid_constant__ T a",
     {"__global__ void k#(int* p, const __grid_constant__ int a) { p[0] = a; }",
      {"(__global int* p, int a) { p[0] = a; }"}}},
    {"T data at file scope",
     {"__device__ int d#; __global__ void k#(int* p) { p[0] = d#; }",
      {"(__global int* p, __global int* d#) { p[0] = (*d#); }"}}},
    {"__private", {"__global__ void k#(int* p) { int a = 1; p[0] = a; }", {"{ int a = 1;"}}},
    {"private", {"__global__ void k#(int* p) { int a = 1; p[0] = a; }", {"{ int a = 1;"}}},
    {"restrict", {"__global__ void k#(int* __restrict__ p) {}", {"__global int* restrict p"}}},
    {"__restrict", {"__global__ void k#(int* __restrict__ p) {}", {"__global int* restrict p"}}},
    {"__restrict__", {"__global__ void k#(int* __restrict__ p) {}", {"__global int* restrict p"}}},
    {"__attribute__((aligned($)))",
     {"__global__ void k#(int* p) { __shared__ __align__(8) char s[8]; }",
      {"__local char s[8] __attribute__((aligned(8)));"}}},
    {"T* p = q",
     {"__global__ void k#(int* p) { float* q = (float*)p; q[0] = 1; }",
      {"__global float *q = ((__global float*)(p));"}}},
    {"T p[static 3]",
     {"__device__ int f#(int a[3]) { return a[0]; } "
      "__global__ void k#(int* p) { p[0] = f#(p); }",
      {"int f#(__global int* a)"}}},
    {"char* s = \"a\"", {"__global__ void k#(int* p) { const char* s = \"a\"; p[0] = s[0]; }", {}}},
    {"volatile T4",
     {"__global__ void k#(volatile float4* p) { p[0].x = 1; }", {"__global volatile float4* p"}}},
    {"NULL", {"__global__ void k#(int* p) { if (p != nullptr) p[0] = 1; }", {"p != 0"}}},
    {"prefetch($, $)", {"__global__ void k#(int* p) { ((void)0); }", {"0"}}},
    {"T f(T* a)",
     {"__device__ void f#(int& a) { a = 1; } __global__ void k#(int* p) { f#(p[0]); }",
      {"void f#(__global int* a) { (*a) = 1; }"}}},
    {"T f_2(T)",
     {"__device__ int f#(int a) { return a; } __device__ float f#(float a) { return a; } "
      "__global__ void k#(int* p) { p[0] = f#(1) + f#(1.0f); }",
      {"f#(1) + f#_2(1.0f)"}}},
    {"packed_T3", {"__global__ void k#(float3* p) {}", {"__global packed_float3* p"}}},
    // Types.
    {"signed", {"__global__ void k#(int* p) { signed a = 1; p[0] = a; }", {"int a = 1;"}}},
    {"unsigned", {"__global__ void k#(int* p) { unsigned a = 1; p[0] = a; }", {"uint a = 1;"}}},
    {"size_t", {"__global__ void k#(int* p) { size_t a = 1; p[0] = a; }", {"ulong a = 1;"}}},
    {"uintptr_t", {"__global__ void k#(int* p) { size_t a = 1; p[0] = a; }", {"ulong a = 1;"}}},
    {"atomic_size_t", {"__global__ void k#(int* p) { size_t a = 1; p[0] = a; }", {"ulong a = 1;"}}},
    {"ptrdiff_t", {"__global__ void k#(int* p) { ptrdiff_t a = 1; p[0] = a; }", {"long a = 1;"}}},
    {"intptr_t", {"__global__ void k#(int* p) { ptrdiff_t a = 1; p[0] = a; }", {"long a = 1;"}}},
    {"1L", {"__global__ void k#(long long* p) { p[0] = 1LL; }", {"p[0] = 1L;"}}},
    {"__const",
     {"__global__ void k#(int* p) { const int a = 1; p[0] = a; }", {"const int a = 1;"}}},
    {"__const__",
     {"__global__ void k#(int* p) { const int a = 1; p[0] = a; }", {"const int a = 1;"}}},
    {"(struct S){$}",
     {"struct S# { int a; }; __global__ void k#(S#* p) { p[0] = S#{1}; }", {"p[0] = (S#){1};"}}},
    {"{.name = $}",
     {"struct S# { int a, b; }; __global__ void k#(S#* p) { S# s = {0, 1}; p[0] = s; }",
      {"S# s = {0, 1};"}}},
    {"enum E e",
     {"__global__ void k#(unsigned int* p) { unsigned int e = 1; p[0] = e; }", {"uint e = 1;"}}},
    {"enum { A }",
     {"enum : int { A# }; __global__ void k#(int* p) { p[0] = A#; }", {"enum { A# };"}}},
    {"struct S { struct R { T a; } b; }",
     {"struct R# { int a; }; struct S# { struct R# b; }; "
      "__global__ void k#(S#* p) { p[0].b.a = 1; }",
      {"typedef struct S# {"}}},
    {"char s[1] = \"a\"",
     {"__global__ void k#(int* p) { signed char s[1] = {'a'}; p[0] = s[0]; }",
      {"char s[1] = {'a'};"}}},
    {"bool b; b++",
     {"__global__ void k#(int* p) { bool b = p[0] > 1; p[0] = (b || !(b = true)); }",
      {"(b || !(b = true))"}}},
    {"for (T i = $;;) { T i; }",
     {"__global__ void k#(int* p) { for (int i = 0; i < 2; ++i) {{ int i = 1; p[i] = 1; }} }",
      {"++i) {{ int i = 1; p[i] = 1; }}"}}},
    {"const T a;",
     {"__global__ void k#(int* p) { const float a = {}; p[0] = a; }", {"const float a = 0;"}}},
    {"case $:",
     {"__global__ void k#(unsigned int* p) { switch (p[0]) { case (unsigned int)-1: p[0] = 1; } "
      "}",
      {"case ((uint)(-1)): p[0] = 1;"}}},
    {"sizeof(T < T)", {"__global__ void k#(int* p) { p[0] = sizeof(int); }", {"sizeof(int)"}}},
    {"T = pow(T, int)",
     {"__global__ void k#(float* p, int n) { p[0] = pow(p[1], (float)n); }",
      {"p[0] = pow(p[1], ((float)n));"}}},
    {"__attribute__((packed))",
     {"struct __attribute__((packed)) S# { char a; int b; }; "
      "__global__ void k#(S#* p) { p[0].b = 1; }",
      {"typedef struct __attribute__((packed)) S# {"}}},
    {"'a'", {"__global__ void k#(int* p) { p[0] = 'a'; }", {"p[0] = 'a';"}}},
    {"typedef T4 name",
     {"typedef float4 name#; __global__ void k#(float* p) { name# v; v.x = 1; p[0] = v.x; }",
      {"float4 v;"}}},
    {"typedef __global T* name",
     {"typedef float* name#; __global__ void k#(name# p) {}", {"__global float* p"}}},
    // Vectors.
    {"(T2)($, $)",
     {"__global__ void k#(float2* p, float a) { p[0] = make_float2(a, a); }",
      {"p[0] = (float2)(a, a);"}}},
    {"(T4)($, $, $, $)",
     {"__global__ void k#(int4* p, int a) { p[0] = make_int4(a, a, a, a); }",
      {"p[0] = (int4)(a, a, a, a);"}}},
    {"T4 v = {$, $, $, $}",
     {"__global__ void k#(int4* p, int a) { int4 v = make_int4(a, a, a, a); p[0] = v; }",
      {"int4 v = (int4)(a, a, a, a);"}}},
    {".s0", {"__global__ void k#(int4* p) { p[0].x = 1; }", {"p[0].x = 1;"}}},
    {".s1", {"__global__ void k#(int4* p) { p[0].y = 1; }", {"p[0].y = 1;"}}},
    {".s2", {"__global__ void k#(int4* p) { p[0].z = 1; }", {"p[0].z = 1;"}}},
    {".s3", {"__global__ void k#(int4* p) { p[0].w = 1; }", {"p[0].w = 1;"}}},
    {"T4 + T4", {"__global__ void k#(int4* p) { p[0] = p[1] + p[2]; }", {}}},
    {"T4 < T4", {"__global__ void k#(int4* p) { p[0] = p[1] < p[2]; }", {}}},
    // Hints for a compiler.
    {"__inline",
     {"__device__ inline int f#() { return 1; } __global__ void k#(int* p) { p[0] = f#(); }",
      {"int f#(void) { return 1; }"}}},
    {"__inline__",
     {"__device__ inline int f#() { return 1; } __global__ void k#(int* p) { p[0] = f#(); }",
      {"int f#(void) { return 1; }"}}},
    {"__attribute__((opencl_unroll_hint($)))",
     {"__global__ void k#(int* p) { _Pragma(\"unroll 2\") for (int i = 0; i < 4; ++i) p[i] = i; }",
      {"_Pragma(\"unroll 2\") for"}}},
    {"asm", {"__global__ void k#(int* p) { asm volatile(\"bar.sync 0;\"); }", {}}},
    {"__asm__", {"__global__ void k#(int* p) { asm volatile(\"bar.sync 0;\"); }", {}}},
    {"__asm", {"__global__ void k#(int* p) { asm volatile(\"bar.sync 0;\"); }", {}}},
    {"class",
     {"__global__ void k#(int* p) { int class_ = 1; p[0] = class_; }", {"int class_ = 1"}}},
    {"rcbrt()",
     {"__device__ int rcbrt_(int a#) { return a#; } __global__ void k#(int* p) { p[0] = "
      "rcbrt_(1); "
      "}",
      {"int rcbrt_(int a#)"}}},
    {"make_float4",
     {"__global__ void k#(int* p) { int make_float4_ = 1; p[0] = make_float4_; }",
      {"int make_float4_ = 1"}}},
    {"struct S, S",
     {"struct S_ { int a; }; __global__ void k#(int* p) { struct S_ b = {1}; p[0] = b.a; }",
      {"S_ b = {1}"}}},
    // Functions.
    {"work_group_barrier($, memory_scope_device)",
     {"__global__ void k#(int* p) { (__threadfence(), __syncthreads()); }",
      {"(mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE), barrier("}}},
    {"work_group_barrier($, memory_scope_all_svm_devices)",
     {"__global__ void k#(int* p) { (__threadfence_system(), __syncthreads()); }", {}}},
    {"work_group_barrier($, memory_scope_all_devices)",
     {"__global__ void k#(int* p) { (__threadfence_system(), __syncthreads()); }", {}}},
    {"mul24($, $)", {"__global__ void k#(int* p, int a) { p[0] = ((a) * (a)); }", {"((a) * (a))"}}},
    {"mad24($, $, $)",
     {"__global__ void k#(int* p, int a) { p[0] = ((a) * (a) + (a)); }", {"((a) * (a) + (a))"}}},
    {"sincos($, $)", {"__global__ void k#(float* p) { p[0] = sincos(p[1], p + 2); }", {}}},
    {"atomic_inc($)", {"__global__ void k#(int* p) { atomicAdd(p, 1); }", {"atomic_add(p, 1)"}}},
    {"atom_inc($)", {"__global__ void k#(int* p) { atomicAdd(p, 1); }", {"atomic_add(p, 1)"}}},
    {"atomic_dec($)", {"__global__ void k#(int* p) { atomicSub(p, 1); }", {"atomic_sub(p, 1)"}}},
    {"atom_dec($)", {"__global__ void k#(int* p) { atomicSub(p, 1); }", {"atomic_sub(p, 1)"}}},
    {"cudaTextureObject_t",
     {"__global__ void k#(cudaTextureObject_t t, int* p) { p[0] = tex1Dfetch<int>(t, 1); }",
      {"image1d_buffer_t t"}}},
    {"tex2D($, $, $)",
     {"__global__ void k#(cudaTextureObject_t t, float4* p) { p[0] = tex2D<float4>(t, 1.5f, 2.5f); "
      "}",
      {"read_imagef(t, t_sampler, (float2)(1.5f, 2.5f))"}}},
    {"tex3D($, $, $, $)",
     {"__global__ void k#(cudaTextureObject_t t, float4* p) { p[0] = tex3D<float4>(t, 1.5f, 2.5f, "
      "3.5f); }",
      {"read_imagef(t, t_sampler, (float4)(1.5f, 2.5f, 3.5f, 0.0f))"}}},
    {"tex2DLayered($, $, $, $)",
     {"__global__ void k#(cudaTextureObject_t t, float4* p) { p[0] = tex2DLayered<float4>(t, 1.5f, "
      "2.5f, 3); }",
      {"read_imagef(t, t_sampler, (float4)(1.5f, 2.5f, 3, 0.0f))"}}},
    {"tex1D($, $)",
     {"__global__ void k#(cudaTextureObject_t t, float4* p) { p[0] = tex1D<float4>(t, 1.5f); }",
      {"read_imagef(t, t_sampler, 1.5f)"}}},
    {"tex1Dfetch($, $)",
     {"__global__ void k#(cudaTextureObject_t t, float4* p) { p[0] = tex1Dfetch<float4>(t, 3); }",
      {"read_imagef(t, 3)"}}},
    {"surf2Dread($, $, $)",
     {"__global__ void k#(cudaSurfaceObject_t t, float4* p) { p[0] = surf2Dread<float4>(t, 32, 2); "
      "}",
      {"read_imagef(t, (int2)("}}},
    {"surf3Dread($, $, $, $)",
     {"__global__ void k#(cudaSurfaceObject_t t, float4* p) { p[0] = surf3Dread<float4>(t, 32, 2, "
      "3); }",
      {"read_imagef(t, (int4)("}}},
    {"surf2DLayeredread($, $, $, $)",
     {"__global__ void k#(cudaSurfaceObject_t t, float4* p) { p[0] = surf2DLayeredread<float4>(t, "
      "32, 2, 3); }",
      {"read_imagef(t, (int4)("}}},
    {"surf1Dread($, $)",
     {"__global__ void k#(cudaSurfaceObject_t t, float4* p) { p[0] = surf1Dread<float4>(t, 32); }",
      {"read_imagef(t, "}}},
    {"surf2Dwrite($, $, $, $)",
     {"__global__ void k#(cudaSurfaceObject_t t, float4* p) { surf2Dwrite(p[0], t, 32, 2); }",
      {"write_imagef(t, (int2)("}}},
    {"surf3Dwrite($, $, $, $, $)",
     {"__global__ void k#(cudaSurfaceObject_t t, float4* p) { surf3Dwrite(p[0], t, 32, 2, 3); }",
      {"write_imagef(t, (int4)("}}},
    {"surf2DLayeredwrite($, $, $, $, $)",
     {"__global__ void k#(cudaSurfaceObject_t t, float4* p) { surf2DLayeredwrite(p[0], t, 32, 2, "
      "3); }",
      {"write_imagef(t, (int4)("}}},
    {"surf1Dwrite($, $, $)",
     {"__global__ void k#(cudaSurfaceObject_t t, float4* p) { surf1Dwrite(p[0], t, 32); }",
      {"write_imagef(t, "}}},
    {"T atomicAdd_scope(T* p, T v)",
     {"__global__ void k#(int* p) { atomicAdd_block(p, 1); atomicMax_system(p, 2); }",
      {"atomic_add(p, 1); atomic_max(p, 2)"}}},
    {"thread_block::sync()",
     {"__global__ void k#(int* p) { auto b = cooperative_groups::this_thread_block(); b.sync(); }",
      {"barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)"}}},
    {"thread_block::thread_rank()",
     {"__global__ void k#(int* p) { auto b = cooperative_groups::this_thread_block(); p[0] = "
      "b.thread_rank(); }",
      {"p[0] = (uint)((get_local_id(2) * "}}},
    {"thread_block::size()",
     {"__global__ void k#(int* p) { auto b = cooperative_groups::this_thread_block(); p[0] = "
      "b.size(); }",
      {"p[0] = (uint)(get_local_size(0) * "}}},
    {"thread_block::num_threads()",
     {"__global__ void k#(int* p) { auto b = cooperative_groups::this_thread_block(); p[0] = "
      "b.num_threads(); }",
      {"p[0] = (uint)(get_local_size(0) * "}}},
    {"thread_block::group_size()",
     {"__global__ void k#(int* p) { auto b = cooperative_groups::this_thread_block(); p[0] = "
      "cooperative_groups::group_size(b); }",
      {"p[0] = (uint)(get_local_size(0) * "}}},
    {"thread_block::thread_index().$",
     {"__global__ void k#(int* p) { auto b = cooperative_groups::this_thread_block(); p[0] = "
      "b.thread_index().y; }",
      {"p[0] = (uint)get_local_id(1)"}}},
    {"thread_block::group_index().$",
     {"__global__ void k#(int* p) { auto b = cooperative_groups::this_thread_block(); p[0] = "
      "b.group_index().y; }",
      {"p[0] = (uint)get_group_id(1)"}}},
    {"thread_block::group_dim().$",
     {"__global__ void k#(int* p) { auto b = cooperative_groups::this_thread_block(); p[0] = "
      "b.group_dim().y; }",
      {"p[0] = (uint)get_local_size(1)"}}},
    {"thread_block::dim_threads().$",
     {"__global__ void k#(int* p) { auto b = cooperative_groups::this_thread_block(); p[0] = "
      "b.dim_threads().y; }",
      {"p[0] = (uint)get_local_size(1)"}}},
    {"T __shfl_sync(unsigned mask, T x, int lane)",
     {"__global__ void k#(int* p) { p[0] = __shfl_sync(~0u, p[1], 2); }", {}}},
    {"ATOMIC_VAR_INIT($)", {"__global__ void k#(int* p, int a) { p[0] = (a); }", {"(a)"}}},
};

/// Rows that no line of CUDA can try, and why; there are to be fewer.
const std::map<std::string_view, std::string_view> untried{
    {"__kernel f(), called", "CUDA's kernels call none"},
    {"T", "the type of a run"},
    {"T2", "the type of a run"},
    {"T4", "the type of a run"},
    {"register", "CUDA has no word"},
    {"#define NAME text", "FromCuda.RunsThePreprocessorWhereItHasTo"},
    {"#if NAME", "FromCuda.RunsThePreprocessorWhereItHasTo"},
    {"#pragma unroll", "FromCuda.WritesTemplatesThatAreAskedFor"},
    {"#pragma unroll $", "FromCuda.WritesTemplatesThatAreAskedFor"},
    {"#pragma nounroll", "FromCuda.WritesTemplatesThatAreAskedFor"},
    {"__attribute__((hint))", "CUDA has no word"},
    {"#pragma clang", "CUDA has no word"},
    {"_Pragma(\"clang ...\")", "CUDA has no word"},
    {"#pragma OPENCL EXTENSION cl_khr_fp64 : enable", "CUDA has no word"},
};

/// The lines that are refused, by their numbers from 0: some at a time, since a refusal ends.
std::map<std::size_t, std::string> refused_lines(const std::vector<std::string>& lines) {
    constexpr std::size_t together = 120;
    std::map<std::size_t, std::string> made;
    for (std::size_t first = 0; first < lines.size(); first += together) {
        std::string source;
        for (std::size_t i = first; i < std::min(first + together, lines.size()); ++i) {
            source += lines[i] + "\n";
        }
        try {
            to_opencl("x.cu", source, {}, false);
        } catch (const Refused& refused) {
            for (const std::string_view line : lines_of(std::string_view(refused.what()))) {
                if (!line.starts_with("x.cu:")) continue;
                made[first + std::strtoul(line.data() + 5, nullptr, 10) - 1] += line;
            }
        }
    }
    return made;
}

/// `name($, int $)` of a row: its name, and the type that the first argument must have.
struct Call {
    std::string name, first_type;
    std::size_t arguments = 0;
};

std::optional<Call> call_of(std::string_view cuda) {
    std::size_t end = 0;
    while (end < cuda.size() && is_word_character(cuda[end])) ++end;
    if (end == 0 || end == cuda.size() || cuda[end] != '(' || cuda.back() != ')') return {};
    Call made{std::string(cuda.substr(0, end)), {}};
    for (std::string_view part : split(cuda.substr(end + 1, cuda.size() - end - 2), ",")) {
        part = trimmed(part);
        if (!part.ends_with('$')) return {};
        if (made.arguments++ == 0) made.first_type = trimmed(part.substr(0, part.size() - 1));
    }
    return made;
}

/// Names in a CUDA source, without numbers and placeholders for types or arguments.
std::vector<std::string> names_in(std::string_view cuda) {
    std::vector<std::string> made;
    std::string word;
    for (const char c : std::string(cuda) + " ") {
        if (is_word_character(c) || (c == '.' && !word.empty() && is_digit(word[0]))) {
            word += c;
            continue;
        }
        if (!word.empty() && !is_digit(word[0])) made.push_back(word);
        word.clear();
    }
    return made;
}

bool is_type(std::string_view name) {
    return is_one_of(
        name, {"unsigned", "signed", "char", "short", "int", "long", "float", "double", "bool"});
}

/// The trial of a text that is neither a call nor a construct: a number, a type, a constant, or a
/// name of the prelude, which CUDA itself has not.
Trial trial_of_words(const Said& said, const std::vector<Said>& all) {
    const std::vector<std::string> names = names_in(said.cuda);
    const auto is_known = [](const std::string& name) {
        return is_type(name) || declarations().names.contains(name) ||
               is_one_of(name, {"size_t", "void", "__builtin_bit_cast", "blockIdx", "threadIdx"}) ||
               name.starts_with("CUDART_") || name.find("LLONG_") != name.npos;
    };
    Trial made;
    if (names.empty()) {
        std::string number(said.cuda);
        for (const char* const suffix : {"LL", "ll"}) {
            if (const auto at = number.find(suffix); at != number.npos) number.erase(at, 1);
        }
        return {fmt::format("__global__ void k#(double* p) {{ p[0] = {}; }}", said.cuda), {number}};
    }
    const bool has_argument = said.cuda.find('$') != said.cuda.npos;
    if ((std::ranges::all_of(names, is_type) && !has_argument) ||
        declarations().names.contains(said.cuda)) {
        made.cuda =
            fmt::format("__global__ void k#({0}* p) {{ {0} v = p[0]; p[1] = v; }}", said.cuda);
        for (const Said& other : all) {
            if (other.cuda == said.cuda) made.expected.push_back(other.opencl + " v = p[0];");
        }
        return made;
    }
    const bool is_index = said.cuda.find(".$") != said.cuda.npos;
    std::string text = said.cuda;
    std::ranges::replace(text, '$', is_index ? 'y' : '1');
    const bool is_whole = std::ranges::all_of(names, is_known);
    made.cuda = fmt::format("__global__ void k#(double* p) {{ p[0] = {}; }}", text);
    if (!is_whole) return made;
    for (const Said& other : all) {
        if (other.cuda != said.cuda) continue;
        if (other.opencl.starts_with("convert_")) {  // the cast, which is the same
            const std::string type = other.opencl.substr(8, other.opencl.find('(') - 8);
            made.expected.push_back(fmt::format("(({})(1))", type));
        }
        const std::size_t at = other.opencl.find('$');
        made.expected.push_back(
            at == other.opencl.npos ? other.opencl : std::string(other.opencl).replace(at, 1, "1"));
    }
    return made;
}

class ReverseRows : public ::testing::Test {
    void SetUp() override {
        try {
            to_opencl("x.cu", "", {}, false);
        } catch (const Unsupported& error) {
            GTEST_SKIP() << error.what();
        }
    }
};

TEST_F(ReverseRows, EachRowIsReadFromCudaAsItSays) {
    const std::vector<Said> said = all_said();
    const auto& rows = from_cuda::ReverseRows::of_table();
    std::vector<Trial> trials;
    std::set<const MappingRule*> called, tried;
    // Calls of what CUDA declares, with each choice of its types.
    for (const Declared& one : declarations().functions) {
        Trial trial;
        std::vector<std::string> parameters, arguments;
        for (std::size_t i = 0; i < one.parameters.size(); ++i) {
            arguments.push_back(fmt::format("a{}", i));
            parameters.push_back(fmt::format("{} a{}", one.parameters[i], i));
        }
        std::string first = one.parameters.empty() ? "" : one.parameters[0];
        if (const auto star = first.find(" *"); star != first.npos) first.erase(star, 1);
        const bool is_refused = rows.refusal(one.name) != nullptr;
        for (const Said& row : said) {
            const auto call = call_of(row.cuda);
            if (!call || call->name != one.name || call->arguments != arguments.size()) continue;
            if (!call->first_type.empty() && call->first_type != first) continue;
            called.insert(row.row);
            if (is_refused) continue;
            trial.expected.push_back(
                one.has_body ? one.name : from_cuda::with_arguments(row.opencl, arguments));
        }
        const bool gives = one.result != "void";
        if (gives) parameters.push_back((one.result == "bool" ? "int" : one.result) + "* out");
        if (trial.expected.empty() && !is_refused) continue;
        if (one.name == "printf") continue;  // its format is written
        trial.cuda =
            fmt::format("__global__ void k#({}) {{ {}{}({}); }}", fmt::join(parameters, ", "),
                        gives ? "out[0] = " : "", one.name, fmt::join(arguments, ", "));
        trials.push_back(std::move(trial));
    }
    EXPECT_GT(trials.size(), 300u);
    for (const Said& one : said) {
        if (called.contains(one.row)) continue;
        auto construct = constructs.find(one.cuda);
        if (construct == constructs.end()) construct = constructs.find(one.opencl);
        if (construct != constructs.end()) {
            trials.push_back(construct->second);
        } else if (!untried.contains(one.row->opencl) && !untried.contains(one.opencl)) {
            Trial trial = trial_of_words(one, said);
            // One of a row's names of the prelude is enough.
            if (trial.expected.empty() && !tried.insert(one.row).second) continue;
            trials.push_back(std::move(trial));
        }
    }
    EXPECT_LE(untried.size(), 14u);
    const auto numbered = [](std::string text, std::size_t line) {
        for (std::size_t at; (at = text.find('#')) != text.npos;) {
            text.replace(at, 1, std::to_string(line));
        }
        return text;
    };
    std::string taken;
    std::vector<std::string> left;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        if (trials[i].expected.empty()) left.push_back(numbered(trials[i].cuda, i + 1));
        taken += (trials[i].expected.empty() ? "" : numbered(trials[i].cuda, i + 1)) + "\n";
    }
    const auto refused = refused_lines(left);
    for (std::size_t i = 0; i < left.size(); ++i) EXPECT_TRUE(refused.contains(i)) << left[i];
    const std::string text = to_opencl("x.cu", taken, {}, false).text;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        if (trials[i].expected.empty()) continue;
        // From the line's first name on.
        const std::size_t at = text.find(fmt::format("void k{}(", i + 1));
        ASSERT_NE(at, text.npos) << trials[i].cuda;
        const std::string own = text.substr(at, text.find('\n', at) - at);
        EXPECT_TRUE(std::ranges::any_of(trials[i].expected,
                                        [&](const std::string& one) {
                                            const std::string wanted = numbered(one, i + 1);
                                            return own.find(wanted) != own.npos ||
                                                   (one.find('#') != one.npos &&
                                                    text.find(wanted) != text.npos);
                                        }))
            << trials[i].cuda << "\n"
            << own << "\nwanted: " << fmt::format("{}", fmt::join(trials[i].expected, " | "));
    }
}

/// Refused words of CUDA that are no names.
const std::map<std::string_view, std::string_view> refused_constructs{
    {"asm", "asm volatile(\"bar.sync 0;\");"},
    {"cudaTextureObject_t", "cudaTextureObject_t t; p[0] = tex1Dfetch<int>(t, 1);"},
    {"cudaSurfaceObject_t", "cudaSurfaceObject_t t; p[0] = surf1Dread<int>(t, 4);"},
    {"cooperative_groups", "auto g = cooperative_groups::this_grid(); g.sync();"},
    {"<<<>>>", "k1<<<1, 1>>>(p);"},
    {"virtual",
     "} struct V { __device__ virtual int f() { return 1; } int a; }; "
     "__global__ void v(V v) { v.a = 1;"},
    {"new", "int* q = new int; p[0] = *q;"},
    {"delete", "delete p;"},
    {"throw", "throw 1;"},
    {"try", "try { p[0] = 1; } catch (...) { }"},
    {"lambda", "auto f = [&](int a) { return a; }; p[0] = f(1);"},
    {"this", "struct T { int a; __device__ int f() { return this->a; } }; T t; p[0] = t.f();"},
};

TEST_F(ReverseRows, EachRefusedWordIsRefusedWithItsReason) {
    std::vector<std::string> lines;
    std::vector<std::pair<std::string, std::string_view>> asked;
    for (const MappingRule& row : reverse_table()) {
        if (row.equivalence != Equivalence::none) continue;
        for (const std::string_view word : split(row.cuda, ", ")) {
            std::string name(word);
            if (const std::size_t star = name.find('*'); star != name.npos) {
                name.replace(star, 1, "9z");
            }
            const auto construct = refused_constructs.find(word);
            const std::string text =
                construct != refused_constructs.end() ? std::string(construct->second)
                : name.ends_with("()")                ? name.substr(0, name.size() - 2) + "(1);"
                                                      : name + "::thing a;";
            asked.emplace_back(text, row.rationale);
            lines.push_back(
                fmt::format("__global__ void k1(int* p); __global__ void k{0}(int* p) {{ {1} }}",
                            asked.size(), text));
        }
    }
    EXPECT_GT(asked.size(), 60u);
    const auto refused = refused_lines(lines);
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const auto found = refused.find(i);
        EXPECT_TRUE(found != refused.end() &&
                    found->second.find(asked[i].second) != std::string::npos)
            << asked[i].first << "\n"
            << (found == refused.end() ? "it is taken" : found->second);
    }
}

/// OpenCL C that only the translation from CUDA writes has rules for the way back.
TEST_F(ReverseRows, WhatTheyWriteIsTranslatedToCudaAgain) {
    std::set<std::string> tried;
    for (const Said& one : all_said()) {
        // `f` is replaced by a function of the source's own.
        if (!one.row->from_cuda || !call_of(one.cuda) || one.opencl.starts_with("f(")) continue;
        std::string call = one.opencl;
        std::ranges::replace(call, '$', '1');
        if (!tried.insert(call).second) continue;
        const std::string source =
            fmt::format("__kernel void k(__global int* p) {{ p[0] = {}; }}", call);
        try {
            to_cuda("x.cl", source, {});
        } catch (const Refused& refused) {
            ADD_FAILURE() << source << "\n" << refused.what();
        }
    }
    EXPECT_GT(tried.size(), 50u);
}

}  // namespace
}  // namespace parallax::reverse_rows_test
