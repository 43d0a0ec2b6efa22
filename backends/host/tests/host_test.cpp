// Tests the host backend: its results, and the errors that it detects.
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/host/host_library.hpp"
#include "backends/host/host_source.hpp"
#include "backends/host/tests/launched.hpp"
#include "common/device/devices.hpp"
#include "common/error.hpp"
#include "common/tests/devices_here.hpp"
#include "common/text/temporary_folder.hpp"

namespace parallax::host::host_test {
namespace {

using namespace host::test;
using ::testing::HasSubstr;

TEST(Sanitizers, FindNoRoomWhereADriverHasTakenTheirAddresses) {
    const std::string program =
        "55e000000000-55e000001000 r-xp 00000000 08:01 1 /usr/bin/parallax\n"
        "7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0 [stack]\n";
    EXPECT_FALSE(takes_shadow(program));
    // The observed mappings of CUDA.
    EXPECT_TRUE(takes_shadow("200000000-200600000 ---p 00000000 00:00 0\n" + program));
    EXPECT_TRUE(takes_shadow(program + "010000000000-010000a00000 ---p 00000000 00:00 0\n"));
    EXPECT_FALSE(takes_shadow("00400000-00500000 r-xp 00000000 08:01 1 /usr/bin/static\n"));
    EXPECT_FALSE(takes_shadow(""));
}

TEST(Host, ABuildRunsNoConstructorOfTheSource) {
    static constexpr const char* variable = "PARALLAX_TEST_OF_CONSTRUCTORS";
    unsetenv(variable);
    const auto device = entries().at(0).open();
    const Command launch{Dispatch{
        device->compile({.name = "k.cu",
                         .source = "extern \"C\" int setenv(const char*, const char*, int);\n"
                                   "const int ran = setenv(\"PARALLAX_TEST_OF_CONSTRUCTORS\", "
                                   "\"1\", 1);\n"
                                   "extern \"C\" __global__ void k() {}\n",
                         .language = Language::native},
                        "k"),
        {{1, 1, 1}, {1, 1, 1}},
        {}}};
    EXPECT_EQ(std::getenv(variable), nullptr);
    device->run(std::span(&launch, 1));
    EXPECT_NE(std::getenv(variable), nullptr) << "the test tries nothing";
    unsetenv(variable);
}

TEST(Host, KnowsWhereAnItemStands) {
    const std::vector<int> out = ran("b[i] = a[i] + 1000 * gridDim.x + 100 * blockIdx.x;");
    for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], i + 2000 + 100 * (i / 32));
}

TEST(Host, BarriersHoldInWhateverOrder) {
    for (const std::vector<int>& out :
         launched("__shared__ int t[32]; t[l] = a[i]; __syncthreads(); b[i] = t[31 - l];", 20)) {
        for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], 32 * (i / 32) + 31 - i % 32);
    }
}

TEST(Host, EveryLaunchHasAnotherOrderOfItems) {
    const std::string body = "__shared__ int n; if (i == 0) b[63] = 0; b[i] = atomicAdd(&n, 1);";
    const auto one = launched(body, 5), again = launched(body, 5);
    EXPECT_NE(one[0], one[1]);
    EXPECT_NE(one[1], one[2]);
    EXPECT_NE(one, again) << "two runs that are held against each other have other orders";
    // A different source for the host, whose launches are counted from one.
    EXPECT_EQ(launched(body + " // as in the next process\n", 5), one);
}

