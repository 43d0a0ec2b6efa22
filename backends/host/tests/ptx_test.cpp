// Tests PTX instructions on the host: their results, and that missing waits for asynchronous
// operations are detected.
#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/host/tests/launched.hpp"

namespace parallax::host::ptx_test {
namespace {

using namespace host::test;
using ::testing::HasSubstr;

/// Each work-item copies an int of `a` to its place in `t`.
const std::string copy =
    "__shared__ int t[32];\n"
    "const unsigned to = __cvta_generic_to_shared(t + l);\n"
    "asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" :: \"r\"(to), \"l\"(a + i));\n";
const std::string turned = "__syncthreads(); b[i] = t[31 - l];";

std::vector<int> expected_turned() {
    return each([](int i) { return i / 32 * 32 + 31 - i % 32; });
}

TEST(Copies, AreThereWhenTheyWereWaitedFor) {
    const Kernels kernels(
        {copy + "asm volatile(\"cp.async.wait_all;\");" + turned,
         copy + "asm volatile(\"cp.async.commit_group;\");\n" +
             "asm volatile(\"cp.async.wait_group %0;\" :: \"n\"(0) : \"memory\");" + turned});
    for (const std::size_t which : {0U, 1U}) {
        for (const auto& out : kernels.launched(which, 20)) EXPECT_EQ(out, expected_turned());
    }
}

TEST(Copies, ThatNobodyWaitsForShow) {
    const std::string committed = copy + "asm volatile(\"cp.async.commit_group;\");";
    // All copies of one `cp.async-group` may be pending.
    const Kernels kernels({copy + turned, committed + turned,
                           committed + "asm volatile(\"cp.async.wait_group 1;\");" + turned});
    for (const std::size_t which : {0U, 1U, 2U}) {
        for (const auto& out : kernels.launched(which, 5)) {
            EXPECT_NE(out, expected_turned()) << which;
        }
    }
}

TEST(Copies, ThatAreTooEarlyShow) {
    // Copies to memory that others still read.
    for (const auto& out :
         launched("__shared__ int t[32]; t[l] = i; __syncthreads();\n"
                  "const unsigned to = __cvta_generic_to_shared(t + l);\n"
                  "asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4, %2;\" :: \"r\"(to), "
                  "\"l\"(a + i), \"r\"(0));\n"
                  "b[i] = t[31 - l];",
                  5)) {
        EXPECT_NE(out, expected_turned());
    }
}

TEST(Copies, FillUpWithZeros) {
    const auto out =
        ran("__shared__ int4 t[32];\n"
            "const unsigned to = __cvta_generic_to_shared(t + l);\n"
            "asm volatile(\"cp.async.cg.shared.global [%0], [%1], 16, %2;\" :: \"r\"(to), "
            "\"l\"(a + i / 4 * 4), \"r\"(l % 2 ? 8 : 0));\n"
            "asm volatile(\"cp.async.wait_all;\");\n"
            "b[i] = t[l].x + 100 * t[l].y + 10000 * t[l].z;");
    for (int i = 0; i < 64; ++i) {
        const int first = i / 4 * 4;
        EXPECT_EQ(out[i], i % 2 == 0 ? 0 : first + 100 * (first + 1)) << i;
    }
}

TEST(Copies, MeetTheirBounds) {
    EXPECT_THAT(complaint("asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" :: "
                          "\"r\"(12), \"l\"(a));"),
                HasSubstr("writes 4 byte(s) outside of its memory"))
        << "no shared memory is there";
    EXPECT_THAT(complaint("__shared__ int t[32]; t[l] = i;\n"
                          "const unsigned to = __cvta_generic_to_shared(t) + 2;\n"
                          "asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" :: "
                          "\"r\"(to), \"l\"(a)); b[i] = t[l];"),
                HasSubstr("not aligned"));
    if (entries().size() < 2) GTEST_SKIP() << "No sanitizers are here.";
    EXPECT_THAT(complaint("__shared__ int t[32]; t[l] = i;\n"
                          "const unsigned to = __cvta_generic_to_shared(t + l);\n"
                          "asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" :: "
                          "\"r\"(to), \"l\"(a + 64));",
                          0, 1),
                HasSubstr("k.cu:5: it reads 4 byte(s) outside of its memory"));
}

TEST(Matrices, AreLoadedByRowsOrColumns) {
    std::vector<std::string> bodies;
    for (const bool is_turned : {false, true}) {
        for (const int pair : {0, 2}) {
            bodies.push_back(fmt::format(
                "__shared__ uint4 t[32];\n"
                "unsigned short* const halves = (unsigned short*)t;\n"
                "for (int h = 0; h < 8; ++h) halves[8 * l + h] = 8 * l + h;\n"
                "__syncwarp(); unsigned r[4];\n"
                "asm volatile(\"ldmatrix.sync.aligned.m8n8.x4{}.shared.b16 {{%0, %1, %2, %3}}, "
                "[%4];\" : \"=r\"(r[0]), \"=r\"(r[1]), \"=r\"(r[2]), \"=r\"(r[3]) : "
                "\"r\"((unsigned)__cvta_generic_to_shared(t + l)) : \"memory\");\n"
                "b[i] = r[{} + blockIdx.x];",
                is_turned ? ".trans" : "", pair));
        }
    }
    const Kernels kernels(bodies);
    for (const bool is_turned : {false, true}) {
        for (const int pair : {0, 2}) {
            const auto out = kernels.ran((is_turned ? 2U : 0U) + (pair > 0 ? 1U : 0U));
            for (int i = 0; i < 64; ++i) {
                const int l = i % 32, row = l / 4, column = l % 4 * 2, first = (pair + i / 32) * 64;
                const int low = is_turned ? column * 8 + row : row * 8 + column;
                const int high = is_turned ? low + 8 : low + 1;
                EXPECT_EQ(out[i], first + low + (first + high) * 65536) << i;
            }
        }
    }
}

TEST(Units, OfAWarpWantAllOfIt) {
    EXPECT_THAT(complaint("__shared__ uint4 t[8]; if (l >= 16) return; unsigned r;\n"
                          "asm volatile(\"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];\" : "
                          "\"=r\"(r) : \"r\"((unsigned)__cvta_generic_to_shared(t)));"),
                HasSubstr("a part of a warp"));
}

TEST(Instructions, OfSharedMemoryTakePlaces) {
    const auto out = ran(
        "__shared__ int t[64]; const unsigned at = __cvta_generic_to_shared(t);\n"
        "asm volatile(\"st.shared.v2.u32 [%0+0], {%1, %2};\" :: \"r\"(at + 8 * l), \"r\"(i), "
        "\"r\"(-i) : \"memory\");\n"
        "asm volatile(\"bar.warp.sync 0xffffffff;\" ::: \"memory\"); int x;\n"
        "asm volatile(\"ld.shared.u32 %0, [%1 + 4];\" : \"=r\"(x) : \"r\"(at + 8 * (31 - l)));\n"
        "b[i] = x;");
    for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], -(i / 32 * 32 + 31 - i % 32));
}

