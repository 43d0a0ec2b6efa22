// Tests that CUDA code and its translation to OpenCL C give the same bits, where the two languages
// part without saying so.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/device/devices.hpp"
#include "common/error.hpp"
#include "common/tests/devices_here.hpp"
#include "common/tests/thorough.hpp"
#include "mapping/analyze/value_type.hpp"
#include "mapping/cuda/device_code.hpp"
#include "mapping/from_cuda/cuda_kernels.hpp"
#include "mapping/from_cuda/to_opencl.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax::from_cuda_test {
namespace {

constexpr std::size_t items = 64;

/// Of two ints, unsigned ints, floats and doubles, and a long long.
constexpr const char* expressions[] = {
    // Functions of integers.
    "__popc(u)", "__popcll(m)", "__clz(a)", "__clzll(m)", "__ffs(a)", "__ffsll(m)", "__brev(u)",
    "__mul24(a, b)", "__umul24(u, v)", "__mulhi(a, b)", "__umulhi(u, v)", "__hadd(a, b)",
    "__rhadd(a, b)", "__uhadd(u, v)", "__funnelshift_l(u, v, v)", "__funnelshift_r(u, v, u)",
    "min(a, b)", "max(u, v)", "min(a, v)", "max(u, b)", "abs(a | 1)", "min(m, -m)",
    "__sad(a, b, u)", "__usad(u, v, u)", "m < LLONG_MAX", "bits(scalbnf(x, 3))",
    // Integers of C and C++.
    "a / (b | 1)", "a % (b | 1)", "a >> 3", "u >> 3", "c >> 1", "c < 0", "a < v", "a + u > 0",
    "(unsigned char)a", "(short)b", "u * v + u", "u - v", "m >> 7", "(a < b) + (u < v)",
    "sizeof(float3)", "sizeof(double4)", "sizeof(long)", "sizeof('x')", "sizeof(a < b)",
    "sizeof(Pair)", "threadIdx.x - 70", "threadIdx.x - 70 > 0", "blockIdx.x * blockDim.x - 1",
    "kind > -1",
    // Floats.
    "bits(min(x, y))", "bits(max(x, y))", "bits(fminf(x, y))", "bits(abs(x))", "bits(fmax(p, q))",
    "bits(floorf(x))", "bits(ceil(p))", "bits(rintf(x))", "bits(roundf(x))", "bits(truncf(y))",
    "bits(copysignf(x, y))", "bits(fmodf(x, y))", "bits(x * y)", "bits(p * q)", "bits(x / y)",
    "bits(sqrtf(fabsf(x)))", "bits(fmaf(x, y, x))", "bits(__saturatef(x))", "isnan(x)", "isinf(y)",
    "bits(__int_as_float(a))", "__float_as_int(x)", "x == y", "x != x", "bits(x > y ? x : y)",
    "bits((float)u)", "bits((float)a)", "bits((double)m)", "bits((float)p)",
    // Conversions with a mode.
    "__float2int_rn(x)", "__float2int_rz(x)", "bits(__int2float_rn(a))", "bits(__int2float_rz(a))",
    "__double2int_rn(p)", "__double2int_rz(p)", "__double2int_ru(p)", "__double2int_rd(p)",
    "__double2uint_rn(p)", "__double2uint_rz(p)", "__double2uint_ru(p)", "__double2uint_rd(p)",
    "__double2ll_rn(p)", "__double2ll_rz(p)", "__double2ll_ru(p)", "__double2ll_rd(p)",
    "__double2ull_rn(p)", "__double2ull_rz(p)", "__double2ull_ru(p)", "__double2ull_rd(p)",
    "__float2ll_rn(x)", "__float2ll_rz(x)", "__float2ll_ru(x)", "__float2ll_rd(x)",
    "__float2ull_rn(x)", "__float2ull_rz(x)", "__float2ull_ru(x)", "__float2ull_rd(x)"};

std::string source() {
    std::string text =
        "struct Pair { char c; float3 v; double d; };\n"
        "enum Kind { none, some };\n"
        "__device__ unsigned bits(float x) { return isnan(x) ? 1u : __float_as_uint(x); }\n"
        "__device__ unsigned long long bits(double x) {\n"
        "  return isnan(x) ? 1ull : (unsigned long long)__double_as_longlong(x); }\n"
        "extern \"C\" __global__ void k(const int* is, const float* fs, const double* ds,\n"
        "                             unsigned long long* out) {\n"
        "  const int t = threadIdx.x, t2 = (t * 7 + 3) % 64;\n"
        "  const int a = is[t], b = is[t2]; const unsigned u = a, v = b;\n"
        "  const float x = fs[t], y = fs[t2]; const double p = ds[t], q = ds[t2];\n"
        "  const long long m = (long long)a * b; const char c = (char)a;\n"
        "  const Kind kind = some;\n";
    std::size_t n = 0;
    for (const char* const one : expressions) {
        text += fmt::format("  out[{} + t] = (unsigned long long)({});\n", n++ * items, one);
    }
    return text + "}\n";
}

std::vector<std::uint64_t> answers(Device& device, const Program& program) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const std::vector<int> ends{
        0, 1, -1, 2, -2, 7, -7, 255, -128, 0x7fffffff, -0x7fffffff - 1, 0x800000};
    const std::vector<float> special{0.0f,  -0.0f,   1.5f,       -2.5f,     0.5f,
                                     1e30f, -1e-40f, infinity,   -infinity, std::nanf(""),
                                     3e9f,  -3e9f,   16777217.0f};
    std::vector<int> is(items);
    std::vector<float> fs(items);
    std::vector<double> ds(items);
    std::uint32_t state = 1;
    for (std::size_t i = 0; i < items; ++i) {
        state = state * 1664525u + 1013904223u;
        is[i] = i < ends.size() ? ends[i] : static_cast<int>(state);
        fs[i] = i < special.size() ? special[i]
                                   : static_cast<float>(static_cast<int>(state)) / 65536.0f;
        ds[i] = i < special.size() ? static_cast<double>(special[i])
                                   : 1.0 / (1.0 + static_cast<double>(i));
    }
    std::vector<std::uint64_t> out(items * std::size(expressions), 0xdead);
    const auto code = device.compile(program, "k");
    std::vector<std::shared_ptr<Memory>> memory;
    const auto add = [&](const auto& values) {
        memory.push_back(device.allocate(values.size() * sizeof(values[0])));
        device.write(*memory.back(), std::as_bytes(std::span(values)));
    };
    add(is);
    add(fs);
    add(ds);
    add(out);
    const Command command{Dispatch{code, Geometry{.groups = {1, 1, 1}, .items = {items, 1, 1}},
                                   std::vector<Argument>(memory.begin(), memory.end())}};
    device.run(std::span(&command, 1));
    device.read(*memory.back(), std::as_writable_bytes(std::span(out)));
    return out;
}

