// Are the kernels of CUDA sources found, and can their bodies be read?
#include <filesystem>
#include <functional>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/tests/thorough.hpp"
#include "common/text/characters.hpp"
#include "common/text/read_file.hpp"
#include "mapping/body/body.hpp"
#include "mapping/cuda/device_code.hpp"
#include "mapping/from_cuda/clang_tree.hpp"
#include "mapping/from_cuda/cuda_kernels.hpp"
#include "mapping/from_cuda/to_opencl.hpp"

namespace parallax::cuda_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using Kind = Parameter::Kind;

/// Tests that need clang.
class Cuda : public ::testing::Test {
    void SetUp() override {
        if (from_cuda::clang_found().empty()) GTEST_SKIP() << "clang is not found";
    }
};

CudaKernel only(std::string_view source, std::vector<std::string> kernels = {}) {
    const auto all = cuda_kernels("x.cu", source, {.kernels = std::move(kernels)});
    EXPECT_THAT(all, SizeIs(1));
    return all.empty() ? CudaKernel{} : all.front();
}

std::string squeezed(std::string_view text) {
    std::string made;
    for (const char c : text) {
        if (c != ' ' && c != '\n') made += c;
    }
    return made;
}

/// The statements of the only kernel's reading form, blanks left out.
std::string form(std::string_view body, std::string_view before = "") {
    const CudaKernel kernel = only(std::string(before) + "__global__ void k(float* x, int n) {" +
                                   std::string(body) + "}");
    const std::string& text = kernel.reading;
    const std::size_t open = text.find('{', text.find("__kernel"));
    return squeezed(text.substr(open + 1, text.rfind('}') - open - 1));
}

std::string refusal(std::string_view source, std::vector<std::string> kernels) {
    try {
        cuda_kernels("x.cu", source, {.kernels = std::move(kernels)});
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing";
}

TEST_F(Cuda, ReadsEveryKindOfParameter) {
    const CudaKernel kernel = only(
        "#include <vector>\nstruct P { int n; float3 at; float norm() const { return at.x; } };\n"
        "extern \"C\" __global__ void __launch_bounds__(128, 2)\n"
        "k(const float4* __restrict__ a, float const *b, double *c, unsigned char d[], size_t n,\n"
        "  unsigned long long m, const P p, P* q, cudaTextureObject_t t, cudaSurfaceObject_t s,\n"
        "  __half* h, int64_t, std::complex<float> z, float** deep, const __nv_bfloat16* low,\n"
        "  const __grid_constant__ P g, float (*rows)[16], volatile uint8_t* v) {\n}\n");
    EXPECT_EQ(kernel.expression, "k");
    EXPECT_EQ(kernel.signature.line, 3U);
    EXPECT_EQ(kernel.signature.last_line, 8U);
    EXPECT_EQ(kernel.bound, 128U);
    const std::vector<std::tuple<Kind, std::string, std::string, bool>> wanted{
        {Kind::global, "float4", "a", true},
        {Kind::global, "float", "b", true},
        {Kind::global, "double", "c", false},
        {Kind::global, "uchar", "d", false},
        {Kind::scalar, "ulong", "n", false},
        {Kind::scalar, "ulong", "m", false},
        {Kind::scalar, "P", "p", false},
        {Kind::global, "P", "q", false},
        {Kind::image, "image2d_t", "t", true},
        {Kind::image, "image2d_t", "s", false},
        {Kind::global, "half", "h", false},
        {Kind::scalar, "long", "unnamed_12", false},
        {Kind::scalar, "std::complex<float>", "z", false},
        {Kind::global, "float *", "deep", false},
        {Kind::global, "__nv_bfloat16", "low", true},
        {Kind::scalar, "P", "g", false},
        {Kind::global, "float", "rows", false},
        {Kind::global, "uchar", "v", false}};
    const auto& found = kernel.signature.parameters;
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        EXPECT_EQ(std::tuple(found[i].kind, found[i].type, found[i].name, found[i].read_only),
                  wanted[i])
            << i;
    }
    ASSERT_EQ(found[6].members.size(), 2U);
    EXPECT_EQ(found[6].members[1].type, "packed_float3") << "12 bytes, and not the 16 of OpenCL C";
    EXPECT_EQ(found[6].members[1].members.size(), 3U);
}