TEST(Instructions, ThatAreNotKnownAreNamed) {
    static constexpr const char* all[] = {
        "mbarrier.init.shared.b64 [%0], 1;", "bar.sync 0; bar.sync %0;", "ld.shared.u8 %0, [%0];",
        "ld.shared.u32 %0, [%0+%0];", "ld.shared.u32 %0, [%1];",
        "cp.async.ca.shared.global.L2::cache_hint [%0], [%0], 4, %0;",
        // Rejected by NVIDIA's assembler.
        "cp.async.ca.shared.global.bananas [%0], [%0], 4;", "cp.async.ca.shared.global %0, %0, 4;",
        "cp.async.wait_all", "cp.async.wait_all.x;", "ld.shared.nonsense.u32 %0, [%0];",
        "ld.shared.v4.u32 {%0, %0}, [%0];", "ld.shared.u32 %0, [%0};",
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16 %0, [%0];",
        "ldmatrix.sync.m8n8.x1.shared.b16 {%0}, [%0];", "sqrt.approximately.f32 %0, %0;",
        // Products of matrices are verified on GPUs.
        "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %0, %0, %0}, {%0, %0}, {%0}, {%0, "
        "%0, %0, %0};",
        "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%0, %0, %0, %0}, %0, %0, 1, 1, 1;",
        "wgmma.fence.sync.aligned;"};
    std::string body = "extern \"C\" __global__ void k(int which) {\n  int x = which;\n";
    for (std::size_t i = 0; i < std::size(all); ++i)
        body += fmt::format("  if (which == {}) asm volatile(\"{}\" :: \"r\"(x));\n", i, all[i]);
    const auto device = entries().at(0).open();
    const auto code = device->compile(
        {.name = "k.cu", .source = body + "}\n", .language = Language::native}, "k");
    for (std::size_t i = 0; i < std::size(all); ++i) {
        const Command one{
            Dispatch{code, {{1, 1, 1}, {32, 1, 1}}, {Scalar{static_cast<std::int32_t>(i)}}}};
        try {
            device->run(std::span(&one, 1));
            ADD_FAILURE() << all[i];
        } catch (const Unsupported& error) {
            EXPECT_THAT(error.what(),
                        HasSubstr(fmt::format("The host does not have '{}'", all[i])));
        }
    }
}