TEST(FromCuda, MeansTheSameInBothLanguages) {
    std::string text;
    try {
        text = to_opencl("k.cu", source(), {}, false).text;
    } catch (const Unsupported& error) {
        GTEST_SKIP() << error.what();
    }
    const auto opencl = test::devices_of("opencl");
    const auto cuda = test::devices_of("host");
    if (opencl.empty() || cuda.empty()) GTEST_SKIP() << "it takes an OpenCL device and the host";
    Program original{.name = "k.cu", .source = source(), .language = Language::native, .type = {}};
    const auto expected = answers(*cuda.front().open(), original);
    const auto got = answers(*opencl.front().open(), {.name = "k.cl", .source = text, .type = {}});
    for (std::size_t e = 0; e < std::size(expressions); ++e) {
        for (std::size_t i = 0; i < items; ++i) {
            const std::size_t at = e * items + i;
            EXPECT_EQ(got[at], expected[at]) << expressions[e] << " of item " << i;
            if (got[at] != expected[at]) break;
        }
    }
}

/// Sources in which a name, a macro or a statement means in C what it does not in C++. A kernel gets
/// 64 numbers, and writes one for each.
constexpr const char* parting[] = {
    // One name for several: of namespaces, classes, templates, enums and variables.
    R"(namespace a { struct P { float v; }; constexpr int k = 1; __device__ int f() { return k; }
  using T = int; namespace b { enum E { one = 7 }; } }
namespace c { struct P { double v; }; constexpr int k = 2; __device__ int f() { return k; }
  using T = double; enum E { one = 5 }; }
