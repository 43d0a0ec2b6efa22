// Are the kernels of CUDA sources found, and can their bodies be read?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "mapping/analyze/lexer.hpp"
#include "mapping/body/body.hpp"
#include "mapping/cuda/cuda_kernels.hpp"
#include "mapping/cuda/device_code.hpp"

namespace parallax::cuda_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using Kind = Parameter::Kind;

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

TEST(Cuda, ReadsEveryKindOfParameter) {
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
        {Kind::scalar, "long", "parameter_12", false},
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

TEST(Cuda, HostCodeIsLeftAside) {
    const std::string host =
        "#include <cuda_runtime.h>\n#include \"mine.h\"\nusing namespace std;\n"
        "#define CHECK(x) do { auto e = (x); if (e) { printf(\"%s\\n\", text(e)); exit(1); } } "
        "while (0)\n"
        "template <class T> struct Holder { std::vector<T> all; Holder() : all{1, 2} {} };\n"
        "static auto text_of = R\"(a \" b)\"; const char quote = '\\'';\n"
        "int host(int n) { return n < 3 ? 1'000 : 0b101; }\n";
    const std::string after =
        "\nint main() { CHECK(cudaFree(0)); const int threads = 64; dim3 block(16, 16);\n"
        "k<<<dim3(2, 3), block>>>(x, 1); other<<<1, threads * 2, 4>>>(); return 0_z; }";
    const CudaKernel kernel =
        only(host + "__global__ void k(float* x, int n) { x[n] = 1; }" + after);
    EXPECT_EQ(kernel.signature.line, 8U);
    ASSERT_THAT(kernel.launches, SizeIs(1));
    EXPECT_EQ(kernel.items, (std::array{16U, 16U, 1U}));
}

TEST(Cuda, TemplatesAreInstantiated) {
    const std::string source =
        "namespace blas { constexpr int twice(int n) { return 2 * n; }\n"
        "template <typename T, int N, bool add = false>\n"
        "__global__ void axpy(int n, T a, const T* x, T* y) {\n"
        "  __shared__ T tile[N][N + 1]; if constexpr (add) y[n] = a; } }\n"
        "template <> __global__ void one<int>(int* x) { }\n"
        "void host() { blas::axpy<float, 8><<<1, 256>>>(); blas::axpy<double, 4><<<1, 64>>>(); }";
    const CudaKernel open = only(source, {"axpy"});
    EXPECT_EQ(open.expression, "blas::axpy<T, N, false>");
    EXPECT_THAT(open.open, ElementsAre("T", "N"));
    EXPECT_EQ(open.signature.parameters[1].type, "T");
    ASSERT_THAT(open.launches, SizeIs(2));
    EXPECT_EQ(open.launches[1].expression, "blas::axpy<double, 4>");
    const CudaKernel made = only(source, {"blas::axpy<unsigned char, 16>"});
    EXPECT_EQ(made.expression, "blas::axpy<unsigned char, 16, false>");
    EXPECT_EQ(made.signature.kernel, "axpy");
    EXPECT_EQ(made.signature.parameters[2].type, "uchar");
    EXPECT_THAT(squeezed(made.reading), HasSubstr("__localuchartile[16][16+1]"));
    EXPECT_EQ(only(source, {"one<int>"}).expression, "one<int>");
    EXPECT_THAT(refusal(source, {"axpy<float, 1, true, 2>"}),
                HasSubstr("x.cu:3: 'axpy': the kernel has 3 template parameters"));
    EXPECT_THAT(refusal(source, {"saxpy"}),
                HasSubstr("'saxpy': the file has no such kernel; it has blas::axpy, one"));
}

TEST(Cuda, MemoryThatIsNoParameterIsListed) {
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
    EXPECT_THAT(found, ElementsAre("uint counter[]", "int n[]", "Rates rates[]", "float rows[12]",
                                   "float taps[9]", "float set[2]="));
    EXPECT_THAT(squeezed(kernel.reading), HasSubstr("typedefstructRates{floatfast,slow;}Rates;"));
    ASSERT_THAT(kernel.shared, SizeIs(1));
    EXPECT_EQ(kernel.shared[0].type, "float4");
    EXPECT_THAT(squeezed(kernel.reading), HasSubstr("__constantfloat*taps,__localfloat4*buffer)"));
    EXPECT_THAT(squeezed(kernel.reading), HasSubstr("at(2,rows,taps)"));
}

TEST(Cuda, WordsOfBodiesBecomeOpencls) {
    EXPECT_EQ(form("int i = blockIdx.x * blockDim.x + threadIdx.y; x[i] = gridDim.z + gridDim.x * "
                   "blockDim.x;"),
              "inti=get_group_id(0)*get_local_size(0)+get_local_id(1);x[i]=get_num_groups(2)+get_"
              "num_groups(0)*get_local_size(0);");
    EXPECT_EQ(form("x[0] = static_cast<float>(n) + __ldg(&x[1]) + __ldg(x + 2) + float(n);"),
              "x[0]=((float)(n))+(*(&x[1]))+(*(x+2))+((float)(n));");
    EXPECT_EQ(form("auto p = reinterpret_cast<float4*>(x); auto q = p[n]; auto y = x[0]; auto& r = "
                   "x[1]; r = y;"),
              "float4*p=((float4*)(x));float4q=p[n];floaty=x[0];float*r=&(x[1]);(*r)=y;");
    EXPECT_EQ(
        form("constexpr int N = 4 * 8; __shared__ float t[N][N + 1]; float acc[N]{}; int c(5);"),
        "constintN=4*8;__localfloatt[32][32+1];floatacc[32]={0};intc=(5);");
    EXPECT_EQ(
        form("atomicAdd_block(&x[0], 1.0f); __syncthreads(); x[n] = atomicCAS((int*)x, 0, 1);"),
        "atomic_add(&x[0],1.0f);barrier(CLK_LOCAL_MEM_FENCE);x[n]=atomic_cmpxchg((int*)x,0,1);");
    EXPECT_EQ(
        form("float4 v = make_float4(0, 1, 2, 3); float3 w = make_float3(1, 2, 3); asm(\"nop;\");"),
        "float4v=((float4)(0,1,2,3));packed_float3w=(packed_float3){1,2,3};;");
    EXPECT_EQ(
        form("const int half = n / 2, local = 1; x[half] = std::max(local, 1) + (int)Color::red;",
             "enum class Color { blue, red };"),
        "constinthalf_=n/2,local_=1;x[half_]=max(local_,1)+(int)1;");
    EXPECT_EQ(
        form(
            "namespace cg = cooperative_groups; auto block = cg::this_thread_block(); block.sync();"
            "x[block.thread_rank()] = cg::this_grid().thread_rank(); cg::sync(block);"),
        "namespacecg=cooperative_groups;;barrier(CLK_LOCAL_MEM_FENCE);x[get_local_id(0)]=get_"
        "global_id(0);barrier(CLK_LOCAL_MEM_FENCE);");
}

TEST(Cuda, KernelsThatWaitForTheGridAreKnown) {
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

TEST(Cuda, FunctionsOfTheFileComeAlong) {
    const CudaKernel kernel = only(
        "__device__ void add(float& to, const float& what) { to += what; }\n"
        "template <typename T> __device__ __forceinline__ T twice(T x) { return x + x; }\n"
        "float host(float x) { return x; }\n"
        "template <int N> __device__ float sum(const float (&x)[N]) { return x[N - 1]; }\n"
        "__global__ void k(float* x) { float s = 0, t[4]; add(s, twice(x[0])); add(x[1], "
        "sum<4>(t)); }");
    EXPECT_THAT(squeezed(kernel.reading), HasSubstr("voidadd(float*to,floatwhat){(*to)+=what;}"));
    EXPECT_THAT(squeezed(kernel.reading), HasSubstr("floattwice_float(floatx)"));
    EXPECT_THAT(squeezed(kernel.reading), HasSubstr("add(&s,"));
    EXPECT_THAT(squeezed(kernel.reading), HasSubstr("add(&(x[1]),"));
    EXPECT_THAT(squeezed(kernel.reading), HasSubstr("sum__4"));
    EXPECT_THAT(kernel.reading, ::testing::Not(HasSubstr("host")));
}

TEST(Cuda, TexturesAreImages) {
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
    EXPECT_THAT(squeezed(kernel.reading), HasSubstr("read_imagef(in,(int2)(x,3)).x"));
    EXPECT_THAT(squeezed(kernel.reading),
                HasSubstr("write_imagef(out,(int2)(x,0),((float2)(f,b.x)))"));
}

TEST(Cuda, BodiesAreReadAsOpencls) {
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

TEST(Cuda, WhatIsNotUnderstoodLeavesTheSignature) {
    const CudaKernel kernel = only(
        "__global__ void k(float* x, Wrapper<3> w) { auto f = [=](int i) { return x[i]; };\n"
        "for (auto& one : w.all) { x[0] += f(one) <=> 3; } co_await x; }");
    ASSERT_THAT(kernel.signature.parameters, SizeIs(2));
    EXPECT_EQ(kernel.signature.parameters[1].type, "Wrapper<3>");
    EXPECT_EQ(only("__global__ void k(int* x) { x[0] = ((1; }").signature.parameters[0].type,
              "int");
    EXPECT_EQ(only("WRAP(a, b)\n__global__ void k(int* x) { if (x) { x[0] = 1; }").signature.kernel,
              "k");
    EXPECT_THAT(cuda_kernels("x.cu", "", {}), SizeIs(0));
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

/// Whatever is cut or left out, there is an answer.
TEST(Cuda, KernelIsCutOutOfItsFile) {
    const std::string one = "template <typename T>\n__global__ void one(T* x)\n{\n    *x = 1;\n}\n";
    const std::string two = "__global__ void two(int* x) { *x = 2; }\n";
    const std::string host = "int main()\n{\n    two<<<1, 1>>>(nullptr);\n}\n";
    const std::string file = "#line 1 \"k.cuh\"\n#define N 1\nnamespace a {\n" + one + "}\n" + two;
    EXPECT_EQ(device_code("k.cu", file + host), file);
    EXPECT_EQ(kernel_lines("k.cu", file, "a::one<float>"), one);
    EXPECT_EQ(kernel_lines("k.cu", file, "two"), two);
    EXPECT_EQ(kernel_lines("k.cu", file, "three"), file);
}

TEST(Cuda, NvrtcGetsWhatIsTheDevices) {
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

TEST(Cuda, NoTextCrashesOrHangsIt) {
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
            const auto word = [](char c) {
                return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
            };
            if (i == 0 || !word(whole[i]) || !word(whole[i - 1])) begins.push_back(i);
        }
        begins.push_back(whole.size());
        for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
            const bool macros = whole[0] == '#';  // those take the preprocessor's time
            if (macros && i % 8 != 0) continue;
            read(whole.substr(0, begins[i]));
            read(whole.substr(0, begins[i]) + whole.substr(begins[i + 1]));
        }
    }
    EXPECT_GT(found, 0U);
    for (const std::string_view part :
         {"<", "(", "{", "template <", "a<b<", "k<<<1,1>>>(", "-", "x ? ", "__global__ void k(",
          "if (", "struct S {", "extern __shared__ int x[];", "namespace a {"}) {
        std::string many;
        for (int i = 0; i < 3000; ++i) many += part;
        read("__global__ void k(int* x) { x[0] = " + many + "1; }");
        read(many);
    }
}

}  // namespace
}  // namespace parallax::cuda_test