TEST(Host, GroupsThatRunAtOnceShareNothing) {
    // Enough work-items for several threads, each with a copy of what a work-group shares.
    const auto device = entries().at(0).open();
    const auto code = device->compile(
        {.name = "k.cu",
         .source = "template <class N> __device__ N turned(N x) {\n"
                   "  __shared__ N all[256]; all[threadIdx.x] = x; __syncthreads();\n"
                   "  return all[255 - threadIdx.x]; }\n"
                   "extern \"C\" __global__ void k(int* b) {\n"
                   "  const int own = blockIdx.x * 256 + threadIdx.x;\n"
                   "  b[own] = turned(__shfl_xor_sync(0xffffffffu, own, 1)); }\n",
         .language = Language::native},
        "k");
    const unsigned count = 1u << 18;
    const auto b = device->upload(HostArray(ElementType::i32, count));
    const Command command{Dispatch{code, {{count / 256, 1, 1}, {256, 1, 1}}, {b}}};
    device->run(std::span(&command, 1));
    const HostArray out = device->download(*b, ElementType::i32);
    unsigned wrong = 0;
    for (unsigned i = 0; i < count; ++i)
        wrong +=
            out.as<std::int32_t>()[i] != static_cast<int>((i / 256 * 256 + 255 - i % 256) ^ 1U);
    EXPECT_EQ(wrong, 0u);
}

TEST(Host, AMissingBarrierShows) {
    for (const std::vector<int>& out :
         launched("__shared__ int t[32]; t[l] = a[i]; b[i] = t[31 - l];", 5)) {
        EXPECT_NE(std::pair(out[0], out[31]), std::pair(31, 0))
            << "the first one found unwritten values";
    }
}

/// The number of wrong results in eight launches of one work-group of two warps.
int wrong_of_two_warps(const std::string& body, const std::vector<int>& right) {
    int wrong = 0;
    for (const auto& out : launched(body, 8, 0, 0, {{1, 1, 1}, {64, 1, 1}})) wrong += out != right;
    return wrong;
}

// One warp polls, with all of its work-items, for a value that the other one writes.
TEST(Host, AWarpThatWaitsForAFlagLetsTheOthersGoOn) {
    const std::string body =
        "__shared__ volatile int flag; if (l == 0) flag = 0; __syncthreads();\n"
        "if (l < 32) { while (flag == 0) __syncwarp(); } else if (l == 32) flag = 1; b[i] = i;";
    EXPECT_EQ(wrong_of_two_warps(body, ran("b[i] = i;")), 0);
}

// Neither warp waits for the other, and the first one reads before the other has written.
TEST(Host, AWarpRunsAheadOfTheOthers) {
    std::vector<int> in_order(64), turned(64);
    std::iota(in_order.begin(), in_order.end(), 0);
    std::iota(turned.rbegin(), turned.rend(), 0);
    const std::string before = "__shared__ int t[64]; t[l] = a[i];\n", after = "b[i] = t[63 - l];";
    EXPECT_EQ(wrong_of_two_warps(before + "__syncthreads();" + after, turned), 0);
    EXPECT_EQ(wrong_of_two_warps(before + "__syncwarp(); __syncthreads();" + after, turned), 0);
    EXPECT_GT(wrong_of_two_warps(before + "__syncwarp();" + after, turned), 0);
    EXPECT_GT(
        wrong_of_two_warps(before + "__syncwarp(); __syncwarp(); __syncwarp();" + after, turned),
        0);
    // The first round has a barrier; the second does not.
    const std::string again = "__syncthreads(); int x = t[63 - l]; __syncthreads(); t[l] = x; ";
    EXPECT_GT(wrong_of_two_warps(before + again + "__syncwarp();" + after, in_order), 0);
    EXPECT_EQ(wrong_of_two_warps(before + again + "__syncthreads();" + after, in_order), 0);
}

TEST(Host, LocalMemoryHoldsNothingAtFirst) {
    std::set<int> found;
    for (unsigned run = 0; run < 8; ++run) {
        const auto out = ran("__shared__ int t[32]; if (l == 0) t[1] = 7; b[i] = t[2];");
        EXPECT_EQ(out, std::vector<int>(64, out[0]));
        found.insert(out[0]);
    }
    // A NaN, a very small number and a very large one.
    EXPECT_EQ(found, (std::set<int>{static_cast<int>(0xffc1ffc1U), static_cast<int>(0xfefdfefdU),
                                    0x7f7e7f7e}));
}