TEST_F(Cuda, HostCodeIsLeftAside) {
    const std::string host =
        "#include <cuda_runtime.h>\n#include \"mine.h\"\nusing namespace std;\n"
        "#define CHECK(x) do { auto e = (x); if (e) { printf(\"%s\\n\", text(e)); exit(1); } } "
        "while (0)\n"
        "template <class T> struct Holder { std::vector<T> all; Holder() : all{1, 2} {} };\n"
        "static auto text_of = R\"(a \" b)\"; const char quote = '\\'';\n"
        "int host(int n) { return n < 3 ? 1'000 : 0b101; }\n";
    const std::string after =
        "\nint main() { CHECK(cudaFree(0)); const int threads = 64; dim3 block(16, 16);\n"
        "float* x; k<<<dim3(2, 3), block>>>(x, 1); other<<<1, threads * 2, 4>>>(); return 0_z; }";
    const CudaKernel kernel =
        only(host + "__global__ void k(float* x, int n) { x[n] = 1; }" + after);
    EXPECT_EQ(kernel.signature.line, 8U);
    EXPECT_EQ(kernel.items, (std::array{16U, 16U, 1U}));
}

TEST_F(Cuda, TemplatesAreInstantiated) {
    const std::string source =
        "namespace blas { constexpr int twice(int n) { return 2 * n; }\n"
        "template <typename T, int N, bool add = false>\n"
        "__global__ void axpy(int n, T a, const T* x, T* y) {\n"
        "  __shared__ T tile[N][N + 1]; if constexpr (add) y[n] = a; } }\n"
        "template <class T> __global__ void one(T* x) { }\n"
        "template <> __global__ void one<int>(int* x) { }\n"
        "template <int N> __global__ void open(int* x) { }\n"
        "void host(float* x) { blas::axpy<float, 8><<<1, 256>>>(1, 2, x, x); "
        "blas::axpy<float, 4><<<1, 64>>>(1, 2, x, x); }";
    const auto launched = cuda_kernels("x.cu", source, {.kernels = {"axpy"}});
    ASSERT_THAT(launched, SizeIs(2));
    EXPECT_EQ(launched[0].expression, "blas::axpy<float, 8, false>");
    EXPECT_EQ(launched[0].items[0], 256U);
    EXPECT_EQ(launched[1].expression, "blas::axpy<float, 4, false>");
    EXPECT_EQ(launched[1].items[0], 64U);
    const CudaKernel open = only(source, {"open"});
    EXPECT_EQ(open.expression, "open<N>");
    EXPECT_THAT(open.open, ElementsAre("N"));
    const CudaKernel made = only(source, {"blas::axpy<unsigned char, 16, true>"});
    EXPECT_EQ(made.expression, "blas::axpy<unsigned char, 16, true>");
    EXPECT_EQ(made.signature.kernel, "axpy");
    EXPECT_EQ(made.signature.parameters[2].type, "uchar");
    EXPECT_THAT(made.open, SizeIs(0));
    EXPECT_THAT(squeezed(made.reading), HasSubstr("__localuchartile[16][17]"));
    EXPECT_EQ(only(source, {"one<int>"}).expression, "one<int>");
    EXPECT_THAT(refusal(source, {"axpy<float, 1, true, 2>"}),
                HasSubstr("x.cu:3: 'axpy<float, 1, true, 2>': the arguments do not fit"));
    EXPECT_THAT(refusal(source, {"saxpy"}),
                HasSubstr("'saxpy': the file has no such kernel; it has blas::axpy, one, open"));
}

