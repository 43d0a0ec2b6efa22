// The tool that runs CUDA texts on the host: what it computes, and what it finds fault with.
#include "mapping/tests/cuda_on_host.hpp"

#include <cstring>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"

namespace parallax::corpus::cuda_on_host_test {
namespace {

using ::testing::HasSubstr;

/// A kernel `k` of 64 items in two groups, from 64 ints to 64 ints.
Kernel kernel(const std::string& more = "") {
    const bool local = more.find("local") != std::string::npos;
    return read_kernels("x.cl", "//! in: int 64 iota\n//! out: int 64\n" + more +
                                    "//! launch: 64 by 32\n__kernel void k(__global const int* a, "
                                    "__global int* b" +
                                    (local ? ", __local int* c" : "") + ") {}\n")
        .kernels[0];
}

std::string text(const std::string& body) {
    return "extern \"C\" __global__ void k(const int* a, int* b) {\n"
           "  const int l = threadIdx.x, i = blockIdx.x * blockDim.x + l;\n" +
           body + "}\n";
}

std::vector<int> ran(const std::string& body, Order order = Order::ascending,
                     const std::string& more = "") {
    const HostLibrary library(text(body), {"k"});
    const std::vector<Bytes> buffers = library.run(kernel(more), order);
    std::vector<int> out(64);
    std::memcpy(out.data(), buffers[1].data(), 256);
    return out;
}

std::string complaint(const std::string& body, const std::string& more = "") {
    try {
        ran(body, Order::ascending, more);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(CudaOnHost, KnowsWhereAnItemStands) {
    const std::vector<int> out = ran("b[i] = a[i] + 1000 * gridDim.x + 100 * blockIdx.x;");
    for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], i + 2000 + 100 * (i / 32));
}

TEST(CudaOnHost, BarriersHold) {
    const std::string body =
        "__shared__ int t[32]; t[l] = a[i]; __syncthreads(); b[i] = t[31 - l];";
    const std::vector<int> up = ran(body), down = ran(body, Order::descending);
    EXPECT_EQ(up, down);
    EXPECT_EQ(up[0], 31);
    EXPECT_EQ(up[33], 62);
}

TEST(CudaOnHost, MissingBarrierShowsInOneOfTheOrders) {
    const std::string body = "__shared__ int t[32]; t[l] = a[i]; b[i] = t[31 - l];";
    EXPECT_NE(ran(body), ran(body, Order::descending));
}

TEST(CudaOnHost, FunctionsOfAWarp) {
    const std::vector<int> out = ran(
        "const int up = __shfl_up_sync(~0u, a[i], 1), x = __shfl_xor_sync(~0u, a[i], 3);\n"
        "const int all = __reduce_add_sync(~0u, 1), one = __shfl_sync(~0u, a[i], 5);\n"
        "const unsigned odd = __ballot_sync(~0u, l & 1);\n"
        "b[i] = (up == a[i] - (l > 0)) + 2 * (x == (a[i] ^ 3)) + 4 * (all == 32) +\n"
        "       8 * (one % 32 == 5) + 16 * (odd == 0xaaaaaaaau) + 32 * __all_sync(~0u, l < 32) +\n"
        "       64 * __any_sync(~0u, l > 31) + 128 * __shfl_down_sync(~0u, l == 31, 31);");
    for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], 63 + 128 * (i % 32 == 0 || i % 32 == 31)) << i;
}

