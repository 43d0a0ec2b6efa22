// Tests translations from CUDA C++ to OpenCL C, and that every row is read backwards.
#include <functional>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/from_cuda/clang_tree.hpp"
#include "mapping/from_cuda/cuda_type.hpp"
#include "mapping/from_cuda/reverse_rows.hpp"
#include "mapping/from_cuda/to_opencl.hpp"

namespace parallax::from_cuda_test {
namespace {

using from_cuda::Node;
using from_cuda::ReverseRows;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// The translation; of a machine without clang nothing.
std::string opencl(std::string_view source, const CudaOptions& options = {}, bool expand = false) {
    try {
        return to_opencl("x.cu", source, options, expand).text;
    } catch (const Unsupported&) {
        return {};
    }
}

std::string refusal(std::string_view source, const CudaOptions& options = {}) {
    try {
        to_opencl("x.cu", source, options, false);
    } catch (const Refused& refused) {
        return refused.what();
    }
    return {};
}

class FromCuda : public ::testing::Test {
    void SetUp() override {
        try {
            to_opencl("x.cu", "", {}, false);
        } catch (const Unsupported& error) {
            GTEST_SKIP() << error.what();
        }
    }
};

TEST(CudaType, IsTakenApart) {
    const auto read = [](std::string_view text) {
        const auto type = from_cuda::type_of_text(
            text, [](const std::string& name) -> std::optional<std::string> {
                if (name == "real") return "double";
                if (name == "list") return "float *";
                return {};
            });
        if (!type) return std::string("none");
        std::string made;
        for (const auto& layer : type->layers) {
            using Kind = from_cuda::CudaType::Layer::Kind;
            made += layer.kind == Kind::pointer
                        ? layer.is_const ? "const pointer to " : "pointer to "
                    : layer.kind == Kind::reference ? "reference to "
                    : layer.kind == Kind::array     ? fmt::format("{} of ", layer.extent)
                                                    : "function to ";
        }
        return made + (type->is_const ? "const " : "") + type->base;
    };
    EXPECT_EQ(read("const unsigned int"), "const unsigned int");
    EXPECT_EQ(read("float (*)[17]"), "pointer to 17 of float");
    EXPECT_EQ(read("float *[4]"), "4 of pointer to float");
    EXPECT_EQ(read("float[16][17]"), "16 of 17 of float");
    EXPECT_EQ(read("const real *__restrict"), "pointer to const double");
    EXPECT_EQ(read("const list"), "const pointer to float");
    EXPECT_EQ(read("const float &"), "reference to const float");
    EXPECT_EQ(read("ns::Pair<float, 2> *"), "pointer to ns::Pair<float, 2>");
    EXPECT_EQ(read("int (int, float)"), "function to int");
    EXPECT_EQ(read(""), "none");
}

TEST_F(FromCuda, WritesWorkItemsMemoryAndComments) {
    const std::string text = opencl(
        "#include <cstdio>\n#define TILE 16\n#define UNUSED 3\n"
        "// What it does.\n"
        "__global__ void k(float* __restrict__ out, const float* in, int n) {\n"
        "  __shared__ float tile[TILE][TILE + 1];\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;  // where\n"
        "  tile[threadIdx.y][threadIdx.x] = i < n ? in[i] : 0.0f;\n"
        "  __syncthreads();\n"
        "  out[i] = tile[threadIdx.x][threadIdx.y] * TILE;\n"
        "}\n"
        "int main() { k<<<1, TILE>>>(nullptr, nullptr, 3); printf(\"x\"); }\n");
    EXPECT_EQ(text,
              "#define TILE 16\n"
              "// What it does.\n"
              "__kernel void k(__global float* restrict out, __global const float* in, int n) {\n"
              "  __local float tile[TILE][TILE + 1];\n"
              "  int i = (uint)get_global_id(0);  // where\n"
              "  tile[(uint)get_local_id(1)][(uint)get_local_id(0)] = i < n ? in[i] : 0.0f;\n"
              "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
              "  out[i] = tile[(uint)get_local_id(0)][(uint)get_local_id(1)] * TILE;\n"
              "}\n");
}

TEST_F(FromCuda, FindsWhatPointersLeadTo) {
    const std::string text = opencl(
        "template <typename T> __device__ T first(const T* p, int n = 0) { return p[n]; }\n"
        "__device__ void twice(float& x) { x *= 2; }\n"
        "__device__ float* next(float* p) { float* q = p; return q + 1; }\n"
        "extern __shared__ float dynamic[];\n"
        "__constant__ float table[4] = {1, 2, 3, 4};\n"
        "__global__ void k(float* out) {\n"
        "  __shared__ float s[4];\n"
        "  float own[2] = {1, 2};\n"
        "  twice(own[1]); twice(out[0]); twice(s[0]);\n"
        "  float* p = next(dynamic);\n"
        "  out[1] = first(own) + first(out) + first(s, 1) + first(table) + *p;\n"
        "}\n");
    for (const char* const part :
         {"float first(const float* p, int n)", "float first_2(__global const float* p, int n)",
          "float first_3(__local const float* p, int n)",
          "float first_4(__constant float* p, int n)", "void twice(float* x) { (*x) *= 2; }",
          "void twice_2(__global float* x)", "void twice_3(__local float* x)",
          "__local float* next(__local float* p) { __local float *q = p; return q + 1; }",
          "__constant float table[4] = {1, 2, 3, 4};",
          "__kernel void k(__global float* out, __local float* dynamic)",
          "twice(&own[1]); twice_2(&out[0]); twice_3(&s[0]);", "__local float *p = next(dynamic);",
          "first(own, 0) + first_2(out, 0) + first_3(s, 1) + first_4(table, 0) + *p;"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
    EXPECT_THAT(
        opencl("/** What it does. */\n__global__ void k(float* a) { float* p; p = a; *p = 1; }"),
        HasSubstr("/** What it does. */\n__kernel void k(__global float* a) { "
                  "__global float *p; p = a; *p = 1; }"));
    EXPECT_THAT(refusal("__global__ void k(float* a, int n) { __shared__ float s[4];\n"
                        "float* p = n ? a : s; p[0] = 1; }"),
                HasSubstr("x.cu:2: 'k': a pointer leads to two kinds of memory"));
}

TEST_F(FromCuda, WritesTemplatesThatAreAskedFor) {
    constexpr std::string_view source =
        "template <typename T, int N> __global__ void scale(T* a) {\n"
        "#pragma unroll N\n"
        "  for (int i = 0; i < N; ++i) a[i] *= T(N);\n}\n"
        "void f() { scale<double, 2><<<1, 1>>>(nullptr); }\n";
    const std::string text = opencl(source);
    EXPECT_THAT(text, HasSubstr("__kernel void scale(__global double* a)"));
    EXPECT_THAT(text,
                HasSubstr("#pragma unroll\n  for (int i = 0; i < 2; ++i) a[i] *= ((double)2);"));
    EXPECT_THAT(opencl(source, {.kernels = {"scale<float, 3>"}}),
                HasSubstr("scale(__global float* a)"));
    EXPECT_THAT(opencl(source, {.kernels = {"scale<float, 3>", "scale<int, 4>"}}),
                AllOf(HasSubstr("scale_float_3(__global float* a)"),
                      HasSubstr("scale_int_4(__global int* a)")));
}

TEST_F(FromCuda, SaysWhatKeepsATemplateFromBeingWritten) {
    const std::string source =
        "template <int N> __global__ void k(int* a) { *a = N + missing; }\n"
        "template <class T> __global__ void other(T* a) { *a = 1; }\n";
    EXPECT_THAT(refusal(source, {.kernels = {"k<2>"}}),
                HasSubstr("x.cu:1: clang: use of undeclared identifier 'missing'"));
    // A kernel that was not requested is not reported.
    const OpenClTranslation made = to_opencl(
        "x.cu", source + "__global__ void f(int* a) { *a = 1; }\n", {.kernels = {"f"}}, false);
    EXPECT_TRUE(made.notes.empty()) << made.notes.front();
    ASSERT_EQ(made.kernels.size(), 1u);
    EXPECT_EQ(made.kernels[0], std::pair(std::string("f"), std::string("f")));
}

TEST_F(FromCuda, TakesOneBranchOfAnIfOfConstants) {
    const std::string text = opencl(
        "template <int N> __device__ int f(int x) {\n"
        "  if constexpr (N > 2) { x += 1; } else if constexpr (N > 1) x += 2; else { x += 3; }\n"
        "  return x; }\n"
        "__global__ void k(int* a) { a[0] = f<3>(1); a[1] = f<2>(1); a[2] = f<1>(1); }\n");
    for (const char* const part : {"int f(int x) {\n  { x += 1; }\n  return x; }",
                                   "int f_2(int x) {\n  x += 2;\n  return x; }",
                                   "int f_3(int x) {\n  { x += 3; }\n  return x; }"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
}

TEST_F(FromCuda, WritesTypesOfTheFile) {
    const std::string text = opencl(
        "namespace app { struct Body { float4 place; float mass; int marks[2]; }; }\n"
        "struct __align__(8) Odd { char a; int b __attribute__((packed)); short c; };\n"
        "typedef struct { int i; } Plain;\ntypedef struct Tagged { Plain p; } Alias;\n"
        "enum Kind { red, green = 5 };\n"
        "enum class Way { up = 3, down };\n"
        "constexpr int count = 4;\nconst unsigned wide = 7;\nusing real = float;\n"
        "__device__ float3 operator+(const float3& a, const float3& b) {\n"
        "  return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }\n"
        "__global__ void k(app::Body* b, float3* v, double4* w, long long* l, bool flag) {\n"
        "  Alias other; other.p.i = 1; Odd odd; odd.b = 2; __align__(16) char raw[16]; raw[0] = "
        "1;\n"
        "  real t[count] = {}; float partly[2][3] = {{1, 2}}; partly[0][0] = t[1];\n"
        "  app::Body one = b[0];\n"
        "  v[1] = v[0] + v[2];\n"
        "  Kind kind = green; Way way = Way::down;\n"
        "  one.place = make_float4(1.f, t[0], kind, 2);\n"
        "  if (flag && way == Way::up) b[1] = one;\n"
        "  w[0].x = sizeof(float3) + wide; l[0] = 1LL << 40; unsigned global = 3u; l[1] = global;\n"
        "}\n");
    for (const char* const part :
         {"typedef struct { float x, y, z; } packed_float3;",
          "typedef struct __attribute__((aligned(16))) { double x, y, z, w; } packed_double4;",
          "typedef struct Body {\n    float4 place;\n    float mass;\n    int marks[2];\n} Body;",
          "typedef struct __attribute__((aligned(8))) Odd {\n    char a;\n"
          "    int b __attribute__((packed));\n    short c;\n} Odd;",
          "char raw[16] __attribute__((aligned(16)));",
          "typedef struct Plain {\n    int i;\n} Plain;",
          "typedef struct Tagged {\n    Plain p;\n} Tagged;",
          "Tagged other; other.p.i = 1;",
          "enum { red, green = 5 };",
          "enum { count = 4 };",
          "__constant uint wide = 7;",
          "packed_float3 add(__global const packed_float3* a, __global const packed_float3* b)",
          "return (packed_float3){(*a).x + (*b).x, ",
          "__kernel void k(__global Body* b, __global packed_float3* v, __global packed_double4* "
          "w, "
          "__global long* l, uchar flag)",
          "float t[count] = {0};",
          "float partly[2][3] = {{1, 2}};",
          "Body one = b[0];",
          "v[1] = add(&v[0], &v[2]);",
          "int kind = green; int way = (4);",
          "one.place = (float4)(1.f, t[0], (float)(kind), (float)(2));",
          "way == (3)",
          "w[0].x = sizeof(packed_float3) + wide; l[0] = 1L << 40; uint global_ = 3u; l[1] = "
          "global_;"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
    EXPECT_THAT(text, Not(HasSubstr("up")));
}

TEST_F(FromCuda, MovesMemoryToTheKernel) {
    const std::string text = opencl(
        "__constant__ float table[8];\n__constant__ int scale;\n__device__ int counter;\n"
        "__device__ float sum(float x) {\n"
        "  __shared__ float part[32];\n  part[threadIdx.x] = x; __syncthreads();\n"
        "  return part[0] * table[scale]; }\n"
        "template <typename T> __device__ T later(T x);\n"
        "template <typename T> __device__ T f(T x) { return later(x); }\n"
        "template <typename T> __device__ T later(T x) { return x; }\n"
        "__global__ void k(float* a) {\n  a[2] = f(a[1]);\n"
        "  if (a[0] > 0) { __shared__ int flag; flag = 1; a[1] = flag; }\n"
        "  a[0] = sum(a[0]); atomicAdd(&counter, 1);\n}\n");
    for (const char* const part :
         {"float sum(float x, __constant float* table, int scale, __local float* part)",
          "float later(float x);\nfloat f(float x) { return later(x); }",
          "__kernel void k(__global float* a, __constant float* table, int scale, "
          "__global int* counter) {\n    __local float part[32];\n    __local int flag;",
          "sum(a[0], table, scale, part)", "atomic_add(counter, 1)"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
}

TEST_F(FromCuda, WritesGroupsOfTheBlock) {
    const std::string text = opencl(
        "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
        "__device__ int last(const cg::thread_block& group) { return group.size() - 1; }\n"
        "__global__ void k(int* a) {\n"
        "  cg::thread_block block = cg::this_thread_block();\n"
        "  auto same = cg::this_thread_block();\n"
        "  a[block.thread_rank()] = last(block);\n"
        "  cg::sync(same); block.sync(); cg::this_thread_block().sync();\n"
        "  a[0] = block.thread_index().y + block.group_index().z * same.dim_threads().x;\n"
        "}\n");
    for (const char* const part :
         {"int last(void) { return (uint)(get_local_size(0) * get_local_size(1) * "
          "get_local_size(2)) - 1; }",
          "a[(uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + "
          "get_local_id(0))] = last();",
          "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); "
          "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); "
          "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
          "a[0] = (uint)get_local_id(1) + (uint)get_group_id(2) * (uint)get_local_size(0);"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
    EXPECT_THAT(text, AllOf(Not(HasSubstr("thread_block")), Not(HasSubstr("same"))));
    // A struct of the file's own may be called the same.
    EXPECT_THAT(opencl("struct thread_block { int i; };\n"
                       "__global__ void k(int* a) { thread_block b; b.i = 1; a[0] = b.i; }"),
                HasSubstr("thread_block b; b.i = 1;"));
}

TEST_F(FromCuda, WritesTexturesAndSurfacesAsImages) {
    const auto made =
        to_opencl("x.cu",
                  "__device__ float f(cudaTextureObject_t image, float x) { return "
                  "tex2D<float>(image, x, 0); "
                  "}\n"
                  "struct Reader { __device__ float at(cudaTextureObject_t o) { return "
                  "tex1D<float>(o, 1); } };\n"
                  "template <typename T> __device__ T g(CUtexObject image, int i) {\n"
                  "  T made; tex1Dfetch(&made, image, i); return made; }\n"
                  "__global__ void k(float* a, cudaTextureObject_t t, cudaTextureObject_t u,\n"
                  "    cudaTextureObject_t v, cudaSurfaceObject_t w, CUsurfObject x, int i,\n"
                  "    cudaTextureObject_t y) {\n"
                  "  Reader reader; a[1] = reader.at(y);\n"
                  "  a[0] = f(t, 1.5f) + g<short2>(u, i).x + tex3D<uchar4>(v, 0, i, a[1]).w;\n"
                  "  surf2Dwrite(a[2], w, i * sizeof(float), 3);\n"
                  "  surf2Dwrite(make_uchar2(1, 2), w, i * 2, 3, cudaBoundaryModeTrap);\n"
                  "  surf3Dwrite(i, x, i, 1, 2);\n"
                  "}\n",
                  {}, false);
    for (const char* const part :
         {"#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable",
          "float f(__read_only image2d_t image, sampler_t image_sampler, float x) { "
          "return read_imagef(image, image_sampler, (float2)(x, (float)(0))).x; }",
          "short2 g(__read_only image1d_buffer_t image, int i)",
          "*to = convert_short2(read_imagei(texture, x).xy);",
          "__kernel void k(__global float* a, __read_only image2d_t t, sampler_t t_sampler, "
          "__read_only image1d_buffer_t u, __read_only image3d_t v, sampler_t v_sampler, "
          "__write_only image2d_t w, __write_only image3d_t x, int i, __read_only image1d_t y, "
          "sampler_t y_sampler)",
          "a[1] = at(y, y_sampler);",
          "f(t, t_sampler, 1.5f) + g(u, i).x + convert_uchar4(read_imageui(v, v_sampler, (float4)("
          "(float)(0), (float)(i), a[1], 0.0f))).w;",
          "write_imagef(w, (int2)(i, 3), (float4)(a[2], 0.0f, 0.0f, 0.0f));",
          "write_imageui(w, (int2)(i, 3), (uint4)(convert_uint2((uchar2)((uchar)(1), "
          "(uchar)(2))), 0, 0));",
          "write_imagei(x, (int4)((i) / 4, 1, 2, 0), (int4)(i, 0, 0, 0));"}) {
        EXPECT_THAT(made.text, HasSubstr(part));
    }
    ASSERT_EQ(made.notes.size(), 6u);
    EXPECT_THAT(made.notes[0], AllOf(HasSubstr("x.cu:5: 't'"), HasSubstr("image2d_t t of float"),
                                     HasSubstr("'t_sampler'"), HasSubstr("addressMode")));
    const auto refused = [&](std::string_view body) {
        return refusal(
            fmt::format("struct S {{ cudaTextureObject_t t; }};\n__global__ void "
                        "k(float* a, cudaTextureObject_t t, cudaSurfaceObject_t s, "
                        "S both) {{\n{} }}",
                        body));
    };
    EXPECT_THAT(refused("a[0] = tex1D<float>(t, 0) + tex2D<float>(t, 0, 0);"),
                HasSubstr("several dimensions"));
    EXPECT_THAT(refused("surf1Dwrite(surf1Dread<float>(s, 4), s, 0);"),
                HasSubstr("reads and writes"));
    EXPECT_THAT(refused("a[0] = surf2Dread<float>(s, 4, 0, cudaBoundaryModeZero);"),
                HasSubstr("what lies outside"));
    EXPECT_THAT(refused("a[0] = tex2D<float>(both.t, 4, 0);"), HasSubstr("'both.t': an image"));
    EXPECT_THAT(refused("a[0] = tex2D<double>(t, 4, 0);"), HasSubstr("texels are of 1, 2 or 4"));
    EXPECT_THAT(refused("cudaTextureObject_t own = t; a[0] = tex2D<float>(own, 4, 0);"),
                HasSubstr("'own': an image is a parameter"));
}

TEST_F(FromCuda, FindsLaunchesWithinTemplatesOfTheHost) {
    constexpr std::string_view kernel =
        "template <typename T, int N> __global__ void k(T* a) { a[0] = N; }\n";
    const auto kernels_of = [&](std::string_view host) {
        std::string made;
        const std::string text = opencl(std::string(kernel) + std::string(host));
        for (const std::string_view line : lines_of(text)) {
            if (line.starts_with("__kernel")) made += fmt::format("{}\n", line);
        }
        return made;
    };
    EXPECT_EQ(kernels_of("template <class E> void run(E* a) { k<E, 2><<<1, 1>>>(a); }\n"
                         "int main() { run<float>(nullptr); run<int>(nullptr); }"),
              "__kernel void k_float_2(__global float* a) { a[0] = 2; }\n"
              "__kernel void k_int_2(__global int* a) { a[0] = 2; }\n");
    EXPECT_EQ(kernels_of("template <class E, int M = 5> void run(E* a) { k<E, M><<<1, 1>>>(a); }\n"
                         "template <class F> void outer() { run<F>(nullptr); }\n"
                         "template void outer<double>();"),
              "__kernel void k(__global double* a) { a[0] = 5; }\n");
    EXPECT_EQ(kernels_of("template <typename R> class C { void go(); };\n"
                         "template <typename R> void C<R>::go() { k<R, 3><<<1, 1>>>(nullptr); }\n"
                         "template class C<float>;"),
              "__kernel void k(__global float* a) { a[0] = 3; }\n");
    EXPECT_EQ(kernels_of("template <typename R> struct C {\n"
                         "void go() { k<R, 3><<<1, 1>>>(nullptr); } };\n"
                         "void f() { C<int>().go(); }"),
              "__kernel void k(__global int* a) { a[0] = 3; }\n");
    // Information that the file lacks is requested.
    EXPECT_THAT(to_opencl("x.cu",
                          std::string(kernel) +
                              "template <class E> void run(E* a) { k<E, 2><<<1, 1>>>(a); }",
                          {}, false)
                    .notes.at(0),
                HasSubstr("--kernel 'k<float>'"));
}

TEST_F(FromCuda, WritesMemberFunctionsThatLeaveTheirObject) {
    const std::string text = opencl(
        "template <typename T> struct Shared {\n"
        "  __device__ operator T*() { extern __shared__ int memory[]; return (T*)memory; }\n"
        "  __device__ T* get() { extern __shared__ int memory[]; return (T*)memory; }\n"
        "  __device__ static int count() { return 3; } };\n"
        "template <typename T> struct Four;\n"
        "template <> struct Four<float> { typedef float4 Type; };\n"
        "template <typename T> struct Pair { T first; typename Four<T>::Type second; };\n"
        "template <typename T> __global__ void k(Pair<T>* p, typename Four<T>::Type* a) {\n"
        "  extern __shared__ float own[];\n"
        "  T* s = Shared<T>(); Shared<T> other; T* t = other.get();\n"
        "  own[0] = s[1] + t[2]; a[0].x = own[Shared<T>::count()]; p[0].first = 1;\n"
        "}\n"
        "void f() { k<float><<<1, 1>>>(nullptr, nullptr); }\n");
    for (const char* const part :
         {"__local float* converted(__local int* memory)",
          "__local float* get(__local int* memory)",
          "typedef struct Pair_float {\n    float first;\n    float4 second;\n} Pair_float;",
          "__kernel void k(__global Pair_float* p, __global float4* a, __local int* memory)",
          "__local float *s = converted(memory);", "__local float *t = get(memory);",
          "((__local float*)memory)[0] = s[1] + t[2]; a[0].x = ((__local "
          "float*)memory)[count()];"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
    EXPECT_THAT(refusal("struct S { int i; __device__ int f() { return i; } };\n"
                        "__global__ void k(int* a, S s) { a[0] = s.f(); }"),
                HasSubstr("no classes with code"));
}

TEST_F(FromCuda, UnfoldsStructsWithPointers) {
    const auto made = to_opencl("x.cu",
                                "struct S { float* p; const int* q; size_t n; bool is; };\n"
                                "__global__ void k(S s) { float* p = s.p + 1;\n"
                                "  if (s.is && s.n > 2) p[0] = s.q[0]; }",
                                {}, false);
    EXPECT_THAT(
        made.text,
        HasSubstr("__kernel void k(__global float* s_p, __global const int* s_q, ulong s_n, "
                  "uchar s_is) { __global float *p = s_p + 1;\n"
                  "  if (s_is && s_n > 2) p[0] = s_q[0]; }"));
    EXPECT_THAT(made.notes.at(0), HasSubstr("parameters of their own, s_p, s_q, s_n, s_is"));
    EXPECT_THAT(refusal("struct S { float* p; };\n__device__ float f(S s) { return s.p[0]; }\n"
                        "__global__ void k(S s) { s.p[1] = f(s); }"),
                HasSubstr("'s': a struct with pointers is no value"));
    EXPECT_THAT(refusal("struct S { float* p[2]; };\n__global__ void k(S s) { s.p[1][0] = 1; }"),
                HasSubstr("'p': a member of a kernel's parameter that is no value"));
}

TEST_F(FromCuda, KnowsTypesAndScopesOfCudas) {
    const auto made = to_opencl(
        "x.cu",
        "__constant__ cudaExtent size;\n"
        "__device__ size_t area(const cudaExtent& e) { return e.width * e.height; }\n"
        "__global__ void k(cufftComplex* c, int* a, float* f, cudaExtent extent) {\n"
        "  c[0].x = extent.depth + area(size); atomicAdd_system(a, 1); atomicMax_block(a, 2);\n"
        "  atomicAdd_block(f, 1.5f); atomicInc_system((unsigned*)a, 7); }\n",
        {}, false);
    for (const char* const part :
         {"typedef struct cudaExtent {\n    ulong width;\n    ulong height;\n    ulong depth;\n} "
          "cudaExtent;",
          "ulong area(const cudaExtent* e)", "__kernel void k(__global float2* c,",
          "cudaExtent extent, cudaExtent size)", "area(&size); atomic_add(a, 1); atomic_max(a, 2);",
          "atomicAdd(f, 1.5f); atomicInc("}) {
        EXPECT_THAT(made.text, HasSubstr(part));
    }
    ASSERT_EQ(made.notes.size(), 2u);
    EXPECT_THAT(made.notes[0], HasSubstr("x.cu:4: 'atomicAdd_system': for all work-items"));
}

/// A compare-and-exchange loop takes hundreds of times as long. Local memory has another address.
TEST_F(FromCuda, AddsFloatsInGlobalMemoryByInlinePtxForNvidia) {
    const std::string source =
        "__global__ void k(float* sum, double* wide) {\n"
        "    __shared__ float near;\n    atomicAdd(sum, 1.0f);\n    atomicAdd_block(wide, 2.0);\n"
        "    atomicAdd(&near, 3.0f);\n}\n";
    const std::string text = to_opencl("x.cu", source, {}, false, from_cuda::Dialect::nvidia).text;
    EXPECT_THAT(text, HasSubstr("atom.global.add.f32"));
    EXPECT_THAT(text, HasSubstr("atom.global.add.f64"));
    EXPECT_THAT(text, HasSubstr("    atomicAdd_global(sum, 1.0f);"));
    EXPECT_THAT(text, HasSubstr("    atomicAdd(&near, 3.0f);"));
    EXPECT_THAT(text, HasSubstr("atomic_cmpxchg"));
    EXPECT_THAT(to_opencl("x.cu", source, {}, false).text, Not(HasSubstr("asm")));
}

TEST_F(FromCuda, WritesWarpsAsInlinePtxForNvidia) {
    constexpr std::string_view source =
        "namespace cg = cooperative_groups;\n"
        "__device__ double sum(const cg::thread_block_tile<8>& tile, double x) {\n"
        "  for (int by = tile.size() / 2; by > 0; by /= 2) x += tile.shfl_down(x, by);\n"
        "  return x; }\n"
        "__global__ void k(double* d, int* i) {\n"
        "  cg::thread_block block = cg::this_thread_block();\n"
        "  auto tile = cg::tiled_partition<8>(block);\n"
        "  d[0] = sum(tile, d[1]); cg::sync(tile);\n"
        "  i[0] = __shfl_xor_sync(~0u, i[1], 4) + __ballot_sync(~0u, i[2]);\n"
        "  asm volatile(\"red.global.add.s32 [%0], %1;\" : : \"l\"(i + 1), \"r\"(i[3]));\n"
        "}\n";
    EXPECT_THAT(refusal(source),
                AllOf(HasSubstr("x.cu:7: clang: no member named 'tiled_partition'"),
                      HasSubstr("x.cu:10: 'asm volatile("), HasSubstr("--dialect nvidia")));
    const std::string text = to_opencl("x.cu", source, {}, false, from_cuda::Dialect::nvidia).text;
    for (const char* const part :
         {"asm volatile(\"shfl.sync.down.b32 %0, %1, %2, %3, %4;\"",
          "asm volatile(\"shfl.sync.bfly.b32 %0, %1, %2, %3, %4;\"", "vote.sync.ballot.b32",
          "double sum(double x) {\n  for (int by = size() / 2; by > 0; by /= 2) x += shfl_down(x, "
          "by);",
          "d[0] = sum(d[1]); sync();",
          "__shfl_xor_sync(~0u, i[1], 4, 32) + __ballot_sync(~0u, i[2])",
          "asm volatile(\"red.global.add.s32 [%0], %1;\" : : \"l\"(i + 1), \"r\"(i[3]));"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
    const auto refused = [](std::string_view code) {
        try {
            to_opencl("x.cu", code, {}, false, from_cuda::Dialect::nvidia);
        } catch (const Refused& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(refused("__global__ void k() { __shared__ int s[2];\n"
                        "asm(\"st.u32 [%0], 1;\" : : \"l\"(&s[1])); }"),
                HasSubstr("x.cu:2: '&s[1]': inline PTX gets a generic address"));
    EXPECT_THAT(refused("__global__ void k(int* a) {\n"
                        "auto t = cooperative_groups::tiled_partition<64>("
                        "cooperative_groups::this_thread_block()); a[0] = t.size(); }"),
                HasSubstr("x.cu:2: "));
}

TEST_F(FromCuda, WritesTemplatesBehindTheTypesThatTheyAreUsedWith) {
    const std::string text = opencl(
        "template <typename T> __device__ T twice(const T& x) { T y = x; y.v[0] *= 2; return y; }\n"
        "#define N 4\nstruct Late { float v[N]; };\n"
        "__global__ void k(Late* a) { a[0] = twice(a[1]); }\n");
    EXPECT_LT(text.find("} Late;"), text.find("Late twice(__global const Late* x)"));
    EXPECT_LT(text.find("Late twice("), text.find("__kernel"));
}

TEST_F(FromCuda, WritesEachOfSeveralConstants) {
    const std::string text = opencl(
        "constexpr int WIDE = 32, HIGH = 8;\nconst float a = 1, b[2] = {2, 3};\n"
        "__global__ void k(float* out) { __shared__ float t[HIGH][WIDE]; t[0][0] = a;\n"
        "  out[0] = t[0][0] + b[1]; }\n");
    for (const char* const part :
         {"enum { WIDE = 32 };\nenum { HIGH = 8 };", "__constant float a = 1;",
          "__constant float b[2] = {2, 3};", "__local float t[HIGH][WIDE];"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
}

TEST_F(FromCuda, KeepsNamesApart) {
    const std::string text = opencl(
        "__device__ float sum(float x) { __shared__ float part[4]; part[0] = x; return part[1]; }\n"
        "struct V { float a; };\n"
        "__device__ V operator<(V a, V b) { return a; }\n"
        "__device__ V operator++(V& a, int) { return a; }\n"
        "__global__ void k(float* out, V* v) {\n"
        "  __shared__ float part[2];\n  part[0] = sum(1); out[0] = part[0];\n"
        "  V less = v[0] < v[1]; v[2] = less; v[3] = v[4]++;\n"
        "  { int part = 3; out[part] = sum(2); }\n}\n");
    for (const char* const part :
         {"float sum(float x, __local float* part_2) { ", "__local float part_2[4];",
          "__local float part[2];", "part[0] = sum(1, part_2);", "out[part] = sum(2, part_2)",
          "V less = less_2(v[0], v[1]);", "v[3] = operation(&v[4], 0);"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
}

TEST_F(FromCuda, NamesNothingAsOpenClDoes) {
    const std::string text = opencl(
        "enum { M_PI_F = 2 };\nstruct image2d_t { int vec_step; };\n"
        "namespace typeof { __device__ int main(image2d_t queue_t) {\n"
        "  return queue_t.vec_step + M_PI_F; } }\n"
        "__global__ void k(int* cl_a) { image2d_t event_t = {3}; cl_a[0] = typeof::main(event_t); "
        "}");
    EXPECT_THAT(text, AllOf(HasSubstr("enum { M_PI_F_ = 2 };"), HasSubstr("int vec_step_;"),
                            HasSubstr("int main_(image2d_t_ queue_t_) {"),
                            HasSubstr("return queue_t_.vec_step_ + M_PI_F_;")));
    EXPECT_THAT(text, AllOf(HasSubstr("__global int* cl_a_"), HasSubstr("event_t_ = {3};")));
}

TEST_F(FromCuda, KnowsTypesAsTheirScopeNamesThem) {
    const std::string text = opencl(
        "namespace a { struct S { int x; }; namespace b { struct S { float y; };\n"
        "template <class T> struct P { T p; }; template <class T> using Q = P<T>;\n"
        "__device__ float f(const S& s, const a::S& t) { return s.y + t.x; } }\n"
        "__device__ int g(const b::S& s, ::a::S* t) { return s.y + t->x; } }\n"
        "namespace c { template <class T> struct P { float q; }; struct S { int z; };\n"
        "__device__ int h(::c::S& s, const a::b::P<int>& p) { return s.z + p.p; } }\n"
        "__device__ auto i(const c::S& s) -> int { return s.z; }\n"
        "__global__ void k(int* out) { a::S s = {1}; a::b::S t = {2}; c::S u = {3};\n"
        "  a::b::Q<int> p = {4}; c::P<int> q = {5};\n"
        "  out[0] = a::b::f(t, s) + a::g(t, &s) + c::h(u, p) + i(u) + q.q; }");
    for (const char* const part :
         {"float f(const S_2* s, const S* t)", "int h(S_3* s, const P_int* p)",
          "int i(const S_3* s)", "P_int p = {4}; P_int_2 q = {5};"})
        EXPECT_THAT(text, HasSubstr(part));
}

TEST_F(FromCuda, WritesFoldsAndSizesOfPacks) {
    const std::string text = opencl(
        "template <class... T> __device__ int f(T... t) { return (t + ...) * 2 + (1 - ... - t); }\n"
        "template <class... T> __device__ bool g(T... t) { return (t && ...) || (... || (t > 9)); "
        "}\n"
        "template <class... T> __device__ int n(T... t) { return 2 * sizeof...(T) + sizeof...(t); "
        "}\n"
        "__global__ void k(int* a) { a[0] = f(1, 2) + f(3) + g(4) + g() + n() + n(5, 6); }");
    for (const char* const part :
         {"return ((t + t_2) * 2) + (((1 - t) - t_2));", "return (t * 2) + ((1 - t));",
          "return (t || (t > 9));", "return (true) || (false);", "return 2 * 0ul + 0ul;",
          "return 2 * 2ul + 2ul;"})
        EXPECT_THAT(text, HasSubstr(part));
}

TEST_F(FromCuda, ChangesPlacesThatExpressionsGive) {
    const std::string text = opencl(
        "struct S { int x; };\n"
        "template <class T> __device__ const T& top(const T& a, const T& b) { return a < b ? b : "
        "a; }\n"
        "__global__ void k(int* a, int n) { int m = 2; S s = S();\n"
        "  (n ? m : a[0]) = 1; (n += 2) *= 3; ++(++m); int& r = n ? n : m; r = top(n, m);\n"
        "  a[1] = s.x + r; }");
    for (const char* const part :
         {"return ((*a) < (*b) ? b : a);", "S s = (S){0}", "(*(n ? &m : &a[0])) = 1;",
          "(*((n += 2), &n)) *= 3; ++(*((++m), &m));", "= (n ? &n : &m);"})
        EXPECT_THAT(text, HasSubstr(part)) << text;
}

TEST_F(FromCuda, WritesConstantsOfTemplates) {
    const std::string text = opencl(
        "template <class T> constexpr unsigned size = sizeof(T) + 1u;\n"
        "template <> constexpr unsigned size<short> = 50u;\n"
        "__global__ void k(unsigned* a, unsigned size_2) {\n"
        "  a[0] = size<int> + size<short> + size<char> + size_2; }");
    EXPECT_THAT(text,
                AllOf(HasSubstr("uint size = sizeof(int) + 1u;"), HasSubstr("uint size_3 = 50u;"),
                      HasSubstr("uint size_4 = sizeof(char) + 1u;"),
                      HasSubstr("a[0] = size + size_3 + size_4 + size_2;")));
}

TEST_F(FromCuda, AssignsBehindAMacroAsCxxDoes) {
    EXPECT_THAT(
        opencl("#define PICK(c, p, q) (c) ? p = 1 : q = 2\n"
               "__global__ void k(int* a, int n) { int m = n; PICK(n, m, n); a[0] = m + n; }"),
        HasSubstr("(n) ?  m = 1 :  (n = 2);"));
}

TEST_F(FromCuda, MacrosMayBeginWhatTheyDoNotEnd) {
    const std::string text = opencl(
        "__device__ int f(int a, int b) { return a * b; }\n"
        "#define SET(T, a, v) T a = v\n#define CALL f(1\n#define BEGIN int c = 2 *\n"
        "__global__ void k(int* a) { SET(int, b, 5); BEGIN b; a[0] = CALL, b) + c; }");
    EXPECT_THAT(text, AllOf(HasSubstr("int b = 5; int c = 2 * b; a[0] = f(1, b) + c;")));
}

TEST_F(FromCuda, NamesLabelsAndRefusesDeclarationsInConditions) {
    EXPECT_THAT(
        opencl("__global__ void k(int* a) { if (a[0]) goto local; a[1] = 1; local: a[2] = 2; }"),
        AllOf(HasSubstr("goto local_;"), HasSubstr("local_: a[2] = 2;")));
    EXPECT_THAT(
        refusal(
            "__global__ void k(int* a) { if constexpr (constexpr int n = 2; n > 3) a[0] = n; }"),
        HasSubstr("a declaration within a condition"));
}

TEST_F(FromCuda, TakesStructsApartOneBesideAnother) {
    const std::string text = opencl(
        "struct S { int x, y; };\n__global__ void k(int* out) { S s = {1, 2};\n"
        "  auto [a, b] = s; auto& [c, d] = s; c = 5; out[0] = a + b + d; }");
    EXPECT_THAT(text, AllOf(HasSubstr("S bound_1 = s"), HasSubstr("S *bound_2 = &s"),
                            HasSubstr("(*bound_2).x = 5; out[0] = bound_1.x + bound_1.y")));
}

TEST_F(FromCuda, WritesCopiesOfBytesJumpsAndBits) {
    const std::string text = opencl(
        "const float bound = __builtin_bit_cast(float, 0x7f800000);\n"
        "template <class T, class F, size_t n> __device__ void rows(T (&to)[n], F (&from)[n]) {\n"
        "  for (size_t i = 0; i < n; ++i) memcpy(to[i], from[i], sizeof(to[i])); }\n"
        "__global__ void k(const int (*in)[2][2], float* out, float x) {\n"
        "  int own[2][2], i = 0; rows(own, *in);\n"
        "again:\n  if (++i < own[0][1]) goto again;\n"
        "  out[0] = x < bound ? __builtin_bit_cast(int, x) : i; }\n");
    for (const char* const part :
         {"__constant float bound = INFINITY;", "void* memcpy(void* to, __global const void* from",
          "void rows(int (*to)[2][2], __global const int (*from)[2][2])",
          "again:\n  if (++i < own[0][1]) goto again;", "as_int(x)"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
}

TEST_F(FromCuda, OneMacroMayStandForSeveral) {
    constexpr std::string_view source =
        "#define TWO(x) (x) * 3, (x) * 5\n#define FOUR TWO(1), TWO(2)\n"
        "__constant__ int table[8] = {FOUR, 7, TWO(4)};\n"
        "__global__ void k(int* a) { a[0] = table[a[1]]{}; }\n";
    const auto with = [&](std::string_view more) {
        std::string text(source);
        return text.replace(text.find("{}; }"), 2, more);
    };
    EXPECT_THAT(opencl(with("")), HasSubstr("table[8] = {FOUR, 7, TWO(4)};"));
    EXPECT_THAT(opencl(with(" + max(TWO(a[2]))")), HasSubstr("max((a[2]) * 3, (a[2]) * 5)"));
}

TEST_F(FromCuda, KnowsTypesWithoutAName) {
    const std::string text = opencl(
        "enum { NONE = -2, SOME };\nenum : unsigned char { SMALL = 7 };\n"
        "enum { WIDE = 0xffffffffu };\nenum : long long { LONG = 1 };\n"
        "enum class Way : unsigned { up = 3000000000u };\n"
        "template <typename T> __device__ T same(T x) { return x; }\n"
        "template <Way W, unsigned N> __device__ unsigned way() { return unsigned(W) / N; }\n"
        "__global__ void k(int* a) {\n"
        "  auto x = SOME; a[0] = same(NONE) + x; a[1] = same(SMALL);\n"
        "  auto w = WIDE; a[5] = LONG - 2 < 0u; a[6] = w > -1;\n"
        "  a[2] = way<Way::up, 5u>(); float f[2] = {a[3], 1}; a[4] = f[0]; }\n");
    for (const char* const part :
         {"int same(int x)", "uchar same_2(uchar x)", "int x = SOME;",
          "uint w = ((uint)(4294967295));", "a[5] = ((long)(1)) - 2 < 0u;",
          "return ((uint)((uint)3000000000)) / ((uint)5);", "float f[2] = {a[3], 1};"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
}

TEST_F(FromCuda, KeepsAMacrosMeaningThatChanges) {
    constexpr std::string_view source =
        "#define N 4\n"
        "__device__ int sum(int x) { __shared__ int part[N]; part[0] = x; return part[1]; }\n"
        "template <typename T> __device__ T same(T x) { x.a *= N; return x; }\n"
        "#undef N\n#define N 2\nstruct Late { int a; };\n"
        "__global__ void k(int* a, Late* l) { a[0] = sum(a[1]) * N; l[0] = same(l[1]); }\n";
    const std::string text = opencl(source);
    EXPECT_THAT(text, HasSubstr("__local int part[4];"));
    EXPECT_THAT(text, HasSubstr("x.a *= 4;"));
    EXPECT_THAT(text, HasSubstr("* 2;"));
}

TEST_F(FromCuda, TakesWholeNumbersBesideDoublesAndCallsAsPlaces) {
    const std::string text = opencl(
        "__device__ int& at(int* a, int i) { return a[i]; }\n"
        "__global__ void k(double* d, int* a) { d[0] = pow(d[1], 2); at(a, 1) += 3; ++at(a, 0); "
        "}\n");
    for (const char* const part : {"double pow_(double x, int y) { return pow(x, ((double)y)); }",
                                   "d[0] = pow_(d[1], 2); (*at(a, 1)) += 3; ++(*at(a, 0));"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
}

TEST_F(FromCuda, TakesTheAddressOfAComponent) {
    const std::string text = opencl(
        "__device__ void twice(float& x) { x *= 2; }\n"
        "__device__ int mul24(int a, int b) { return a - b; }\n"
        "__global__ void k(float4* a, int* b) {\n"
        "  float4 v = a[0]; float* p = &v.y; *p = 1; twice(v.z); twice(a->w);\n"
        "  float& r = a[1].x; r = 2; b[0] = mul24(b[1], 2); }\n");
    for (const char* const part :
         {"float *p = ((float*)(&v) + 1);", "twice(((float*)(&v) + 2));",
          "twice_2(((__global float*)(a) + 3));",
          "__global float *r = ((__global float*)(&a[1]) + 0); (*r) = 2;",
          "int mul24_(int a, int b) { return a - b; }", "mul24_(b[1], 2)"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
}

TEST_F(FromCuda, SaysByWhichRowsALineWasTranslated) {
    const auto made = to_opencl("x.cu",
                                "__global__ void k(unsigned char* a) {\n"
                                "  a[0] = __popc(threadIdx.x);\n}\n",
                                {}, false);
    std::string said;
    for (const AppliedRow& one : made.applied) {
        said += fmt::format("{}: {} -> {}\n", one.line, one.cuda, one.opencl);
    }
    for (const char* const part :
         {"1: unsigned char -> uchar\n", "2: __popc -> ((int)popcount($))\n",
          "2: threadIdx.$ -> (uint)get_local_id($)\n",
          "1: extern \"C\" __global__ -> __kernel\n"}) {
        EXPECT_THAT(said, HasSubstr(part));
    }
}

TEST_F(FromCuda, RemarksOnWhatIsLeftOpen) {
    const auto made = to_opencl("x.cu",
                                "__global__ void k(int* a, cudaTextureObject_t t) {\n"
                                "  a[1] = tex1Dfetch<int>(t, 7);\n  __threadfence();\n"
                                "  if (a[0] > 3) return;\n  __syncthreads(); a[0] = 1; }\n",
                                {}, false);
    std::string said;
    for (const std::string& one : made.notes) said += one + "\n";
    for (const char* const part :
         {"x.cu:2: 'tex1Dfetch': ", "CUDA reads 0",
          "x.cu:3: '__threadfence': ", "x.cu:4: 'return': a barrier follows"}) {
        EXPECT_THAT(said, HasSubstr(part));
    }
}

TEST_F(FromCuda, RunsThePreprocessorWhereItHasTo) {
    const auto made = to_opencl("x.cu",
                                "#define AT(i) a[threadIdx.x + (i)]\n#define ONE 1\n"
                                "__global__ void k(int* a) { AT(ONE) = ONE; }\n",
                                {}, false);
    EXPECT_THAT(made.reason, HasSubstr("x.cu:3: a macro hides"));
    EXPECT_THAT(made.text, HasSubstr("a[(uint)get_local_id(0) + (1)] = 1;"));
    EXPECT_THAT(opencl("#ifdef FAST\n#define STEP 2\n#else\n#define STEP 3\n#endif\n"
                       "__global__ void k(int* a) { a[0] = STEP; }\n",
                       {.defines = {{"FAST", "1"}}}),
                HasSubstr("a[0] = 2;"));
    // A macro of numbers stays; so does one that both compilers are given.
    EXPECT_THAT(opencl("#define SQUARE(x) ((x) * (x))\n"
                       "__global__ void k(int* a) { a[0] = SQUARE(a[1]) + N; }\n",
                       {.defines = {{"N", "4"}}}),
                HasSubstr("#define SQUARE(x) ((x) * (x))\n__kernel void k(__global int* a) { "
                          "a[0] = SQUARE(a[1]) + N; }"));
}

TEST_F(FromCuda, AConstantWhoseAddressIsTakenIsAVariable) {
    const std::string own = "__constant__ int one = 6, two = 7;\n";
    EXPECT_THAT(opencl(own + "__global__ void k(int* a) { a[0] = *(&one) + two; }\n"),
                AllOf(HasSubstr("__constant int one = 6;"), HasSubstr("enum { two = 7 };")));
}

TEST_F(FromCuda, StandardHeadersDeclareWhatTheyDeclare) {
    EXPECT_THAT(
        opencl("#include <cmath>\n#include <cstdint>\n#include <climits>\n"
               "__global__ void k(float* a, long* b, uint_fast8_t n) {"
               " a[0] = std::floor(a[1]) + std::fmin(a[2], a[3]); b[0] = LLONG_MAX - n; }\n"),
        AllOf(HasSubstr("floor(a[1]) + "), HasSubstr("fmin(a[2], a[3])"), HasSubstr("LONG_MAX - n"),
              HasSubstr("uchar n")));
}

TEST_F(FromCuda, OnlyAStructWithoutMembersIsEmpty) {
    const std::string said = refusal(
        "struct S { unsigned a : 3; };\n__global__ void k(int* a) { S s; s.a = 1; a[0] = s.a; }\n");
    EXPECT_THAT(said, AllOf(HasSubstr("a part of a byte"), Not(HasSubstr("an empty struct"))));
}

TEST_F(FromCuda, RefusesByPlaceWithAdvice) {
    const std::pair<const char*, const char*> all[] = {
        {"a[0] = __shfl_xor_sync(~0u, a[1], 1);", "__shfl_xor_sync': A warp's lanes as such"},
        {"asm volatile(\"bar.sync 0;\");", "Inline PTX is for NVIDIA's devices alone"},
        {"a[0] = texCubemap<float>(0, 1, 2, 3);", "identifier 'texCubemap'. Cube maps, levels"},
        {"cudaTextureObject_t t[2]; a[0] = tex1Dfetch<float>(t[n], 0);",
         "'t[n]': an image is a par"},
        {"cooperative_groups::this_grid().sync();", "no barrier of OpenCL is for a whole grid"},
        {"auto f = [&](int i) { return i; }; b[0] = f(1);", "no lambdas"},
        {"a[0] = pow(a[1], 2);", "NVCC computes it in double, NVRTC in float"},
        {"static int calls; calls++;", "lasts beyond its function"},
        {"float** p = &a; p[0][0] = 1;", "a pointer to pointers"},
        {"a[0] = missing(1);", "undeclared identifier 'missing'"},
        {"__half h; a[0] = h;", "unknown type name '__half'"},
        {"float* p = (float*)(size_t)n; p[0] = 1;", "a pointer of a number"},
        {"struct S { int i; }; S s; s.i = 1;", "declare it outside"},
        {"(a[0] += 1) = 1;", "no place to be changed in C"},
        {"dim3 g(1, 2, 3); b[0] = g.x;", "its constructor has code to run"},
        {"int* p = new int; *p = 1;", "no heap"},
        {"b[0] = __syncthreads_count(n);", "no barrier that combines or counts"},
        {"__threadfence_system();", "no fence for the host"},
        {"while (int m = --n) b[m] = 1;", "'while': a declaration within a condition"},
        {"a[0] = erfinvf(a[1]);", "OpenCL C has no such function"},
        {"int c[2] = {n, 1}; auto [p, q] = c; b[0] = p + q;", "a copy of an array"},
        {"b[0] = clock();", "has no clock"},
        {"a[0] = __fmul_rz(a[1], 3.f);", "rounds to the nearest number alone"},
        {"if (n) printf(\"%d %s\", n, \"a\");", "prints strings and pointers otherwise"},
        {"b[0] = ilogbf(a[0]);", "For 0 and NaN CUDA gives the smallest int"},
    };
    // All places of a file are listed.
    std::string source = "\n";
    for (std::size_t i = 0; i < std::size(all); ++i) {
        source += fmt::format("__global__ void k{}(float* a, int* b, double* d, int n) {{ {} }}\n",
                              i, all[i].first);
    }
    const std::string said = refusal(source);
    for (std::size_t i = 0; i < std::size(all); ++i) {
        const std::string place = fmt::format("x.cu:{}: ", i + 2);
        bool is_there = false;
        for (const std::string_view line : lines_of(said)) {
            is_there =
                is_there || (line.starts_with(place) && line.find(all[i].second) != line.npos);
        }
        EXPECT_TRUE(is_there) << place << all[i].second << "\n" << said;
    }
    // Of two packs in reach clang's tree does not say which one is meant.
    EXPECT_THAT(refusal("template <class... A> struct S { template <int... I> __device__ static "
                        "int f() { return sizeof...(A) * 9 + sizeof...(I); } };\n"
                        "__global__ void k(int* a) { a[0] = S<int, char, int>::f<1, 2>(); }"),
                HasSubstr("x.cu:1: "));
    EXPECT_THAT(refusal("struct S { float* p; };\n__global__ void k(S* s) { s[0].p[0] = 1; }"),
                HasSubstr("x.cu:1: 'p': a member that is a pointer"));
    EXPECT_THAT(refusal("typedef int T;\n__global__ void k(T* a) { typedef float T; T f = 1;\n"
                        "T* p = &f; a[0] = *p; }"),
                HasSubstr("x.cu:2: 'T': several types are called so"));
    EXPECT_THAT(refusal("struct S { float* p; bool b; };\n"
                        "__global__ void k(S s) { s.b = s.p[0]; s.p[1] = s.b; }"),
                HasSubstr("x.cu:1: 'b': a bool of a kernel's parameter that it changes"));
    EXPECT_THAT(refusal("__device__ int f(int n) { return n ? f(n - 1) : 0; }\n"
                        "__global__ void k(int* a) { a[0] = f(3); }"),
                HasSubstr("it calls itself"));
    EXPECT_THAT(refusal("struct S { virtual int f(); int a; };\n"
                        "__global__ void k(S* s) { s->a = 1; }"),
                HasSubstr("x.cu:1: 'S': OpenCL C is C"));
    EXPECT_THAT(refusal("struct E {}; struct S { E e; int a; };\n"
                        "__global__ void k(S* s) { s->a = 1; }"),
                HasSubstr("x.cu:1: 'E': an empty struct"));
    EXPECT_THAT(refusal("__global__ void a(); __global__ void k(int* p) { a<<<1, 1>>>(); }"),
                HasSubstr("let the host launch it"));
    EXPECT_THAT(refusal("__global__ void k(int** a) { a[0][0] = 1; }"),
                HasSubstr("pointer to pointers"));
    // Clang leaves out what uses a declaration that it could not read.
    EXPECT_THAT(refusal("const N = 32;\n__global__ void k(int* a) { __shared__ int t[N]; "
                        "t[threadIdx.x] = 1; a[0] = t[0]; }"),
                HasSubstr("x.cu:1: clang: "));
    EXPECT_THAT(refusal("__device__ missing_t f(int a) { return a; }\n"
                        "__global__ void k(int* a) { a[0] = 1; a[1] = f(a[2]); }"),
                HasSubstr("x.cu:1: clang: unknown type name 'missing_t'"));
    EXPECT_THAT(refusal("__device__ int f(missing_t b, int a) { return a; }\n"
                        "__global__ void k(int* a) {\n#pragma unroll\n"
                        "  for (int i = 0; i < 2; ++i) a[1] = f(0, a[2]); }"),
                HasSubstr("x.cu:1: clang: unknown type name 'missing_t'"));
    // clang's output for a function that it cannot parse differs between versions; its errors do
    // not.
    EXPECT_EQ(refusal("__global__ void k(float* a, int n) { missing_t t; t.x = 1; a[0] = t.x; }\n"
                      "template <class T> __device__ T f(T t) { other_t u = t; return u; }\n"
                      "__global__ void l(float* a) { a[0] = f(a[0]); g<3>(a); for (nope i = 0;;) "
                      "a[i] = i; }\n"
                      "__device__ gone_t h(int i) { return i; }\n"
                      "__global__ void m(float* a, none_t n) { a[n] = h(n); a[1] = n.x; }\n"
                      "struct Q { what_t w; int v; };\n"
                      "__global__ void o(Q* a, int n) { a[n].v = a[n].w; }\n"),
              "x.cu:1: clang: unknown type name 'missing_t'\n"
              "x.cu:2: clang: unknown type name 'other_t'\n"
              "x.cu:3: clang: use of undeclared identifier 'g'\n"
              "x.cu:3: clang: unknown type name 'nope'\n"
              "x.cu:4: clang: unknown type name 'gone_t'\n"
              "x.cu:5: clang: unknown type name 'none_t'\n"
              "x.cu:6: clang: unknown type name 'what_t'");
    // Code that no kernel uses is ignored.
    EXPECT_EQ(refusal("__device__ int f() { return clock(); }\n__global__ void k(int* a) {}"), "");
}

/// The functions that device code may call, by name, with the types of their parameters.
void for_functions(const std::function<void(const Node&)>& visit) {
    EXPECT_TRUE(
        from_cuda::clang_tree("x.cu", "", {}, {}, from_cuda::Dialect::nvidia).errors.empty());
    const from_cuda::ClangTree tree = from_cuda::clang_tree("x.cu", "", {}, {});
    EXPECT_TRUE(tree.errors.empty()) << tree.errors.front().what;
    const std::function<void(const Node&, const std::string&)> search =
        [&](const Node& at, const std::string& scope) {
            for (Node one : at.parts) {
                const Node* pattern =
                    one.is("FunctionTemplateDecl") ? one.part("FunctionDecl") : &one;
                const bool is_function =
                    pattern && (pattern->is("FunctionDecl") || pattern->is("CXXMethodDecl"));
                if (is_function && pattern->part("CUDADeviceAttr") && !pattern->is_implicit) {
                    Node found = *pattern;
                    found.name = scope + found.name;
                    visit(found);
                } else if (one.is("NamespaceDecl")) {
                    search(one, "");
                } else if (one.is("CXXRecordDecl") && at.is("NamespaceDecl")) {
                    search(one, one.name + "::");
                }
            }
        };
    search(tree.root, "");
}

TEST_F(FromCuda, HasARuleForWhateverIsDeclared) {
    const ReverseRows& rows = ReverseRows::of_table();
    std::size_t functions = 0;
    for_functions([&](const Node& one) {
        // Functions of `cooperative_groups` are written as member functions, those of a memory
        // scope without the scope.
        const bool is_special =
            one.name.starts_with("make_") || one.name.ends_with("_block") ||
            one.name.ends_with("_system") ||
            std::set<std::string>{"printf", "sync", "thread_rank", "group_size"}.contains(one.name);
        if (one.part("CompoundStmt") || is_special) return;
        std::size_t arguments = 0;
        std::string first;
        for (const Node& part : one.parts) {
            if (!part.is("ParmVarDecl")) continue;
            if (arguments++ != 0) continue;
            first = part.type;
            std::erase(first, ' ');
            if (part.type.starts_with("unsigned ") || part.type.starts_with("long long")) {
                first = part.type;
                if (const std::size_t star = first.find(" *"); star != first.npos)
                    first.erase(star, 1);
            }
        }
        ++functions;
        const bool is_unavailable = one.part("UnavailableAttr") != nullptr;
        // The mode of a surface is left out.
        if (one.name.starts_with("surf")) --arguments;
        EXPECT_TRUE(is_unavailable || rows.call(one.name, arguments, first) ||
                    rows.word(one.name) || rows.refusal(one.name))
            << one.name << " of " << first;
    });
    EXPECT_GT(functions, 300u);
}

TEST_F(FromCuda, HasAFunctionForEveryRowOfACall) {
    std::set<std::string> names;
    for_functions([&](const Node& one) { names.insert(one.name); });
    std::size_t calls = 0;
    for (const MappingRule& row : reverse_table()) {
        const std::size_t open = row.cuda.find('(');
        if (row.equivalence == Equivalence::none || open == row.cuda.npos) continue;
        std::string_view word = row.cuda.substr(0, open);
        if (word.find(' ') != word.npos) continue;
        const bool is_choice = word.starts_with('<');
        if (is_choice) word = word.substr(1, word.find_first_of("|>") - 1);
        std::string name(word.substr(0, word.find('<')));
        if (name == "T" || name == "overload") continue;
        if (name == "atomic") name += word.starts_with("atomic<Add") ? "Add" : "Min";
        ++calls;
        EXPECT_TRUE(names.contains(name)) << row.cuda;
    }
    EXPECT_GT(calls, 40u);
}

/// A two-way row comes back as itself.
TEST_F(FromCuda, ReadsTheSameTableBackwards) {
    const ReverseRows& rows = ReverseRows::of_table();
    for (const std::string_view name :
         {"fma", "floor", "sin", "atan2", "atomicAdd", "atomicCAS", "isnan", "copysign"}) {
        const std::size_t arguments = name == "fma" || name == "atomicCAS"                  ? 3
                                      : name == "floor" || name == "sin" || name == "isnan" ? 1
                                                                                            : 2;
        const auto* row = rows.call(name, arguments, "int*");
        ASSERT_TRUE(row) << name;
        EXPECT_FALSE(row->row->from_cuda) << name;
    }
    EXPECT_EQ(rows.word("unsigned int")->opencl, "uint");
    EXPECT_EQ(rows.word("unsigned long")->opencl, "ulong");
    EXPECT_EQ(rows.call("__syncthreads", 0, "")->opencl,
              "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)");
    EXPECT_EQ(rows.call("max", 2, "float")->opencl, "fmax($, $)");
    EXPECT_EQ(rows.call("max", 2, "int")->opencl, "max($, $)");
}

}  // namespace
}  // namespace parallax::from_cuda_test