TEST_F(Cuda, MemoryThatIsNoParameterIsListed) {
    const CudaKernel kernel = only(
        "constexpr int R = 4;\n__constant__ float taps[2 * R + 1], rows[R][3];\n__constant__ int "
        "n;\n"
        "__constant__ float set[2] = {1, 2};\n__device__ unsigned int counter;\n__constant__ int "
        "other;\n"
        "extern __shared__ double all[];\nstruct Rates { float fast, slow; };\n__constant__ Rates "
        "rates;\n"
        "__device__ float at(int i) { return taps[i] + set[i] + rows[i][0]; }\n"
        "__global__ void k(float* x) { extern __shared__ float4 buffer[];\n"
        "if (threadIdx.x < n) { x[threadIdx.x] = at(2) + buffer[0].x; atomicAdd(&counter, "
        "rates.fast > 0); } }");
    std::vector<std::string> found;
    for (const CudaVariable& one : kernel.symbols) {
        found.push_back(one.type + " " + one.name + "[" + one.count + "]" +
                        (one.value.empty() ? "" : "="));
    }
    EXPECT_THAT(found, ElementsAre("float taps[9]", "float rows[12]", "int n[]", "uint counter[]",
                                   "Rates rates[]", "float set[2]="));
    EXPECT_THAT(squeezed(kernel.reading),
                HasSubstr("typedefstructRates{floatfast;floatslow;}Rates;"));
    ASSERT_THAT(kernel.shared, SizeIs(1));
    EXPECT_EQ(kernel.shared[0].type, "float4");
    EXPECT_THAT(squeezed(kernel.reading), HasSubstr("k(__globalfloat*x,__constantfloat*taps,"));
    EXPECT_THAT(squeezed(kernel.reading), HasSubstr("__localfloat4*buffer)"));
    EXPECT_THAT(squeezed(kernel.reading), HasSubstr("at(2,taps,rows)"));
}

/// A construct with a counterpart is translated; one without stays, so that the rest can be read.
TEST_F(Cuda, ReadingKeepsWhatHasNoCounterpart) {
    EXPECT_EQ(form("x[0] = __shfl_xor_sync(0xffffffffu, x[n], 1) + n;"),
              "x[0]=__shfl_xor_sync(0xffffffffu,x[n],1)+n;");
    EXPECT_EQ(form("asm(\"trap;\"); x[1] = n;"), ";x[1]=n;");
    EXPECT_THAT(form("x[0] = missing(x[n]); x[1] = n;"), HasSubstr("x[1]=n;"));
    EXPECT_EQ(form("auto f = [=](int i) { return x[i]; }; x[1] = n;"), "x[1]=n;");
    // Constants of the file are numbers in it.
    const std::string constants =
        "constexpr unsigned BINS = 8; enum Color { blue, red = 5 }; enum class E { a = 3 };\n";
    const CudaKernel kernel = only(constants +
                                   "__global__ void k(int* x) { __shared__ int t[BINS]; "
                                   "x[BINS] = red + t[0] + (int)E::a; }");
    EXPECT_THAT(kernel.reading, HasSubstr("#define BINS (8)"));
    EXPECT_THAT(kernel.reading, HasSubstr("#define red (5)"));
    EXPECT_THAT(squeezed(kernel.reading), HasSubstr("__localintt[8];x[BINS]=red+t[0]+((int)(3));"));
    // A struct keeps its pointers, and half is known.
    const CudaKernel other = only(
        "#include <cuda_fp16.h>\nstruct Deep { const float* x; int n; };\n"
        "__global__ void k(const Deep d, half* y, const __nv_bfloat16* z) {\n"
        "  y[d.n] = __float2half(d.x[threadIdx.x] * __half2float(y[0])); }");
    EXPECT_THAT(squeezed(other.reading), HasSubstr("typedefstructDeep{constfloat*x;intn;}Deep;"));
    EXPECT_THAT(squeezed(other.reading),
                HasSubstr("k(Deepd,__globalhalf*y,__globalconst__nv_bfloat16*z)"));
    EXPECT_EQ(other.signature.parameters[0].obstacle, "one with pointers");
}

TEST_F(Cuda, KernelsThatWaitForTheGridAreKnown) {
    for (const auto& [body, waits] :
         {std::pair{"auto g = cg::this_grid(); g.sync();", true},
          {"cg::this_grid().sync();", true},
          {"auto g = cg::this_grid(); cg::sync(g);", true},
          {"cg::sync(cg::this_grid());", true},
          {"auto g = cg::this_grid(); auto b = cg::this_thread_block(); b.sync(); x[0] = g.size();",
           false}}) {
        const std::string text = "namespace cg = cooperative_groups; __global__ void k(int* x) { ";
        EXPECT_EQ(only(text + body + " }").waits_for_grid, waits) << body;
    }
}