TEST(CudaOnHost, AtomicsBitsAndConversions) {
    const std::vector<int> out =
        ran("__shared__ unsigned n; if (l == 0) n = 5; __syncthreads();\n"
            "if (i % 32 < 8) { atomicAdd(&n, 3u); } __syncthreads();\n"
            "const float f[4] = {2.5f, -3e9f, __int_as_float(0x7fc00000), 1e20f};\n"
            "switch (i) {\n"
            "case 0: b[i] = n; break;\n"
            "case 1: b[i] = __float2int_rn(f[0]); break;\n"
            "case 2: b[i] = __float2int_ru(f[0]); break;\n"
            "case 3: b[i] = __float2int_rz(f[1]); break;\n"
            "case 4: b[i] = __float2int_rz(f[2]); break;\n"
            "case 5: b[i] = __float2uint_rz(f[3]); break;\n"
            "case 6: b[i] = __clz(1) * 100 + __popc(0xffu); break;\n"
            "case 7: b[i] = __umulhi(0x80000000u, 6u); break;\n"
            "case 8: b[i] = __int2float_rz(0x7fffffff) == 2147483520.0f; break;\n"
            "case 9: b[i] = __int2float_rn(0x7fffffff) == 2147483648.0f; break;\n"
            "case 10: b[i] = max(-1, 1u) == ~0u; break;\n"
            "default: b[i] = 0; }");
    const std::vector<int> expected{29, 2, 3, INT32_MIN, 0, -1, 3108, 3, 1, 1, 1, 0};
    EXPECT_EQ(std::vector<int>(out.begin(), out.begin() + 12), expected);
}

TEST(CudaOnHost, DynamicSharedMemory) {
    const char* body =
        "extern __shared__ __align__(32) unsigned char dynamic_local[];\n"
        "int* c = reinterpret_cast<int*>(dynamic_local);\n"
        "c[l] = a[i]; __syncthreads(); b[i] = c[31 - l];";
    EXPECT_EQ(ran(body, Order::ascending, "//! local: 128\n")[0], 31);
    EXPECT_THAT(complaint(body, "//! local: 124\n"), HasSubstr("behind its 124 bytes"));
}

TEST(CudaOnHost, SomePtx) {
    const std::vector<int> out =
        ran("unsigned short h[4]; float f; unsigned lane; const float x[4] = {0.1f, 1e6f, 1e-7f, "
            "-1.0f};"
            "asm volatile(\"cvt.rn.f16.f32 %0, %1;\" : \"=h\"(h[0]) : \"f\"(x[i & 3]));\n"
            "asm(\"cvt.rp.f16.f32 %0, %1;\" : \"=h\"(h[1]) : \"f\"(x[i & 3]) : \"memory\");\n"
            "asm(\"{ cvt.f32.f16 %0, %1;}\" : \"=f\"(f) : \"h\"(h[0]));\n"
            "asm volatile(\"mov.u32 %0, %%laneid;\" : \"=r\"(lane));\n"
            "b[i] = i >= 8 ? (int)lane : i >= 4 ? h[1] : i == 3 ? (int)f : h[0];");
    EXPECT_EQ(std::vector<int>(out.begin(), out.begin() + 9),
              (std::vector<int>{0x2e66, 0x7c00, 0x0002, -1, 0x2e67, 0x7c00, 0x0002, 0xbc00, 8}));
    EXPECT_THAT(complaint("int x; asm(\"bar.red %0, %1;\" : \"=r\"(x) : \"r\"(l));"),
                HasSubstr("bar.red"));
}

TEST(CudaOnHost, FindsWhatIsWrong) {
    EXPECT_THAT(complaint("if (l == 0) return; __syncthreads();"),
                HasSubstr("31 items wait at a barrier and 1 have returned"));
    EXPECT_THAT(complaint("if (i == 63) b[64] = 1;"), HasSubstr("outside its buffer 2"));
    EXPECT_THAT(complaint("if (i == 0) b[-1] = 1;"), HasSubstr("outside its buffer 2"));
    EXPECT_THAT(complaint("b[i] = nothing_of_the_kind(a[i]);"), HasSubstr("nothing_of_the_kind"));
    EXPECT_THAT(complaint("__trap();"), HasSubstr("it trapped"));
    EXPECT_EQ(complaint("b[i] = 0;"), "");
}

TEST(CudaOnHost, SaysWhichKernelIsMissing) {
    const HostLibrary library(text("b[i] = 0;"), {"k"});
    Kernel other = kernel();
    other.name = "other";
    EXPECT_THROW(library.run(other, Order::ascending), Error);
}

}  // namespace
}  // namespace parallax::corpus::cuda_on_host_test