namespace { struct Q { int v; }; constexpr int hidden = 6; }
struct Tile { static constexpr int n = 16; struct P { short v; }; };
template <int K> struct Twice { static constexpr int n = K * 2; };
template <typename A, typename B> struct is_same { static constexpr bool value = false; };
template <typename A> struct is_same<A, A> { static constexpr bool value = true; };
enum Color { GREEN, RED }; enum class Way { RED = 9 };
constexpr int n = 5; const float w = 2.5f;
__device__ int plus(int a, int b = n) { return a + b; }
__device__ int own(int n) { return n * ::n; }
__device__ int size(a::T* p) { return sizeof(*p); }
__device__ int size(c::T* p) { return sizeof(*p); }
struct V { int a; }; __device__ V operator+(V p, V q) { return {p.a + q.a}; }
__device__ int add(int a) { return a * 100; }
__device__ int sums(int v) { __shared__ int s[64]; s[threadIdx.x] = v; __syncthreads();
  int r = s[63 - threadIdx.x]; __syncthreads(); return r; }
extern "C" __global__ void k(const int* x, int* y) {
  const int i = threadIdx.x, v = x[i];
  int r = plus(v); r = r * 3 + Color::RED + (int)Way::RED + a::b::one + c::one;
  { int n = 100, RED = 7, value = 3, w = 4, f = 2, s = 8, add = 9, plus = 1; V p{v}, q{add};
    r = r * 3 + ::n + n + Color::RED + RED + is_same<int, int>::value + 10 * value;
    r = r * 3 + ::plus(v) + Tile::n + Twice<4>::n + (int)(::w * 2) + w + a::f() + 10 * c::f() + f;
    r = r * 3 + (p + q).a + ::add(v) + sums(s + v) + plus; }
  a::T t = v; c::T d = v; Q h{v}; Q* g = &h; int Tile = 3, k = 4, P = 5; struct Tile::P u{6};
  r = r * 3 + size(&t) + 10 * size(&d) + g->v + hidden + Tile + k + P + u.v + own(v);
  y[i] = r + sizeof(a::P) + 100 * sizeof(c::P) + a::k + 10 * c::k;
})",
    // Words of OpenCL C.
    R"(struct event_t { int kernel; }; enum { half = 2 };
namespace global { constexpr int local = 3; __device__ int kernel(int a) { return a + local; } }
__device__ int barrier(int a) { return a + 1; }
__device__ int select(int a, int b, int c) { return c ? a : b; }
template <typename generic, int pipe> __device__ generic quad(generic a) { return a + pipe; }
extern "C" __global__ void k(const int* x, int* y) {
  const int i = threadIdx.x, v = x[i]; event_t q{v};
  int local = 1, local_ = 2, uchar4 = 3, as_int = 4, CLK_LOCAL_MEM_FENCE = 5, kernel = 6;
  __syncthreads();
  y[i] = local + local_ * 10 + uchar4 + as_int + CLK_LOCAL_MEM_FENCE + kernel + q.kernel + half +
         global::kernel(v) + barrier(v) + select(1, 2, v & 1) + quad<int, 4>(v);
})",
    // Macros of the words that the translation writes, and of what it leaves out.
    R"(typedef int integer; namespace q { constexpr int z = 4; } constexpr int z = 3;
#define round(x) ((int)((x) + 0.5f))
#define get_local_id(x) (x + 100)
#define H(x) ((integer)(x))
#define DEF(n, op) __device__ int f_##n(int a, int b) { return a op b; }
#define BOTH(a, b) ((a) and (b))
#define L __LINE__
#define Z q::z + z
DEF(plus, +)
DEF(times, *)
extern "C" __global__ void k(const int* x, int* y) {
  const int i = threadIdx.x, v = x[i]; int z = 2, r = round(v * 0.3f) * 10 + (int)roundf(v * 0.6f);
  r = r * 3 + get_local_id(1) + threadIdx.x + H(v * 70000.5f) / 2 + Z + ::z;
  r = r * 3 + f_plus(v, 3) + f_times(v, 3) + BOTH(v > 1, v < 9) + (not v) + (v bitand 3) + L;
#if defined(__cplusplus) && __cplusplus >= 201703L && __CUDA_ARCH__ >= 750
  r += 7;
#endif
  y[i] = r;
})",
    // A macro that is no condition.
    R"(extern "C" __global__ void k(const int* x, int* y) {
  y[threadIdx.x] = x[threadIdx.x] + (__CUDA_ARCH__ >= 700) + __LINE__; })",
    // Statements and expressions.
    R"(struct P { int a, b; }; struct alignas(16) Q { int a; }; struct R { char c; alignas(8) int b; };