TEST(Host, MasksOfAWarpWaitForTheirOwnLanesAlone) {
    const std::vector<int> out =
        ran("int x = a[i]; if (l < 16) x = __shfl_xor_sync(0xffffu, x, 1);\n"
            "__syncthreads(); b[i] = x;");
    for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], i % 32 < 16 ? i ^ 1 : i);
}

TEST(Host, ActiveLanesAreThoseOfTheBranch) {
    const std::string count =
        "__shared__ int n; if (l == 0) n = 0; b[i] = -1; __syncthreads();\n"
        "const auto next = [&] { const unsigned m = __activemask(); int r = 0;\n"
        "const int first = __ffs(m) - 1; if (l == first) r = atomicAdd(&n, __popc(m));\n"
        "return __shfl_sync(m, r, first) + __popc(m & ((1u << l) - 1)); };\n";
    // Some lanes; in both branches; while one polls for another of its warp.
    const Kernels kernels({count + "if (a[i] % 3 == 1) b[i] = next();",
                           count + "if (a[i] % 3 == 1) b[i] = next(); else b[i] = next();",
                           count + "__shared__ int f; f = 0; __syncthreads();\n"
                                   "if (l == 3) { while (atomicCAS(&f, 1, 1) == 0); b[i] = 31; }\n"
                                   "else { b[i] = next(); atomicExch(&f, 1); }"});
    for (const std::size_t which : {0U, 1U, 2U}) {
        for (const std::vector<int>& out : kernels.launched(which, 10)) {
            for (int group = 0; group < 2; ++group) {
                std::multiset<int> seen, expected;
                for (int l = 0; l < 32; ++l) {
                    const int i = 32 * group + l;
                    if (which == 0 && i % 3 != 1) continue;
                    expected.insert(static_cast<int>(expected.size()));
                    seen.insert(out[static_cast<std::size_t>(i)]);
                }
                EXPECT_EQ(seen, expected) << which;
            }
        }
    }
    // Where all lanes go the same way, all are active.
    EXPECT_EQ(ran("b[i] = __activemask() == 0xffffffffu;"), each([](int) { return 1; }));
}

TEST(Host, FunctionsOfAWarp) {
    const std::vector<int> out = ran(
        "const int up = __shfl_up_sync(~0u, a[i], 1), x = __shfl_xor_sync(~0u, a[i], 3);\n"
        "const int all = __reduce_add_sync(~0u, 1), one = __shfl_sync(~0u, a[i], 5);\n"
        "const unsigned odd = __ballot_sync(~0u, l & 1);\n"
        "b[i] = (up == a[i] - (l > 0)) + 2 * (x == (a[i] ^ 3)) + 4 * (all == 32) +\n"
        "       8 * (one % 32 == 5) + 16 * (odd == 0xaaaaaaaau) + 32 * __all_sync(~0u, l < 32) +\n"
        "       64 * __any_sync(~0u, l > 31) + 128 * __shfl_down_sync(~0u, l == 31, 31);");
    for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], 63 + 128 * (i % 32 == 0 || i % 32 == 31)) << i;
}

TEST(Host, AtomicsBitsAndConversions) {
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
            "case 11: b[i] = __float_as_int(CUDART_PI_F) == 0x40490fdb; break;\n"
            "case 12: b[i] = CUDART_NAN_F != CUDART_NAN_F && -CUDART_INF < CUDART_PI; break;\n"
            "default: b[i] = 0; }");
    const std::vector<int> expected{29, 2, 3, INT32_MIN, 0, -1, 3108, 3, 1, 1, 1, 1, 1, 0};
    EXPECT_EQ(std::vector<int>(out.begin(), out.begin() + 14), expected);
}

TEST(Host, DynamicSharedMemory) {
    const char* body =
        "extern __shared__ __align__(32) unsigned char dynamic_local[];\n"
        "int* c = reinterpret_cast<int*>(dynamic_local);\n"
        "c[l] = a[i]; __syncthreads(); b[i] = c[31 - l];";
    EXPECT_EQ(ran(body, 128)[0], 31);
    EXPECT_THAT(complaint(body, 124), HasSubstr("past the end of its 124 bytes"));
}

