// Tests that the host's C++ compiler and CUDA's accept the same sources, by a table of differences
// between C++ compilers.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/cuda/compile.hpp"
#include "backends/cuda/nvrtc.hpp"
#include "common/device/devices.hpp"
#include "common/error.hpp"
#include "common/tests/devices_here.hpp"
#include "mapping/cuda/device_code.hpp"
#include "mapping/from_cuda/cuda_kernels.hpp"

namespace parallax::cuda::dialect_test {
namespace {

using ::testing::HasSubstr;

Program native(std::string source) {
    return {.name = "k.cu", .source = std::move(source), .language = Language::native};
}

/// The errors of each compiler for a source with the kernel `k0`; empty: accepted.
struct Said {
    std::string host, nvrtc;
};
template <class F>
std::string said_by(F&& compile) {
    try {
        compile();
    } catch (const BuildFailed& error) {
        return error.what() + std::string("\n") + error.log;
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}
/// @param is_launched  on the host, which checks sizes of memory then
Said said_of(const Program& program, bool is_launched = false) {
    const auto device = test::devices_of("host").at(0).open();
    return {said_by([&] {
                const auto code = device->compile(program, "k0");
                const auto data = device->upload(HostArray(ElementType::i32, 64));
                const Command one{Dispatch{code, {{1, 1, 1}, {1, 1, 1}}, {data, data}}};
                if (is_launched) device->run(std::span(&one, 1));
            }),
            said_by([&] { compile_for(program, 90); })};
}

std::string kernel(std::size_t which, std::string_view body) {
    return fmt::format(
        "extern \"C\" __global__ void k{}(const int* a, int* b) {{ int i = threadIdx.x; {} }}\n",
        which, body);
}

class Dialect : public ::testing::Test {
protected:
    void SetUp() override {
        const auto devices = test::devices_of("host");
        if (!nvrtc().available() || devices.empty()) GTEST_SKIP() << "both compilers are needed";
        // clang has other messages, and no -fpermissive.
        if (devices[0].info.compiler_version.find("clang") != std::string::npos) GTEST_SKIP();
    }
};

TEST_F(Dialect, BothTakeTheSame) {
    const char* const bodies[] = {
        "if (a[i]) goto done; int v = a[1]; b[i] = v; done: b[1] = 2;",
        "if (a[i]) goto done; const int v = 3; b[i] = v; done: b[1] = 2;",
        "if (a[i]) goto done; int v[2] = {1, 2}; b[i] = v[i]; done: b[1] = 2;",
        "if (a[i]) goto done; int& v = b[3]; v = 1; done: b[1] = 2;",
        "again: int v = a[i]; b[i] += v; if (b[i] < 9) goto again;",
        "switch (a[i]) { case 0:; int v = 3; b[i] = v; break; case 1: b[i] = 5; default: ; }",
        "switch (a[i]) { case 0: float4 v = make_float4(1, 2, 3, 4); b[i] = v.x; case 1: b[i] = 5; "
        "}",
        "switch (a[i]) { int v; case 0: v = 3; b[i] = v; }",
        "if (a[i]) goto done; P* v = &p; unsigned long w = 2; b[i] = v->n + w; done: b[1] = 2;",
        "if (a[i]) goto done; P v; v.n = 2; b[i] = v.n; done: b[1] = 2;",
        "unsigned u[2] = {unsigned(a[i]), 2}; char c[1] = {'a'}; float f[1] = {2.0}; b[i] = c[0] + "
        "u[0] + f[0];",
        "int v[3] = {3.5f, -1, 0xffffffff}; unsigned u[1] = {-1}; char c[2] = {300, a[i]}; b[i] = "
        "v[0] + u[0] + c[1];",
        "S s = {a[1] / 2.0}; float f[1] = {16777217}; uint4 v = {-1, a[i], 3, 4}; b[i] = s.x + "
        "f[0] + v.x;",
        "float4 f = {1.5, 2, 2u, 3}; uchar4 u = {1, 2}; b[i] = f.x + u.y;",
        "P p; p.n = 3; p.c = 1; const int n = p.n; b[i] = n + get(p.n);",
        "P p; int* n = &p.n; *n = 3; b[i] = p.n;",
        "atomicAdd(b, 1); atomicAdd((unsigned*)b, 1); atomicAdd((unsigned long long*)b, 1);",
        "atomicAdd((float*)b, 1); atomicAdd((double*)b, 1); atomicExch((float*)b, 1);",
        "atomicMin((long long*)b, 1); atomicMax((unsigned long long*)b, 1); atomicAnd((long "
        "long*)b, 1);",
        "atomicInc((unsigned*)b, 1); atomicCAS((unsigned short*)b, 1, 2); atomicOr_block(b, 1);",
        "anonymous s; s.x = 1; s.y = 2; b[i] = s.x;",
        "b[i] = always(a[i]) + shadows() + sizeof(empty) + (a == NULL);",
        "const char* s = \"abc\"; b[i] = s[0] + 'ab' + 0x1p3f + 0b11;",
        "int (*p)(int) = always; b[i] = p(1) + [&](int x) { return x + a[i]; }(2);",
        "int q[2][3] = {}; b[i] = rows(q) + rows2(q);",
        "typedef int X; typedef int X; X x = a[i]; b[i] = x;;",
        "struct S S = {1}; b[i] = S.x + 1 / 0 + (1 << 40);",
    };
    std::string source =
        "struct __attribute__((packed)) P { char c; int n; }; struct S { int x; };\n"
        "struct anonymous { struct { int x; }; union { int y; float z; }; }; struct empty {}; "
        "__constant__ uchar4 bytes[1] = {{300, -1, 1, 2}}; __device__ P p;\n"
        "__device__ int get(const int& n) { return n; }\n"
        "__device__ __attribute__((always_inline)) int always(int x) { return x; }\n"
        "__device__ int shadows() { int always = 3; return always; }\n"
        "__device__ int rows(const int x[][3]) { return x[1][1]; }\n"
        "__device__ int rows2(const int (*x)[3]) { return x[1][1]; }\n"
        "__device__ int nothing(int x) { if (x) return; return 1; }\n"
        "#define TWICE 1\n#define TWICE 2\n#pragma of no meaning\n";
    for (std::size_t i = 0; i < std::size(bodies); ++i) source += kernel(i, bodies[i]);
    const Said said = said_of(native(source));
    EXPECT_EQ(said.host, "");
    EXPECT_EQ(said.nvrtc, "");
}

/// Expects that both compilers reject each body, at its line.
void expect_refused(std::span<const char* const> bodies, std::string_view before) {
    std::string source = fmt::format("{}\n", before);
    for (std::size_t i = 0; i < bodies.size(); ++i) source += kernel(i, bodies[i]);
    const Said said = said_of(native(source));
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        EXPECT_THAT(said.host, HasSubstr(fmt::format("k.cu:{}:", i + 2))) << bodies[i];
        EXPECT_THAT(said.nvrtc, HasSubstr(fmt::format("k.cu({}): error", i + 2))) << bodies[i];
    }
}

TEST_F(Dialect, BothRefuseExtensionsOfTheOther) {
    const char* const bodies[] = {"int n = a[0]; int v[n]; v[0] = 1; b[i] = v[0];",
                                  "int v[0]; b[i] = sizeof(v);",
                                  "struct F { int n; int v[]; }; b[i] = sizeof(F);",
                                  "S s = {.x = 1, .y = 2}; b[i] = s.x;",
                                  "S s = (S){1, 2}; b[i] = s.x;",
                                  "b[i] = ({ int q = 1; q; });",
                                  "b[i] = a[i] ?: 3;",
                                  "switch (a[i]) { case 0 ... 3: b[i] = 1; }",
                                  "void* p = b; b[i] = (int)(size_t)(p + 1);",
                                  "b[i] = sizeof(void);",
                                  "register int q = a[i]; b[i] = q;"};
    expect_refused(bodies, "struct S { int x, y; };");
}

TEST_F(Dialect, BothRefuseWhatIsWrong) {
    const char* const bodies[] = {
        "__shared__ size_t n; atomicAdd(&n, 1);",
        "atomicAdd((long*)b, 1);",
        "atomicAdd((long long*)b, 1);",
        "atomicAdd((short*)b, 1);",
        "atomicAdd((volatile int*)b, 1);",
        "atomicSub((unsigned long long*)b, 1);",
        "atomicSub((float*)b, 1);",
        "atomicMin((float*)b, 1);",
        "atomicExch((long long*)b, 1);",
        "atomicExch((double*)b, 1);",
        "atomicInc(b, 1);",
        "atomicCAS((float*)b, 1, 2);",
        "atomicCAS((short*)b, 1, 2);",
        "E e = a[i]; b[i] = e;",
        "E e = A; e++; b[i] = e;",
        "bool f = a[i]; f++; b[i] = f;",
        "for (int j = 0; j < 3; j++) { int j = 2; b[i] += j; }",
        "char v[3] = \"abc\"; b[i] = v[0];",
        "int v[2] = {[0] = 1, [2] = 3}; b[i] = v[0];",
        "if (a[i]) goto end; float4 v = make_float4(1, 2, 3, 4); b[i] = v.x; end: b[1] = 2;",
        "if (a[i]) goto end; S v = {1}; b[i] = v.x; end: b[1] = 2;",
        "int* p = a; p[0] = 1;",
        "int* p = a[i]; b[i] = *p;",
        "void* v = b; int* p = v; p[0] = 1;",
        "b[i] = min(a[i], 3ll) + abs(3u);",
        "float4 x = {1, 2, 3, 4, 5}; b[i] = x.x;",
        "const int q = 1; q = 2; b[i] = q;",
        "f4(make_float4(1, 2, 3, 4));",
        "int q = {1, 2}; b[i] = q + zork;"};
    expect_refused(
        bodies, "enum E { A, B }; struct S { int x; }; __device__ void f4(float4& x) { x.x = 1; }");
}

TEST_F(Dialect, BothRefuseWhatIsTooLarge) {
    for (const char* const before :
         {"__constant__ char v[65537] = {1};",
          "__constant__ char v[40000] = {1}; __constant__ char w[40000];"}) {
        const Said said =
            said_of(native(fmt::format("{}\n{}", before, kernel(0, "b[i] = v[i];"))), true);
        EXPECT_NE(said.host, "") << before;
        EXPECT_NE(said.nvrtc, "") << before;
    }
    const Said local =
        said_of(native(kernel(0, "__shared__ char s[49153]; s[i] = 1; b[i] = s[a[i]];")), true);
    EXPECT_NE(local.host, "");
    EXPECT_NE(local.nvrtc, "");
}

/// NVRTC takes what each kernel needs of a file with host code in it.
void expect_needed(const std::string& file, const std::string& source, std::size_t least) {
    std::size_t compiled = 0;
    for (const CudaKernel& kernel : cuda_kernels(file, source)) {
        if (!kernel.open.empty()) continue;
        Program program;
        program.name = file;
        program.source = device_code(file, kernel.needed);
        program.language = Language::native;
        program.name_expressions = {kernel.expression};
        EXPECT_NO_THROW(compile_for(program, 90)) << kernel.expression << "\n" << kernel.needed;
        ++compiled;
    }
    EXPECT_GE(compiled, least) << file;
}

TEST(NeededSource, HasWhatTheKernelUsesAndNothingOfTheHosts) {
    if (!nvrtc().available()) GTEST_SKIP() << nvrtc().problem();
    const std::string source = R"(#include <string>
#include <pthread.h>
#include <cuda_runtime.h>
#define CHECK(call) \
    do { if ((call) != cudaSuccess) exit(1); } while (0)
using namespace std;
#define SCALE 3
class Options {
public:
    string name;
    pthread_barrier_t barrier;
    Options(const string& text);
};
Options::Options(const string& text) : name(text) {}
typedef struct { float x, y; } Point;
typedef enum { first, second = 5 } Kind;
struct Host { string text; } host;
static pthread_t threads[4];
__constant__ float weights[second];
namespace math {
struct Wide { int begin, end; string label; };
struct Range { int begin, end; };
__device__ inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
template <typename T> __device__ T twice(T x) { return x + x; }
}
extern "C" {
__global__ void sum(const Point* in, Point* out, math::Range r) {
    using namespace math;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < r.end) out[i] = twice(in[i] + in[r.begin]);
}
}
// The words Options and Host are in a comment alone.
extern "C" __global__ void weighted(float* out) {
    const uint i = threadIdx.x;
    out[i] = fminf(weights[first] * SCALE, INFINITY) + FLT_MAX;
}
struct Late;
__device__ float late(const Late&);
class View {
public:
    static constexpr int per = 2;
    string label;
    struct Inner { int at; };
    View(const string& text);
    string name() const { return label; }
    int count() const { return 3; }
    __device__ static float at(const float* x, Inner i) { return x[per * i.at]; }
};
struct Late { float v; };
__device__ float late(const Late& l) { return l.v; }
float late(float x) { return x + threads[0]; }
#include <cuda_fp16.h>
namespace u { __device__ inline float squared(float x) { return x * x; } }
using u::squared;
template <class T> struct Vec {
    T v;
    Vec() = default;
};
namespace far { __global__ void outside(const float* x, float* y); }
__global__ void outside(const float* x, float* y) { y[0] = 7; }
__global__ void far::outside(const float* x, float* y) {
    const Late l{2};
    Vec<float> v;
    v.v = squared(x[2]);
    y[0] = v.v + View::at(x, View::Inner{1}) + late(l) + __half2float(__float2half(x[1]));
}
template <int N>
__global__ void filled(float* out) {
#pragma unroll
    for (int i = 0; i < N; ++i) out[i] = math::twice(float(N));
}
void run(Options* options, float* data) {
    CHECK(cudaMemset(data,
                     0, 4));
    filled<8><<<1, 1>>>(data);
    weighted<<<1, 5>>>(data);
}
)";
    expect_needed("host.cu", source, 5);
    std::vector<std::string> names;
    for (const CudaKernel& kernel : cuda_kernels("host.cu", source)) {
        names.push_back(kernel.expression);
        EXPECT_EQ(kernel.needed.find("class Options"), std::string::npos) << kernel.needed;
        EXPECT_EQ(kernel.needed.find("string label"), std::string::npos) << kernel.needed;
    }
    EXPECT_THAT(names, ::testing::Contains("far::outside"));
}

}  // namespace
}  // namespace parallax::cuda::dialect_test