typedef int __attribute__((aligned(16))) aint; struct S { char a; aint b; };
__device__ P make(int* y, int v) { *y = v + 1; return {v, 2}; }
__device__ int none(int* y, int v) { auto [a, b] = make(y, v); return 3; }
__device__ int sum() { return 0; }
template <typename T, typename... U> __device__ int sum(T a, U... r) { return a + 10 * sum(r...); }
template <int N> __device__ int least(unsigned u) { return (int)(((N + u) / 3) & 0xffff); }
template <unsigned long long N> __device__ int most(int v) { return (int)((N - v) >> 60); }
template <int N> __device__ int branch(int a) {
  if (a > 3) if constexpr (N == 1) a = 1; else { char c = '}'; a = c; } else a = 3;
  return a; }
__shared__ int2 pair;
__device__ int alias(const int& a) { int b = a; pair.x = 50; return a + b; }
__device__ int text(int v) { return v == 100 ? printf("%%s %d %5.2f%%\n", v, 1.5) : v; }
extern "C" __global__ void k(const int* x, int* y) {
  const int i = threadIdx.x, v = x[i];
  int a = v, b = 2, r = 0, t[2] = {v, 3}; assert(++a != 1000 && "small"); assert(b);
  r += none(&y[i], v) + y[i] + a;
  v > 3 ? a = 5 : b = 6; (a += 2) > 5 ? r += a : r -= b;
  int2 c, d, e; c = d = make_int2(v, 2); (c = d).x = 7; e = c; r = r * 3 + c.x + d.x + e.y;
  switch (v & 3) { case 0: r += 1; [[fallthrough]]; case 1: r += 2; break; default: r += 9; }
  auto& [f, g] = t; f += 2; g *= 3; auto [h, j] = make(&b, v); r = r * 3 + t[0] + t[1] + h + j + b;
  bool q = v & 256; q |= v & 512; r = r * 3 + q + sizeof(Q) + sizeof(R) + sizeof(S);
  r = r * 3 + sum(v, 2, 3) + least<-2147483647 - 1>(v) + most<18446744073709551615ULL>(v & 7);
  r = r * 3 + branch<1>(v) + 10 * branch<2>(v) + 0b1011 + (v & 0B11u) + 1'000 + text(v);
  r = r * 3 + lroundf(v * 0.5f) + llrintf(v * 0.5f) + __funnelshift_rc(v, 3, 40) +
      __funnelshift_lc(v, 3, 33);
  __syncthreads(); pair = make_int2(1, 2); __syncthreads();
  if (i == 0) r += alias(pair.x);
  y[i] = r;
})"};

TEST(FromCuda, NamesMacrosAndStatementsMeanTheSame) {
    const auto opencl = test::devices_of("opencl");
    const auto cuda = test::devices_of("host");
    if (opencl.empty() || cuda.empty()) GTEST_SKIP() << "it takes an OpenCL device and the host";
    const auto pocl = opencl.front().open(), host = cuda.front().open();
    const auto numbers = [](Device& device, const Program& program) {
        std::vector<std::int32_t> in(items), out(items);
        for (std::size_t i = 0; i < items; ++i) in[i] = static_cast<std::int32_t>(i * i) - 20;
        const auto x = device.allocate(items * 4), y = device.allocate(items * 4);
        device.write(*x, std::as_bytes(std::span(in)));
        const Command command{
            Dispatch{device.compile(program, "k"),
                     Geometry{.groups = {1, 1, 1}, .items = {items, 1, 1}}, {x, y}}};
        device.run(std::span(&command, 1));
        device.read(*y, std::as_writable_bytes(std::span(out)));
        return out;
    };
    for (const std::string source : parting) {
        SCOPED_TRACE(source.substr(0, 60));
        try {
            const std::string text = to_opencl("k.cu", source, {}, false).text;
            const auto expected = numbers(
                *host,
                {.name = "k.cu", .source = source, .language = Language::native, .type = {}});
            EXPECT_EQ(numbers(*pocl, {.name = "k.cl", .source = text, .type = {}}), expected)
                << text;
        } catch (const Unsupported& error) {
            GTEST_SKIP() << error.what();
        } catch (const BuildFailed& error) {
            ADD_FAILURE() << error.what() << "\n" << error.log;
        } catch (const Refused& error) {
            ADD_FAILURE() << error.what();
        }
    }
}