TEST(Host, SomePtx) {
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
}

TEST(Host, FindsWhatIsWrong) {
    EXPECT_THAT(complaint("if (l == 0) return; __syncthreads();"),
                HasSubstr("31 items wait at a barrier and 1 have returned"));
    EXPECT_THAT(complaint("if (l == 0) __syncthreads(); else __syncwarp(~1u << 1);"),
                HasSubstr("1 items wait at a barrier"));
    EXPECT_THAT(complaint("b[i] = nothing_of_the_kind(a[i]);"), HasSubstr("nothing_of_the_kind"));
    EXPECT_THAT(complaint("__trap();"), HasSubstr("group 0, 0, 0: k.cu:3: it trapped"));
    EXPECT_EQ(complaint("b[i] = 0;"), "");
}

TEST(Host, HasAsMuchMemoryAsAGpuHas) {
    const std::string turned = "t[l] = a[i]; __syncthreads(); b[i] = t[31 - l]";
    EXPECT_EQ(ran("__shared__ int t[12288];" + turned + ";"), ran("b[i] = i / 32 * 32 + 31 - l;"));
    EXPECT_THAT(complaint("__shared__ int t[12288], u[1]; u[0] = 0;" + turned + " + u[0];"),
                HasSubstr("has 49156 bytes of static local memory"));
    const std::string own =
        "volatile int t[131072]; t[0] = i; t[131071] = 1; b[i] = t[0] + t[131071];";
    EXPECT_EQ(ran(own), ran("b[i] = i + 1;"));
    if (entries().size() < 2) GTEST_SKIP() << "the system's compiler has no sanitizers";
    EXPECT_EQ(complaint("__shared__ int t[12288];" + turned + ";", 0, 1), "");
    EXPECT_EQ(complaint(own, 0, 1), "");
}

TEST(Host, AKernelMayHaveAnyName) {
    const auto device = entries().at(0).open();
    for (const std::string name : {"a", "p", "out"}) {
        const std::string cuda = "extern \"C\" __global__ void " + name + "(int* x) { *x = 1; }\n";
        EXPECT_NO_THROW(
            device->compile({.name = "k.cu", .source = cuda, .language = Language::native}, name));
    }
}

TEST(Host, ShowsNoOtherFilesLines) {
    const TemporaryFolder folder("parallax-host-test-");
    const std::string other = folder.put("other.txt", "a line of somebody's\n");
    const auto device = entries().at(0).open();
    try {
        device->compile({.name = "k.cu",
                         .source = "#line 1 \"" + other + "\"\nthis is no C++\n",
                         .language = Language::native},
                        "k");
        ADD_FAILURE() << "it compiles";
    } catch (const BuildFailed& error) {
        EXPECT_EQ(error.log.find("somebody"), std::string::npos) << error.log;
        EXPECT_NE(error.log, "");
    }
}

TEST(Host, ABuildFillsNoDisk) {
    const auto device = entries().at(0).open();
    try {
        device->compile({.name = "k.cu",
                         .source = "__device__ int all[100000000] = {1};\n"
                                   "extern \"C\" __global__ void k(int* b) { *b = all[1]; }\n",
                         .language = Language::native},
                        "k");
        ADD_FAILURE() << "an array of 400 MB was built";
    } catch (const BuildFailed& error) {
        EXPECT_THAT(error.log, HasSubstr("File too large"));
    }
}

TEST(Host, RefusesByNameWhatItHasNot) {
    for (const auto& [body, name] :
         {std::pair{"b[i] = __match_any_sync(~0u, a[i]);", "__match_any_sync"},
          std::pair{"int x; asm(\"bar.red %0, %1;\" : \"=r\"(x) : \"r\"(l));", "bar.red"}}) {
        try {
            launched(body);
            ADD_FAILURE() << name;
        } catch (const Unsupported& error) {
            EXPECT_THAT(error.what(), HasSubstr(name));
        }
    }
}