TEST_F(Cuda, TexturesAreImages) {
    const CudaKernel kernel = only(
        "__global__ void k(cudaTextureObject_t in, cudaTextureObject_t bytes, cudaSurfaceObject_t "
        "out, int w) {\n"
        "int x = threadIdx.x; float f = tex2D<float>(in, x + 0.5f, 3 + 0.5f);\n"
        "uchar4 b = tex2D<uchar4>(bytes, x, 1);\nsurf2Dwrite(make_float2(f, b.x), out, x * "
        "sizeof(float2), 0); }");
    std::vector<std::string> found;
    for (const CudaImage& one : kernel.images)
        found.push_back(one.name + " " + one.element + std::to_string(one.channels));
    EXPECT_THAT(found, ElementsAre("in float1", "bytes uchar4", "out float2"));
    EXPECT_THAT(squeezed(kernel.reading), HasSubstr("read_imagef(in,0,(float2)(x+0.5f,"));
    EXPECT_THAT(squeezed(kernel.reading), HasSubstr("write_imagef(out,(int2)(x,0),"));
}

TEST_F(Cuda, BodiesAreReadAsOpencls) {
    const CudaKernel kernel = only(
        "__global__ void saxpy(int n, float a, const float* x, float* y) {\n"
        "const int stride = gridDim.x * blockDim.x;\n"
        "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) y[i] = a * x[i] + "
        "y[i]; }");
    const auto read = read_kernels("x.cu", kernel.reading, {});
    ASSERT_THAT(read, SizeIs(1));
    ASSERT_THAT(read[0].body.accesses, ::testing::Not(::testing::IsEmpty()));
    EXPECT_TRUE(read[0].body.grid_strides.contains(0));
}

TEST_F(Cuda, WhatIsNotUnderstoodLeavesTheSignature) {
    const CudaKernel kernel = only(
        "__global__ void k(float* x, const Wrapper<3> w, Other* o) { "
        "for (auto& one : w.all) { x[0] += one <=> 3; } co_await x; }");
    ASSERT_THAT(kernel.signature.parameters, SizeIs(3));
    EXPECT_EQ(kernel.signature.parameters[1].type, "Wrapper<3>");
    EXPECT_EQ(kernel.signature.parameters[2].type, "Other");
    EXPECT_EQ(kernel.signature.parameters[2].kind, Kind::global);
    EXPECT_THAT(read_kernels("x.cu", kernel.reading, {}), SizeIs(1));
    EXPECT_EQ(only("__global__ void k(int* x) { x[0] = ((1; }").signature.parameters[0].type,
              "int");
    EXPECT_THAT(cuda_kernels("x.cu", "", {}), SizeIs(0));
}

/// A name means one kernel everywhere: namespaces may be left out, and arguments are one instance.
TEST_F(Cuda, NamesOfKernels) {
    const std::string source =
        "namespace a { template <class T> __global__ void k(T* x) { *x = 1; } }\n"
        "namespace b { __global__ void one(int* x) { *x = 1; } }\n"
        "namespace c { __global__ void one(int* x) { *x = 1; }\n"
        "template <bool B, int N, class... T> __global__ void pack(T... x) { } }\n"
        "template __global__ void a::k<double>(double*);\n"
        "void f() { a::k<<<1, 32>>>((float*)nullptr); }\n";
    const auto names = [&](std::vector<std::string> words) {
        std::string made;
        for (const CudaKernel& one : cuda_kernels("x.cu", source, {.kernels = std::move(words)}))
            made += one.expression + " ";
        return made;
    };
    EXPECT_EQ(names({}), "a::k<double> a::k<float> b::one c::one c::pack<B, N, T> ");
    EXPECT_EQ(names({"k"}), "a::k<double> a::k<float> ");
    EXPECT_EQ(names({"k<float>"}), "a::k<float> ");
    EXPECT_EQ(names({"a::k<unsigned char>", "b::one"}), "a::k<unsigned char> b::one ");
    EXPECT_EQ(names({"pack<true, -3, int, float*>"}), "c::pack<true, -3, int, float *> ");
    EXPECT_THAT(refusal(source, {"one"}), HasSubstr("b::one and c::one fit"));
    EXPECT_THAT(refusal(source, {"k<3>"}),
                HasSubstr("x.cu:1: 'k<3>': the arguments do not fit the kernel, which is a "
                          "template <class T>"));
    EXPECT_THAT(refusal(source, {"b::one<int>"}), HasSubstr("which is no template"));
    const auto translated = [&](std::vector<std::string> words) {
        std::string made;
        for (const auto& one :
             to_opencl("x.cu", source, {.kernels = std::move(words)}, false).kernels)
            made += one.second + " ";
        return made;
    };
    EXPECT_EQ(translated({"k<double>"}), "k ");
    EXPECT_EQ(translated({"k"}), "k_double k_float ");
    EXPECT_EQ(translated({"c::one"}), "one ");
}