/// What the host's compiler gets in place of a header that it does not have.
constexpr const char* groups_for_the_host =
    "namespace cooperative_groups { struct thread_block {\n"
    "  void sync() const { __syncthreads(); }\n"
    "  unsigned thread_rank() const { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x "
    "+ threadIdx.x; }\n"
    "  unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }\n"
    "  dim3 thread_index() const { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }\n"
    "  dim3 group_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); } };\n"
    "__device__ thread_block this_thread_block() { return {}; }\n"
    "__device__ void sync(const thread_block& one) { one.sync(); } }\n";

constexpr const char* images_and_groups =
    "namespace cg = cooperative_groups;\n"
    "struct Places { const float* x; const float* y; int count; };\n"
    "__device__ float4 texel(cudaTextureObject_t image, float x, float y) {\n"
    "  return tex2D<float4>(image, x, y); }\n"
    "template <typename T> struct Dynamic {\n"
    "  __device__ operator T*() { extern __shared__ int memory[]; return (T*)memory; } };\n"
    "extern \"C\" __global__ void k(Places at, cudaTextureObject_t image, cudaTextureObject_t "
    "line,\n"
    "    cudaSurfaceObject_t to, int* sum, unsigned* out) {\n"
    "  cg::thread_block block = cg::this_thread_block();\n"
    "  const unsigned t = block.thread_rank();\n"
    "  unsigned* shared = Dynamic<unsigned>();\n"
    "  const float4 a = texel(image, at.x[t], at.y[t]);\n"
    "  shared[t] = __float_as_uint(a.x) ^ __float_as_uint(a.w) << 1;\n"
    "  cg::sync(block);\n"
    "  out[t] = shared[block.size() - 1 - t] + tex1Dfetch<short>(line, t % at.count);\n"
    "  out[64 + t] = block.thread_index().y * 100 + block.group_index().x;\n"
    "  surf2Dwrite(make_uchar4(t, t + 1, t * 3, 200), to, block.thread_index().x * 4,\n"
    "              block.thread_index().y);\n"
    "  atomicAdd_system(sum, (int)t); atomicMax_block(sum + 1, (int)t);\n"
    "}\n";

/// What the kernel leaves in its buffers and its image, one after another.
std::vector<std::byte> left_by(Device& device, const Program& program, bool is_cuda) {
    std::vector<float> xs(64), ys(64), texels(std::size_t{8} * 8 * 4);
    for (std::size_t i = 0; i < texels.size(); ++i)
        texels[i] = static_cast<float>(i) * 0.37f - 20.0f;
    for (std::size_t i = 0; i < 64; ++i) {  // outside as well: the nearest texel is read
        xs[i] = static_cast<float>(i % 11) * 0.95f - 1.3f;
        ys[i] = static_cast<float>(i % 13) * 0.8f - 0.7f;
    }
    const std::vector<std::int16_t> line{1, -2, 3, -30000, 30000, 7};
    const std::vector<std::int32_t> zeros(130);
    const auto buffer = [&](const auto& values) {
        auto made = device.allocate(values.size() * sizeof(values[0]));
        device.write(*made, std::as_bytes(std::span(values)));
        return made;
    };
    const auto image =
        device.allocate_image({.width = 8, .height = 8, .channels = 4}, ElementType::f32);
    device.write(*image, std::as_bytes(std::span(texels)));
    const auto short_line = device.allocate_image({.width = line.size()}, ElementType::i16);
    device.write(*short_line, std::as_bytes(std::span(line)));
    const auto to = device.allocate_image(
        {.width = 8, .height = 8, .channels = 4, .is_written = true}, ElementType::u8);
    const auto x = buffer(xs), y = buffer(ys), sum = buffer(zeros), out = buffer(zeros);
    std::vector<Argument> arguments;
    if (is_cuda) {
        arguments = {x, y, Scalar(6), image, short_line, to, sum, out, LocalBytes{64 * 4}};
    } else {
        const Sampler edge;
        const std::uint32_t bits = edge.bits();
        const auto* const first = reinterpret_cast<const std::byte*>(&bits);
        const VectorValue sampler{"sampler_t", {first, first + sizeof(bits)}};
        arguments = {x,          y,  Scalar(6), image, Scalar(sampler),
                     short_line, to, sum,       out,   LocalBytes{64 * 4}};
    }
    const auto code = device.compile(program, "k");
    const Command command{
        Dispatch{code, Geometry{.groups = {1, 1, 1}, .items = {8, 8, 1}}, std::move(arguments)}};
    device.run(std::span(&command, 1));
    std::vector<std::byte> all;
    for (const auto& one : {out, sum, to}) {
        std::vector<std::byte> bytes(one->bytes());
        device.read(*one, bytes);
        all.insert(all.end(), bytes.begin(), bytes.end());
    }
    return all;
}

