// Tests `parallax show`: sources, formats and reasons.
#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "cli/tests/command_line.hpp"
#include "common/suite/suite.hpp"
#include "common/tests/thorough.hpp"

namespace parallax::cli::show_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Show : public CommandLine {};

TEST_F(Show, SaysWhyOnlyWhenAsked) {
    const Ended plain = run({"show", "transpose/tiled", "--width", "150"});
    const Ended why = run({"show", "transpose/tiled", "--width", "150", "--why"});
    EXPECT_THAT(why.out, StartsWith(plain.out));
    EXPECT_THAT(plain.out, Not(HasSubstr("  ->  ")));
    EXPECT_THAT(why.out, HasSubstr("  barrier(CLK_LOCAL_MEM_FENCE)  ->  __syncthreads()\n"
                                   "      nearly, line 26: All work-items"));
    EXPECT_THAT(why.out, Not(HasSubstr("\x1b"))) << "it is no terminal";
}

TEST_F(Show, ExplainsEveryVariantInEveryFormat) {
    std::vector<const char*> formats{"text", "md", "html"};
    for (const Suite& suite : suites()) {
        for (const Variant& variant : suite.variants) {
            const std::string name = suite.name + "/" + variant.name;
            // The sample has each variant in one format, and the formats alternate.
            std::ranges::rotate(formats, formats.begin() + 1);
            for (const char* format : test::every_nth(formats, formats.size())) {
                const Ended e = run({"show", name, "--why", "--format", format, "--all"});
                EXPECT_EQ(e.code, 0) << name << e.err;
                EXPECT_FALSE(e.out.empty()) << name;
            }
        }
    }
}