/// The block size of a launch.
TEST_F(Cuda, BlocksAreThoseOfLaunches) {
    for (const auto& [launch, items] :
         {std::pair{"k<<<1, 256>>>(x);", std::array{256U, 1U, 1U}},
          {"const int n = 1 << 5; k<<<1, n * 2>>>(x);", {64U, 1U, 1U}},
          {"dim3 b(16, 8); k<<<1, b, 4>>>(x);", {16U, 8U, 1U}},
          {"dim3 b{4, 4, 2}; k<<<dim3(1), b>>>(x);", {4U, 4U, 2U}},
          {"auto b = dim3(32); k<<<1, b>>>(x);", {32U, 1U, 1U}},
          {"enum { N = 3 }; k<<<1, N + 1>>>(x);", {4U, 1U, 1U}},
          {"std::vector<int> v(3); k<<<v.size(), 96>>>(x);", {0U, 0U, 0U}},
          {"k<<<1, unknown()>>>(x); k<<<1, 48>>>(x);", {48U, 1U, 1U}}}) {
        const CudaKernel kernel = only("__global__ void k(int* x) { *x = 1; }\nvoid f(int* x) { " +
                                       std::string(launch) + " }");
        EXPECT_EQ(kernel.items, items) << launch;
    }
    EXPECT_EQ(
        only("__global__ void __launch_bounds__(64 * 2) k(int* x) { x[threadIdx.x] = 1; }").items,
        (std::array{128U, 1U, 1U}));
    const CudaKernel rows =
        only("__global__ void __launch_bounds__(64) k(int* x) { x[threadIdx.y] = 1; }");
    EXPECT_EQ(rows.items, (std::array{0U, 0U, 0U}));
    EXPECT_EQ(rows.bound, 64U);
}