TEST(FromCuda, ImagesAndGroupsMeanTheSameInBothLanguages) {
    std::string text;
    try {
        text = to_opencl("k.cu", images_and_groups, {}, false).text;
    } catch (const Unsupported& error) {
        GTEST_SKIP() << error.what();
    }
    const auto opencl = test::devices_of("opencl");
    const auto cuda = test::devices_of("host");
    if (opencl.empty() || cuda.empty()) GTEST_SKIP() << "it takes an OpenCL device and the host";
    // The host's kernel gets the members of the struct one by one, as OpenCL's does.
    std::string original = images_and_groups;
    const auto replace = [&](std::string_view from, std::string_view to) {
        original.replace(original.find(from), from.size(), to);
    };
    replace("k(Places at,", "k(const float* x, const float* y, int count,");
    replace("  cg::thread_block block",
            "  const Places at{x, y, count};\n  cg::thread_block block");
    const Program program{.name = "k.cu",
                          .source = groups_for_the_host + original,
                          .language = Language::native,
                          .type = {}};
    const auto expected = left_by(*cuda.front().open(), program, true);
    const auto got =
        left_by(*opencl.front().open(), {.name = "k.cl", .source = text, .type = {}}, false);
    EXPECT_EQ(got, expected);
}

/// Numbers that any kernel takes for data, indices and sizes.
void fill(std::vector<std::byte>& bytes, std::string_view element, std::uint32_t& state) {
    const std::size_t size = element_bytes(element);
    for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
        state = state * 1664525u + 1013904223u;
        const std::int64_t whole = state >> 28;
        const double part = static_cast<double>(state >> 8) / (1 << 24);
        const auto narrow = static_cast<float>(part);
        const void* from = element == "double"  ? static_cast<const void*>(&part)
                           : element == "float" ? static_cast<const void*>(&narrow)
                                                : &whole;
        std::memcpy(&bytes[at], from, size);
    }
}

/// What a kernel leaves in its buffers, of inputs that are the same for each call.
/// @returns nothing where a parameter is of no known type
std::optional<std::vector<std::vector<std::byte>>> left_by(Device& device, const Program& program,
                                                           const CudaKernel& kernel,
                                                           const std::string& name) {
    const auto code = device.compile(program, name);
    std::vector<std::vector<std::byte>> buffers;
    std::vector<std::shared_ptr<Memory>> memory;
    std::vector<Argument> arguments;
    std::uint32_t state = 7;
    for (const parallax::Parameter& one : kernel.signature.parameters) {
        const auto type = value_type_named(one.type);
        if (!type || one.kind == parallax::Parameter::Kind::image) return {};
        std::vector<std::byte> bytes(std::size_t{1} << 16);
        fill(bytes, type->element, state);
        if (one.kind != parallax::Parameter::Kind::scalar) {
            memory.push_back(device.allocate(bytes.size()));
            device.write(*memory.back(), bytes);
            arguments.emplace_back(memory.back());
            buffers.push_back(std::move(bytes));
        } else if (type->width == 1 && one.type == "float") {
            arguments.emplace_back(Scalar(0.75f));
        } else if (type->width == 1 && one.type == "double") {
            arguments.emplace_back(Scalar(0.75));
        } else if (type->width == 1 && element_bytes(one.type) == 4) {
            arguments.emplace_back(Scalar(std::int32_t{48}));
        } else if (type->width == 1 && element_bytes(one.type) == 8) {
            arguments.emplace_back(Scalar(std::int64_t{48}));
        } else {
            return {};
        }
    }
    for (std::size_t i = 0; i < kernel.shared.size(); ++i) {
        arguments.emplace_back(LocalBytes{std::size_t{1} << 12});
    }
    const auto threads = [&](std::size_t d) {
        return kernel.items[d] != 0 ? kernel.items[d] : d == 0 ? 32u : 1u;
    };
    const Command command{Dispatch{
        code,
        {.groups = {2, threads(1) > 1 ? 2u : 1u, 1}, .items = {threads(0), threads(1), threads(2)}},
        arguments}};
    device.run(std::span(&command, 1));
    for (std::size_t i = 0; i < memory.size(); ++i) device.read(*memory[i], buffers[i]);
    return buffers;
}