TEST_F(Show, WritesFilesByTheirEnds) {
    const Ended e = run({"show", "stencil1d/" + suite_named("stencil1d").variants.front().name,
                         "-o", "a.md", "-o", "b.html", "-o", "c.txt"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_THAT(e.out, HasSubstr("OpenCL C: stencil1d.cl"));
    EXPECT_THAT(text_of("a.md"), AllOf(StartsWith("# stencil1d/"), HasSubstr("```cuda\n")));
    EXPECT_THAT(text_of("b.html"),
                AllOf(StartsWith("<!doctype html>"), HasSubstr("<table class=\"pair\">"),
                      HasSubstr("<ol class=\"reasons\">")));
    EXPECT_THAT(text_of("c.txt"), HasSubstr("OpenCL C: stencil1d.cl"));
    expect_usage({"show", "transpose/tiled", "-o", "a.json"}, "json");
    expect_usage({"show", "transpose/tiled", "-o", "a.cu"}, "--format");
    expect_usage({"show", "transpose/tiled", "--format", "pdf"}, "html");
}

TEST_F(Show, HostProgramsStationByStation) {
    const Ended plain = run({"show", "host", "--width", "200"});
    EXPECT_EQ(plain.code, 0) << plain.err;
    for (int station = 1; station <= 8; ++station) {
        // On both sides of one line.
        const std::string name = fmt::format("// {}. ", station);
        const std::size_t left = plain.out.find(name);
        ASSERT_NE(left, std::string::npos) << name;
        EXPECT_LT(plain.out.find(name, left + 1), plain.out.find('\n', left)) << name;
    }
    const Ended why = run({"show", "host", "--width", "200", "--why"});
    EXPECT_THAT(why.out, StartsWith(plain.out));
    for (const char* row : {"clCreateContext", "clBuildProgram", "clEnqueueNDRangeKernel",
                            "clReleaseMemObject", "cudaStreamSynchronize"}) {
        EXPECT_THAT(why.out, HasSubstr(fmt::format("  {}\n", row)));
        EXPECT_THAT(run({"show", "host", "--format", "md"}).out,
                    HasSubstr(fmt::format("| `{}", row)))
            << row;
    }
    EXPECT_THAT(run({"show", "host", "--format", "html"}).out,
                HasSubstr("<td><code>clBuildProgram</code></td><td><code>nvrtcCompileProgram"));
    const Ended cuda = run({"show", "host", "--language", "cuda"});
    EXPECT_THAT(cuda.out, AllOf(HasSubstr("#include <nvrtc.h>"), Not(HasSubstr("<CL/cl.h>"))));
    expect_usage({"show", "host", "--define", "GROUP=1"}, "--define");
    expect_usage({"show", "host", "--against", "transpose/naive"}, "--against");
    expect_usage({"show", "host", "--language", "cuda", "--why"}, "--why");
}

TEST_F(Show, TakesConstants) {
    const Ended e = run({"show", "transpose/tiled", "--define", "PAD=1", "--define", "TILE=16"});
    EXPECT_THAT(e.out, HasSubstr("built with -DTILE=16 -DROWS=8 -DPAD=1"));
    expect_usage({"show", "transpose/tiled", "--define", "NOPE=1"}, "NOPE");
    expect_usage({"show", "transpose/tiled", "--define", "PAD"}, "--define");
}

TEST_F(Show, FindsTheKernelBehindCopies) {
    const Ended e = run({"show", "multiply_ladder/plain", "--define", "TRANSFERS=1"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_THAT(e.out, HasSubstr("void plain("));
    EXPECT_THAT(e.out, testing::Not(HasSubstr("It launches no kernel")));
    EXPECT_THAT(e.out, testing::Not(HasSubstr("-DTRANSFERS"))) << "no compiler is told";
}

TEST_F(Show, SaysThatThereIsNoKernel) {
    for (const char* format : {"text", "md", "html"}) {
        const Ended e = run({"show", "transfer/to_device", "--format", format});
        EXPECT_EQ(e.code, 0) << e.err;
        EXPECT_THAT(e.out, HasSubstr("It launches no kernel"));
    }
}

TEST_F(Show, ShowsTextsWrittenByHand) {
    const Ended two = run({"show", "reduction/warp", "--width", "160", "--why"});
    EXPECT_THAT(two.out, AllOf(HasSubstr("reduction_warp.opencl.cl"),
                               HasSubstr("reduction.cuda.cu"), HasSubstr("written by hand")));
    const Ended one = run({"show", "reduction/builtin"});
    EXPECT_EQ(one.out, run({"show", "reduction/builtin", "--language", "opencl"}).out);
    EXPECT_THAT(run({"show", "reduction/builtin", "--format", "html"}).out,
                HasSubstr("<pre class=\"texts\"><code>"));
    EXPECT_THAT(run({"show", "reduction/builtin", "--format", "md"}).out,
                HasSubstr("work_group_reduce_add"));
}

TEST_F(Show, ShowsWhatChangedFromAnotherVariant) {
    const Ended e = run({"show", "transpose/tiled", "--against", "transpose/naive"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_THAT(e.out, AllOf(HasSubstr("\n@@ -1,7 +1,16 @@\n"), HasSubstr("\n+    barrier("),
                             HasSubstr("\n-__kernel void naive(")));
    const Ended same = run({"show", "transpose/padded", "--against", "transpose/tiled"});
    EXPECT_THAT(same.out, AllOf(HasSubstr("-DPAD=0"), HasSubstr("-DPAD=1"),
                                HasSubstr("Both have the same kernel source.\n")));
    EXPECT_THAT(
        run({"show", "transpose/tiled", "--against", "transpose/naive", "--format", "md"}).out,
        HasSubstr("```diff\n@@ "));
    EXPECT_THAT(
        run({"show", "transpose/tiled", "--against", "transpose/naive", "--format", "html"}).out,
        HasSubstr("<table class=\"changes\">"));
    expect_usage({"show", "transpose/tiled", "--against", "transpose"}, "SUITE/VARIANT");
    expect_usage({"show", "transpose/tiled", "--against", "transpose/naive", "--why"}, "--against");
    expect_usage({"show", "transpose/tiled", "--against", "transpose/nope"}, "nope");
}

TEST_F(Show, PrintsOneWholeTextAsItIs) {
    for (const char* other :
         {"--why", "--format=md", "--output=a.md", "--against=transpose/tiled"}) {
        expect_usage({"show", "transpose/naive", "--language", "cuda", other}, "--language");
    }
}

TEST_F(Show, ShowsWhatACudaFileBecomesAndWhy) {
    std::ofstream("mine.cu") << "#include <cstdio>\n"
                                "__global__ void scale(float* a, float3* b) {\n"
                                "  __shared__ float s[32];\n"
                                "  s[threadIdx.x] = a[threadIdx.x];\n"
                                "  __syncthreads();\n"
                                "  a[threadIdx.x] = __ldg(&s[0]); b[0].x = 1;\n"
                                "}\n"
                                "int main() { printf(\"a\"); }\n";
    const Ended plain = run({"show", "mine.cu", "--width", "160"});
    if (plain.err.find("takes the program clang") != std::string::npos) GTEST_SKIP() << plain.err;
    EXPECT_EQ(plain.code, 0) << plain.err;
    EXPECT_LT(plain.out.find("CUDA C++: mine.cu"), plain.out.find("OpenCL C"));
    EXPECT_THAT(plain.out, HasSubstr("5   __syncthreads();"));
    EXPECT_THAT(plain.out, Not(HasSubstr("main")));
    const Ended why = run({"show", "mine.cu", "--width", "160", "--why"});
    EXPECT_THAT(why.out, StartsWith(plain.out));
    EXPECT_THAT(
        why.out,
        AllOf(HasSubstr("  threadIdx.$  ->  (uint)get_local_id($)\n      same, lines 4, 6: "),
              HasSubstr("  __shared__  ->  __local\n      same, line 3: "),
              HasSubstr("  __ldg  ->  (*($))\n      same, line 6: "),
              HasSubstr("  float3  ->  packed_T3\n      nearly, line 2: "),
              HasSubstr("  (nothing)  ->  __global\n      same, line 2: ")));
    EXPECT_THAT(run({"show", "mine.cu", "--format", "md"}).out,
                AllOf(HasSubstr("```cuda\n"), HasSubstr("| CUDA C++ | OpenCL C | means |")));
    expect_usage({"show", "mine.cu", "--type", "int"}, "leave out --type");
    std::ofstream("bad.cu") << "__global__ void k(int* a) {\n  a[0] = clock();\n}\n";
    const Ended refused = run({"show", "bad.cu"});
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, HasSubstr("bad.cu:2: 'clock'"));
    expect_usage({"show", "none.cu"}, "none.cu");
}

TEST_F(Show, PutsCudaFirstWhenAsked) {
    const Ended e = run({"show", "transpose/tiled", "--width", "150", "--why", "--side", "cuda"});
    EXPECT_LT(e.out.find("CUDA C++"), e.out.find("OpenCL C: transpose.cl"));
    EXPECT_THAT(e.out, HasSubstr("  __syncthreads()  ->  barrier(CLK_LOCAL_MEM_FENCE)\n"
                                 "      nearly, line 26: All work-items"));
    expect_usage({"show", "transpose/tiled", "--side", "left"}, "opencl, cuda");
}

TEST_F(Show, ExplainsManifests) {
    const std::string file = std::string(SOURCE_ROOT "/docs/examples") + "/saxpy/saxpy.json";
    const Ended e = run({"show", file + "/plain", "--why", "--width", "150"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_THAT(e.out, HasSubstr("  uint  ->  unsigned int\n"));
}

}  // namespace
}  // namespace parallax::cli::show_test