constexpr std::string_view samples[]{
    "template <typename T, int N = 256> __global__ void saxpy(int n, T a, const T* __restrict__ x, "
    "T* y) {"
    " int i = blockIdx.x * N + threadIdx.x; if (i < n) y[i] = a * x[i] + y[i]; }"
    " void host() { saxpy<float, 128><<<(n + 127) / 128, 128>>>(n, 2.0f, x, y); }",
    "extern \"C\" __global__ void __launch_bounds__(256) sum(const float* x, float* out, size_t n) "
    "{"
    " extern __shared__ float s[]; unsigned t = threadIdx.x; s[t] = t < n ? __ldg(&x[t]) : 0.f; "
    "__syncthreads();"
    " for (unsigned k = blockDim.x >> 1; k > 0; k >>= 1) { if (t < k) s[t] += s[t + k]; "
    "__syncthreads(); }"
    " if (t == 0) out[blockIdx.x] = s[0]; }",
    "constexpr int T = 32; __global__ void transpose(const float* a, float* b, int w, int h) {"
    " __shared__ float tile[T][T + 1]; int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + "
    "threadIdx.y;"
    " for (int j = 0; j < T; j += 8) tile[threadIdx.y + j][threadIdx.x] = a[(y + j) * w + x]; }",
    "const int R = 3; __constant__ float c[2 * R + 1]; __global__ void stencil(const float* in, "
    "float* out, int n) {"
    " int i = blockIdx.x * blockDim.x + threadIdx.x; float s{}; for (int k = -R; k <= R; ++k) s += "
    "c[k + R] * in[i + k];"
    " out[i] = s; }",
    "__global__ void histogram(const unsigned char* data, unsigned int* bins, int n) {"
    " __shared__ unsigned int own[256]; own[threadIdx.x] = 0; __syncthreads(); "
    "atomicAdd(&own[data[threadIdx.x]], 1u);"
    " __syncthreads(); atomicAdd(bins + threadIdx.x, own[threadIdx.x]); }",
    "struct Params { int n; float a = 1; __device__ float f(float x) const { return a * x; } };"
    " enum class E : int { a, b = 4 }; __global__ void apply(Params p, float* x) { int i = "
    "threadIdx.x;"
    " if (i < p.n && (int)E::b > i) x[i] = p.f(x[i]); }",
    "__global__ void blur(cudaTextureObject_t t, cudaSurfaceObject_t s, int w) { int x = "
    "threadIdx.x;"
    " float4 v = tex2D<float4>(t, x + 0.5f, 1 + 0.5f); surf2Dwrite(v, s, x * sizeof(float4), 0); }",
    "namespace a { namespace b { template <typename T> __device__ void swap(T& x, T& y) { T t = x; "
    "x = y; y = t; }"
    " template <class T> __global__ void sort(T* x, int j, int k) { unsigned i = threadIdx.x, l = "
    "i ^ j;"
    " if (l > i && ((i & k) == 0) == (x[i] > x[l])) swap(x[i], x[l]); } } }",
    "__global__ void half_scale(const __half* x, __half2* y, int n) { auto i = threadIdx.x; auto& "
    "to = y[i];"
    " to = __hmul2(reinterpret_cast<const __half2*>(x)[i], __float2half2_rn(2.0f)); }",
    "#define TILE 16\n__global__ void mm(const double* a, const double* b, double* c, int n) {"
    " __shared__ double s[TILE][TILE]; double sum = 0;\n#pragma unroll\nfor (int k = 0; k < TILE; "
    "++k) sum += a[k] * b[k];"
    " c[blockIdx.y * TILE + threadIdx.y] = sum; }",
    "using real = float; typedef unsigned long long u64; __device__ u64 count; __global__ void "
    "walk(real* x, u64 n) {"
    " for (u64 i = threadIdx.x; i < n; i += warpSize) { asm volatile(\"nop;\"); x[i] = x[i] < 0 ? "
    "-x[i] : x[i]; }"
    " if (!threadIdx.x) atomicAdd(&count, n); }",
    "namespace cg = cooperative_groups; __global__ void coop(int* x) { auto g = cg::this_grid(); "
    "auto b = cg::this_thread_block();"
    " auto w = cg::tiled_partition<32>(b); x[g.thread_rank()] += w.shfl_down(x[0], 1); g.sync(); "
    "b.sync(); }",
};

TEST(DeviceCode, KernelIsCutOutOfItsFile) {
    const std::string one = "template <typename T>\n__global__ void one(T* x)\n{\n    *x = 1;\n}\n";
    const std::string two = "__global__ void two(int* x) { *x = 2; }\n";
    const std::string host = "int main()\n{\n    two<<<1, 1>>>(nullptr);\n}\n";
    const std::string file = "#line 1 \"k.cuh\"\n#define N 1\nnamespace a {\n" + one + "}\n" + two;
    EXPECT_EQ(device_code("k.cu", file + host), file);
    EXPECT_EQ(kernel_lines("k.cu", file, "a::one<float>"), one);
    EXPECT_EQ(kernel_lines("k.cu", file, "two"), two);
    EXPECT_EQ(kernel_lines("k.cu", file, "three"), file);
}