TEST(Instructions, OfShortWaysAreTakenWhole) {
    const char* const taken[] = {"sqrt.approx.f32 %0, %1;", "{ sqrt.approx.f32 %0, %1; }"};
    const char* const refused[] = {"sqrt.approx.f32 %0, [%1];", "sqrt.approx.f32 %0, %1",
                                   "sqrt.approx.f32 %0, %1; add.f32 %0, %0, %0;"};
    std::vector<std::string> bodies{
        "float x = 1e-40f, y, z; asm(\"sqrt.approx.f32 %0, %1;\" : \"=f\"(y) : \"f\"(x)); "
        "asm(\"sqrt.approx.ftz.f32 %0, %1;\" : \"=f\"(z) : \"f\"(x)); b[i] = 2 * (y > 0) + (z > "
        "0);",
        "int lane; asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(lane)); b[i] = lane;",
        "unsigned short h; asm(\"sub.f16 %0, %2, %1;\" : \"=h\"(h) : "
        "\"h\"((unsigned short)1), \"h\"((unsigned short)2)); b[i] = h;"};
    const std::size_t own = bodies.size();
    const auto with = [&](const char* text) {
        bodies.push_back(fmt::format(
            "float x = 4, y; asm(\"{}\" : \"=f\"(y) : \"f\"(x)); b[i] = (int)y;", text));
    };
    std::ranges::for_each(taken, with);
    std::ranges::for_each(refused, with);
    const Kernels kernels(bodies);
    EXPECT_EQ(kernels.ran(0), each([](int) { return 2; }))
        << "denormal numbers are zeros where the name says so";
    EXPECT_EQ(kernels.ran(1), each([](int i) { return i % 32; }));
    EXPECT_THAT(kernels.complaint(2), HasSubstr("does not have"));
    for (std::size_t i = 0; i < std::size(taken); ++i)
        EXPECT_EQ(kernels.complaint(own + i), "") << taken[i];
    for (std::size_t i = 0; i < std::size(refused); ++i) {
        EXPECT_THAT(kernels.complaint(own + std::size(taken) + i), HasSubstr("does not have"))
            << refused[i];
    }
}

TEST(Operands, MayBeArraysAndNothingOutsideOfMemory) {
    EXPECT_EQ(ran("__shared__ int t[32]; t[l] = i; __syncwarp(); int x;\n"
                  "asm volatile(\"ld.shared.u32 %0, [%1];\" : \"=r\"(x) : \"l\"(t)); b[i] = x;"),
              each([](int i) { return i / 32 * 32; }));
    if (entries().size() < 2) GTEST_SKIP() << "No sanitizers are here.";
    EXPECT_THAT(complaint("__shared__ int t[32]; t[l] = i;\n"
                          "const unsigned at = __cvta_generic_to_shared(t + l);\n"
                          "asm volatile(\"ld.shared.u32 %0, [%1];\" : \"=r\"(b[i + 64]) : "
                          "\"r\"(at));",
                          0, 1),
                HasSubstr("k.cu:5: it reads or writes 4 byte(s) outside of its memory"));
    EXPECT_EQ(complaint("__shared__ int t[32];\n"
                        "const unsigned at = __cvta_generic_to_shared(t + l);\n"
                        "asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4, %2;\" :: "
                        "\"r\"(at), \"l\"((const int*)0), \"r\"(0)); b[i] = l;",
                        0, 1),
              "");
}