TEST(Host, HasTheConstantsAndAssertionsOfCuda) {
    const Kernels kernels(
        {"float n = i & 1 ? NAN : 2.0f; b[i] = fminf(n, 1.0f) + 10 * max(n, 1.0f) + "
         "100 * __saturatef(n) + 1000 * isnan(n) + 10000 * !(n < INFINITY);",
         "b[i] = M_PI > 3.14159265 && INT_MIN < 0 && abs(-5l) == 5 && llabs(-5ll) == labs(-5);",
         "assert(a[i] < 60 && \"small\"); b[i] = a[i];"});
    for (unsigned index = 0; index < entries().size(); ++index) {
        EXPECT_EQ(kernels.launched(0, 1, 0, index).at(0),
                  each([](int i) { return i & 1 ? 11011 : 121; }));
        EXPECT_EQ(kernels.launched(1, 1, 0, index).at(0), each([](int) { return 1; }));
        EXPECT_THAT(kernels.complaint(2, 0, index),
                    HasSubstr("k.cu:9: the assertion 'a[i] < 60 && \"small\"' failed"));
    }
}

TEST(Host, ReportsPrivateVariablesThatAreReadBeforeTheyAreSet) {
    if (entries().size() < 2 || !compiler().presets)
        GTEST_SKIP() << "the compiler has no sanitizers";
    const std::pair<const char*, const char*> wrong[] = {
        {"int v; for (int k = 0; k < 4; ++k) if (a[i] & k) v |= k; b[i] = v;", "'v'"},
        {"int t[4]; t[i & 3] = 1; b[i] = t[a[i] * 7 % 3] + 1;", "'t'"},
        {"float2 f; f.x = i; b[i] = f.y >= f.x;", "'f'"},
        {"int w; if (i > 70) w = 1; b[i] = w;", "'w'"}};
    const char* const right[] = {
        "int v; if (i < 64) v = a[i]; b[i] = i < 64 ? v : 0;",
        "int t[4]; for (int k = 0; k < 4; ++k) t[k] = i; b[i] = t[a[i] & 3];",
        "float v; b[i] = a[i]; if (i > 99) b[i] = v;",
        "int v; __shared__ int n; if (l == 0) n = 0; __syncthreads(); v = atomicAdd(&n, 1); b[i] = "
        "v;"};
    std::vector<std::string> bodies;
    for (const auto& [body, said] : wrong) bodies.emplace_back(body);
    for (const char* const body : right) bodies.emplace_back(body);
    const Kernels kernels(bodies);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const std::string said = kernels.complaint(i, 0, 1);
        if (i >= std::size(wrong)) {
            EXPECT_EQ(said, "") << bodies[i];
            continue;
        }
        EXPECT_THAT(said, HasSubstr("reads a private variable before it sets it")) << bodies[i];
        EXPECT_THAT(said,
                    HasSubstr(fmt::format("these: {} (k.cu:{}).", wrong[i].second, 3 + 3 * i)));
        EXPECT_EQ(kernels.complaint(i), "") << "without sanitizers";
    }
    // Padding is never set.
    EXPECT_EQ(complaint("struct P { char c; int n; }; P p; p.c = 1; p.n = i; "
                        "if (i < 32) ((P*)b)[i] = p;",
                        0, 1),
              "");
}