TEST(DeviceCode, NvrtcGetsWhatIsTheDevices) {
    const std::string host =
        "#include <cufft.h>\n#include <cuda_profiler_api.h>\n#include <sys/time.h>\n"
        "#include <stdarg.h>\nusing namespace std::chrono;\nconst char *name = \"mine\";\n"
        "extern const char *words[];\nstatic int calls = 0;\n"
        "inline void __check(int error) { fprintf(stderr, \"%d\", error); }\n";
    const std::string device =
        "#include <curand_kernel.h>\nusing namespace cuda::std;\nconst int n = 4;\n"
        "__device__ const char* const text = \"x\";\n"
        "typedef struct __align__(8) { int a, b; } two;\n";
    EXPECT_EQ(device_code("k.cu", host + device), std::string(9, '\n') + device);
    // Other headers of that family are the host's; this one has operators of vectors.
    const std::string math = "#include <helper_math.h>\n";
    EXPECT_EQ(device_code("k.cu", math + device), math + device);
    // A manifest finds a variable by its name, which a static one has not.
    EXPECT_EQ(device_code("k.cu",
                          "static __constant__ float c[4];\n"
                          "__device__ static int s;\nconst int is_static = 1;\n"
                          "static __device__ int f() { static const int k = 1; return k; }\n"),
              "       __constant__ float c[4];\n"
              "__device__        int s;\nconst int is_static = 1;\n"
              "static __device__ int f() { static const int k = 1; return k; }\n");
}

/// Functions of the device that clang sees, with their types.
std::multiset<std::string> device_functions(const std::string& source) {
    std::multiset<std::string> made;
    const from_cuda::ClangTree tree = from_cuda::clang_tree("x.cu", source, {}, {});
    const std::function<void(const from_cuda::Node&)> visit = [&](const from_cuda::Node& node) {
        const bool is_device = node.part("CUDADeviceAttr") || node.part("CUDAGlobalAttr");
        if (is_device && node.part("CompoundStmt") && node.begin >= tree.source)
            made.insert(node.type + " " + node.name);
        for (const from_cuda::Node& one : node.parts) visit(one);
    };
    visit(tree.root);
    return made;
}

constexpr std::string_view behind_macros[]{
    "#define DEV __device__ __forceinline__\n#define GLOBAL_VAR __device__\n"
    "typedef unsigned int u32;\nGLOBAL_VAR u32 table[4] = {1, 2, 3, 4};\n"
    "DEV float sq(float v) { return v * v; }\nDEV u32 pick(u32 i) { return table[i & 3]; }\n"
    "int main() { return 0; }\n"
    "extern \"C\" __global__ void d1(const float* x, float* y) { y[0] = sq(x[0]) + pick(0); }\n",
    "#define DEV __device__\n__device__ float f(double v) { return 1.0f; }\n"
    "DEV float f(float v) { return 2.0f * v; }\n"
    "extern \"C\" __global__ void s1(const float* x, float* y) { y[0] = f(x[0]); }\n",
    "#define DEV __device__ inline\ntemplate <typename T> __device__ T clampv(T v) { return v; }\n"
    "template <> DEV float clampv<float>(float v) { return v > 0.5f ? 0.5f : v; }\n"
    "extern \"C\" __global__ void s2(const float* x, float* y) { y[0] = clampv<float>(x[0]); }\n",
    "#define SPACE(a, b) __##a##__ __##b##__\nSPACE(host, device) int f(int x) { return x; }\n"
    "#define BOTH SPACE(host, device)\nBOTH int g(int x) { return f(x); }\n"
    "#define FUNCTION(name) BOTH int name(int x) { return x; }\nFUNCTION(h)\n"
    "int host(int x) { return x; }\n__device__ int later(int x);\nint later(int x) { return h(x); "
    "}\n"
    "struct S { BOTH int m(int x); int n(int x); };\nint S::m(int x) { return x; }\n"
    "int S::n(int x) { return x; }\n#if 0\nint never(int x) { return x; }\n#endif\n"};