/// The same, with the compiler's messages.
std::vector<int> built_and_ran(const std::string& body) {
    try {
        return ran(body);
    } catch (const BuildFailed& error) {
        ADD_FAILURE() << error.log;
        return {};
    }
}

TEST(Texts, MayHaveBranchesMacrosAndComments) {
    EXPECT_EQ(
        ran("\n#define both \"+r\"(x), \"+r\"(y)\n"
            "  unsigned x = i, y = 7;\n"
            "#if 0\n  asm volatile(\"none;\"\n#else\n  asm volatile(\"prefetch.global.L2 %0;\"\n"
            "#endif\n  : both :: \"memory\");\n  b[i] = x + y;"),
        each([](int i) { return i + 7; }));
    EXPECT_EQ(built_and_ran("\n#define WAIT(n) asm volatile(\"cp.async.wait_group \" #n \";\" ::: "
                            "\"memory\")\n" +
                            copy + "__asm volatile(\"cp.async.commit_group;\"); WAIT(0);" + turned),
              expected_turned());
    EXPECT_EQ(built_and_ran("__shared__ int t[64]; unsigned at = __cvta_generic_to_shared(t + l);\n"
                            "/* asm volatile( */ const char c = '\"'; int x = c;\n"
                            "asm volatile(\"st.shared.u32 [%0], %1;\"  // where: and (what\n"
                            "  :: \"r\"(at), \"0\"(l + (l > 3 ? 1'0 : 2))  // a number: it\n"
                            "  : \"memory\");\n"
                            "b[i] = t[l] + x;"),
              each([](int i) { return i % 32 + (i % 32 > 3 ? 10 : 2) + '"'; }));
}

TEST(Texts, WithoutAnInstructionDoNothing) {
    const char* const all[] = {"", " ", ";", "// nothing", "// one line\\n\\t// and another"};
    std::vector<std::string> bodies;
    for (const char* const none : all) {
        bodies.push_back(
            fmt::format("int x = i; asm volatile(\"{}\" ::: \"memory\"); b[i] = x + 1;"
                        "asm volatile(\"{}\" : \"+r\"(x));",
                        none, none));
    }
    bodies.emplace_back(
        "int x = i; asm volatile(\"\" : \"+r\"(x)); asm volatile(\"cp.async.wait_all;\"); b[i] = "
        "x;");
    const Kernels kernels(bodies);
    for (std::size_t i = 0; i < std::size(all); ++i)
        EXPECT_EQ(kernels.ran(i), each([](int item) { return item + 1; })) << all[i];
    EXPECT_EQ(kernels.ran(std::size(all)), each([](int i) { return i; }));
}

TEST(Texts, KeepTheirLines) {
    if (entries().size() < 2) GTEST_SKIP() << "No sanitizers are here.";
    EXPECT_THAT(complaint("int x = l;\nasm volatile(\"prefetch.global.L2 %0;\"\n :\n"
                          " : \"r\"(x)\n : \"memory\"\n);\nb[i + 64] = 1;\n",
                          0, 1),
                HasSubstr("k.cu:9: it writes 4 byte(s) outside of its memory"));
}

TEST(Copies, ComeAsLateInTheNextProcess) {
    const std::string many = copy + "asm volatile(\"cp.async.commit_group;\");" + turned;
    EXPECT_EQ(launched(many + " // of its own\n", 5),
              launched(many + " // as in the next process\n", 5));
}

}  // namespace
}  // namespace parallax::host::ptx_test