TEST(Host, SanitizersEndTheLaunchThatTouchesWhatItMayNot) {
    if (entries().size() < 2) GTEST_SKIP() << "the system's compiler has no sanitizers";
    const std::pair<const char*, const char*> wrong[] = {
        {"if (i == 63) b[64] = 1;", "it writes 4 byte(s) outside of its memory"},
        {"if (i == 0) b[-1] = 1;", "it writes 4 byte(s) outside"},
        {"b[i] = a[i + 4096];", "it reads 4 byte(s) outside"},
        {"int t[4] = {1}; b[i] = t[i];", "an index outside of its array"},
        {"b[i] = 5 / a[i];", "a division by zero"},
        {"*(int4*)(b + 1) = int4();", "an access at a place that is not aligned"},
        {"*(int*)nullptr = 1;", "an access by a null pointer"}};
    std::vector<std::string> bodies;
    for (const auto& [body, said] : wrong) bodies.emplace_back(body);
    bodies.emplace_back("b[i] = a[i];");
    const Kernels kernels(bodies);
    for (std::size_t i = 0; i < std::size(wrong); ++i) {
        EXPECT_THAT(kernels.complaint(i, 0, 1),
                    HasSubstr(fmt::format("k.cu:{}: {}", 3 + 3 * i, wrong[i].second)))
            << wrong[i].first;
    }
    EXPECT_EQ(kernels.complaint(std::size(wrong), 0, 1), "") << "it goes on";
    // Each in its own source: the memory after static memory may belong to another kernel.
    for (const auto& [body, said] :
         {std::pair{"__shared__ int t[32]; int* p = t; if (l == 31) p[l + 1] = 1; b[i] = p[l];",
                    "writes 4 byte(s) outside"},
          std::pair{"__shared__ int t[64], u[64]; int* p = t; u[l] = 1; p[l + 900] = 1; b[i] = "
                    "p[l] + u[l];",
                    "k.cu:3: it writes 4 byte(s) outside"},
          std::pair{"__shared__ int t[64], u[64]; int* p = t; u[l] = 1; p[l - 96] = 1; b[i] = p[l] "
                    "+ u[l];",
                    "k.cu:3: it writes 4 byte(s) outside"}}) {
        EXPECT_THAT(complaint(body, 0, 1), HasSubstr(said)) << body;
    }
}

TEST(Host, JumpsOverDeclarationsAsCudaDoes) {
    if (compiler().is_clang) GTEST_SKIP() << "clang++ takes no such jump";
    const std::vector<int> out =
        ran("if (a[i] & 1) goto done; int v = a[i], w[2] = {v, 2}; const int u = v + w[1];\n"
            "  b[i] = u; switch (i & 3) { case 0:; int x = 5; b[i] += x; break;\n"
            "\tcase 2:; const int y = u * 2; b[i] += y; break; default: ; }\n  done: ;\n");
    EXPECT_EQ(out, each([](int i) {
                  return i % 2 != 0 ? i : i % 4 == 0 ? i + 2 + 5 : 3 * (i + 2);
              }));
}

TEST(Host, SeesKernelsAndTheirDynamicMemory) {
    const std::string cuda =
        "// __global__ void none(int*);\n__global__ void one(int*);\n"
        "extern \"C\" __global__ __launch_bounds__(32, (2)) void two (int* p) {\n"
        "    extern __shared__ int words[]; asm volatile(\"mov.u32 %0, %%laneid;\" : "
        "\"=r\"(p[0]));\n}\n"
        "__global__ void one(int* p) {}\n";
    EXPECT_EQ(kernels_in(cuda), (std::vector<std::string>{"one", "two"}));
    const CppText cpp = as_cpp("x.cu", cuda, {"two"});
    EXPECT_EQ(cpp.dynamic, "words");
    EXPECT_THAT(cpp.text, HasSubstr("parallax_ptx(\"mov.u32 %0, %%laneid;\" , (p[0]))"));
    EXPECT_THROW(as_cpp("x.cu", cuda + "extern __shared__ int others[];", {}), Unsupported);
    // A prelude ends with the file's own #line; one of the source's own is no such end.
    EXPECT_THAT(as_cpp("x.cu", "a\n#line 1 \"y.h\"\nb", {}).text, HasSubstr("#line 1 \"x.cu\"\na"));
    EXPECT_THAT(as_cpp("x.cu", "a\n#line 1 \"x.cu\"\nb", {}).text,
                HasSubstr("#line 1 \"parallax_prelude\"\na"));
}

}  // namespace
}  // namespace parallax::host::host_test