/// NVRTC gets each function of the device that clang sees in the whole file.
TEST_F(Cuda, NvrtcGetsEachFunctionOfTheDevice) {
    std::vector<std::string> all(std::begin(samples), std::end(samples));
    all.insert(all.end(), std::begin(behind_macros), std::end(behind_macros));
    for (const char* const folder : {"/suites/manifest/tests/kernels", "/docs/examples"}) {
        for (const auto& one :
             std::filesystem::recursive_directory_iterator(std::string(SOURCE_ROOT) + folder)) {
            if (one.path().extension() == ".cu") all.push_back(read_file(one.path(), 1 << 20));
        }
    }
    std::size_t functions = 0;
    for (const std::string& source : test::every_nth(all, 3)) {
        const auto wanted = device_functions(source);
        EXPECT_EQ(device_functions(device_code("x.cu", source)), wanted) << source;
        functions += wanted.size();
    }
    EXPECT_GT(functions, test::is_thorough() ? 40U : 13U);
}

/// Without the preprocessor's help, or with a macro of a header that is not here, what may be the
/// device's stays.
TEST(DeviceCode, KeepsWhatItIsNotSureOf) {
    const std::string kept =
        "HD float f(float x) { return x; }\nUNKNOWN(3) float g(float x) { return x; }\n"
        "GLOBAL_VAR int table[3];\nHD float h(float x);\n";
    EXPECT_EQ(device_code("k.cu", kept), kept);
    const std::string host =
        "std::vector<int> list(int n) { return {}; }\nstatic unsigned long f(int* x) { return 1; "
        "}\n"
        "template <class T>\nT* g(const T& x) { return nullptr; }\nFoo* h(Bar const& x) { return "
        "0; }\n"
        "Foo::Foo(int x) : a(x) { }\nstruct S t(int x) { return {}; }\nint count = 3;\n";
    EXPECT_EQ(device_code("k.cu", host + "__global__ void k() { }\n"),
              std::string(8, '\n') + "__global__ void k() { }\n");
    // Directives stay: a condition may end, and a macro be used, behind a function of the host.
    EXPECT_EQ(device_code("k.cu", "int f()\n{\n#define N 3\n}\n__device__ int n = N;\n"),
              "\n\n#define N 3\n\n__device__ int n = N;\n");
}

/// Whatever is cut or left out, there is an answer.
TEST_F(Cuda, NoTextCrashesOrHangsIt) {
    std::size_t found = 0;
    const auto read = [&](const std::string& text) {
        try {
            for (const CudaKernel& one : cuda_kernels("x.cu", text, {})) {
                found += one.signature.kernel.size();
                read_kernels("x.cu", one.reading, {});
            }
        } catch (const Error&) {
        }
    };
    for (const std::string_view source : samples) {
        const std::string whole(source);
        EXPECT_THAT(cuda_kernels("x.cu", whole, {}), SizeIs(1)) << whole;
        std::vector<std::size_t> begins;
        for (std::size_t i = 0; i < whole.size(); ++i) {
            if (i == 0 || !is_word_character(whole[i]) || !is_word_character(whole[i - 1]))
                begins.push_back(i);
        }
        begins.push_back(whole.size());
        for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
            const std::string cut = whole.substr(0, begins[i]);
            const std::string gap = cut + whole.substr(begins[i + 1]);
            const bool has_macros = whole[0] == '#';  // those take the preprocessor's time
            const std::size_t step = test::is_thorough() ? 1 : 4;
            if (i % (has_macros ? 8 * step : step) == 0) {
                device_code("x.cu", cut);
                device_code("x.cu", gap);
            }
            if (i % (32 * step) == 5) read(i % (64 * step) == 5 ? cut : gap);
        }
    }
    EXPECT_GT(found, 0U);
    for (const std::string_view part :
         {"<", "(", "{", "template <", "a<b<", "k<<<1,1>>>(", "-", "x ? ", "__global__ void k(",
          "if (", "struct S {", "extern __shared__ int x[];", "namespace a {"}) {
        std::string many;
        for (int i = 0; i < 3000; ++i) many += part;
        device_code("x.cu", "__global__ void k(int* x) { x[0] = " + many + "1; }");
        device_code("x.cu", many);
    }
    std::string many;
    for (int i = 0; i < 3000; ++i) many += "(";
    read("__global__ void k(int* x) { x[0] = " + many + "1; }");
}

}  // namespace
}  // namespace parallax::cuda_test