// CUDA's own sources go to OpenCL C, which PoCL compiles, and back to CUDA.
TEST(FromCuda, CudaComesBackAsCuda) {
    const auto opencl = test::devices_of("opencl");
    const auto cuda = test::devices_of("host");
    if (opencl.empty() || cuda.empty()) GTEST_SKIP() << "it takes an OpenCL device and the host";
    const auto pocl = opencl.front().open(), host = cuda.front().open();
    std::size_t files = 0, refused = 0, kernels = 0, same = 0;
    std::set<std::filesystem::path> paths;
    for (const char* const folder : {"/suites/manifest/tests/kernels", "/docs/examples"}) {
        for (const auto& one :
             std::filesystem::recursive_directory_iterator(std::string(SOURCE_ROOT) + folder)) {
            if (one.path().extension() == ".cu") paths.insert(one.path());
        }
    }
    for (const std::filesystem::path& path :
         test::every_nth(std::vector(paths.begin(), paths.end()), 3)) {
        SCOPED_TRACE(path.filename());
        std::ifstream stream(path);
        const std::string source{std::istreambuf_iterator<char>(stream), {}};
        ++files;
        OpenClTranslation made;
        try {
            made = to_opencl("k.cu", source, {}, false);
        } catch (const Unsupported& error) {
            GTEST_SKIP() << error.what();
        } catch (const Refused& error) {
            ++refused;
            fmt::print("{} refused: {}\n", path.filename().string(),
                       std::string(error.what()).substr(0, 160));
            continue;
        }
        Program original{.name = "k.cu",
                         .source = device_code("k.cu", source),
                         .language = Language::native,
                         .type = {}};
        const Program there{.name = "k.cl", .source = made.text, .type = {}};
        const Program back{.name = "b.cu",
                           .source = to_cuda("k.cl", made.text, {}).text(),
                           .language = Language::native,
                           .type = {}};
        const auto all = cuda_kernels("k.cu", source);
        for (const CudaKernel& one : all) {
            if (one.open.empty()) original.name_expressions.push_back(one.expression);
        }
        for (const CudaKernel& one : all) {
            if (!one.open.empty() || !made.has_kernel) continue;
            ++kernels;
            const auto named = std::ranges::find(made.kernels, one.expression,
                                                 &std::pair<std::string, std::string>::first);
            ASSERT_NE(named, made.kernels.end()) << one.expression;
            try {
                pocl->compile(there, named->second);
                if (!one.symbols.empty()) continue;  // a parameter more than the original's
                const auto wanted = left_by(*host, original, one, one.expression);
                if (!wanted) continue;
                EXPECT_TRUE(wanted == left_by(*host, back, one, named->second))
                    << one.expression << "\n"
                    << back.source;
                ++same;
            } catch (const BuildFailed& error) {
                ADD_FAILURE() << error.what() << "\n" << error.log << made.text;
            }
        }
    }
    fmt::print("{} files, {} refused; {} kernels, {} run both ways\n", files, refused, kernels,
               same);
    EXPECT_LE(refused, 5u);
    EXPECT_GE(same, test::is_thorough() ? 7u : 2u);
}

}  // namespace
}  // namespace parallax::from_cuda_test
