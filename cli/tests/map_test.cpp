// Tests `parallax map`: rules, code of both backends, misspelt words, the page.
#include <regex>
#include <sstream>

#include <gmock/gmock.h>

#include "cli/terminal.hpp"
#include "cli/tests/command_line.hpp"
#include "common/text/text.hpp"
#include "mapping/table/table.hpp"

namespace parallax::cli::map_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using Map = CommandLine;

std::vector<std::string> lines_of_text(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::size_t count_of(std::string_view text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
}

TEST_F(Map, AloneShowsAllRows) {
    const Ended e = run({"map"});
    EXPECT_EQ(e.code, 0);
    EXPECT_EQ(count_of(e.out, "\n  OpenCL  "), whole_map().size());
    EXPECT_THAT(e.out, HasSubstr("memory model\n"));
    EXPECT_THAT(e.out, HasSubstr("kernel language: memory\n"));
    EXPECT_EQ(e.err, "");
}

TEST_F(Map, LinesFitTheTerminal) {
    const std::vector<std::vector<std::string>> questions{{"map"},
                                                          {"map", "--all", "memory"},
                                                          {"map", "clEnqueueNDRangeKernel"},
                                                          {"map", "execution configuration"},
                                                          {"map", "kernels/cuda/transpose.cu:18"}};
    for (const auto& question : questions) {
        const Ended e = run(question);
        EXPECT_EQ(e.code, 0) << e.err;
        for (const std::string& line : lines_of_text(e.out)) {
            EXPECT_LE(columns_of(line), terminal_width()) << line;
            EXPECT_FALSE(line.ends_with(' ')) << "'" << line << "'";
        }
    }
}

TEST_F(Map, AWordShowsTheLinesOfBothBackends) {
    const Ended e = run({"map", "cudaMemsetAsync"});
    EXPECT_EQ(e.code, 0);
    EXPECT_THAT(e.out, HasSubstr("  OpenCL  clEnqueueFillBuffer\n  CUDA    cudaMemsetAsync\n"));
    EXPECT_THAT(e.out, HasSubstr("  nearly  OpenCL repeats a pattern"));
    EXPECT_TRUE(std::regex_search(
        e.out, std::regex(R"(backends/opencl/run\.cpp:\d+\n +queue\.enqueueFillBuffer\()")))
        << e.out;
    EXPECT_TRUE(std::regex_search(
        e.out, std::regex(R"(backends/cuda/run\.cpp:\d+\n +CHECK\(context, cudaMemsetAsync\()")))
        << e.out;
    EXPECT_EQ(count_of(e.out, "  OpenCL  "), 1u) << "the exact word selects this one";
}

TEST_F(Map, AMisspeltWordSaysWhatWasTaken) {
    const Ended e = run({"map", "__synctreads"});
    EXPECT_EQ(e.code, 0);
    EXPECT_THAT(e.err, HasSubstr("No row speaks of '__synctreads'; nearest: '__syncthreads'."));
    EXPECT_THAT(e.out, HasSubstr("barrier(CLK_LOCAL_MEM_FENCE)"));
}

TEST_F(Map, AConceptComesFirstAndMoreForTheAsking) {
    const Ended few = run({"map", "warp"});
    EXPECT_EQ(few.code, 0);
    EXPECT_EQ(few.out.find("  OpenCL  sub-group\n"), few.out.find("  OpenCL  "));
    EXPECT_THAT(few.err, HasSubstr("--all shows them"));
    const Ended all = run({"map", "warp", "--all"});
    EXPECT_EQ(all.err, "");
    EXPECT_GT(count_of(all.out, "  OpenCL  "), count_of(few.out, "  OpenCL  "));
    EXPECT_THAT(all.out, HasSubstr("get_sub_group_<size"));
}

TEST_F(Map, TheRowOfTheWordItselfComesFirstAndTheTranslatorsOwnNeverBefore) {
    const std::string own = "  CUDA    make_float4_\n";
    const Ended e = run({"map", "float4"});
    EXPECT_EQ(e.code, 0);
    EXPECT_EQ(e.out.find("kernel language: vectors\n\n  OpenCL  float4\n  CUDA    float4\n"), 0u);
    EXPECT_THAT(e.out, HasSubstr("  CUDA    make_T4($, $, $, $)\n"));
    EXPECT_THAT(e.out, HasSubstr("cl_float4"));
    EXPECT_EQ(count_of(e.out, "kernel language: vectors\n"), 1u) << "one heading for all its rows";
    EXPECT_THAT(e.out, Not(HasSubstr(own)));
    for (const char* word : {"make_float4", "float4 v = make_float4(a, b, c, d);"}) {
        const Ended made = run({"map", word});
        EXPECT_THAT(made.out, HasSubstr("  OpenCL  (T4)($, $, $, $)\n")) << word;
        EXPECT_THAT(made.out, Not(HasSubstr(own))) << word;
    }
    EXPECT_THAT(run({"map", "threadIdx"}).out, Not(HasSubstr(own)));
    // --all shows it last; so does a search without other matches.
    const Ended all = run({"map", "make_float4", "--all"});
    EXPECT_LT(all.out.find("(T4)($, $, $, $)"), all.out.find(own));
    EXPECT_TRUE(all.out.find(own) != std::string::npos);
    EXPECT_EQ(run({"map", "class"}).out.find("kernel language: names\n"), 0u);
}

TEST_F(Map, AWordOfCudaShowsCudaFirstAndWhatTakesItsPlace) {
    const Ended index = run({"map", "threadIdx.x"});
    EXPECT_EQ(index.out.find("kernel language: from CUDA\n\n  CUDA    threadIdx.$\n"
                             "  OpenCL  (uint)get_local_id($)\n"),
              0u)
        << index.out;
    const std::pair<const char*, const char*> asked[] = {
        {"dynamic parallelism", "enqueue_kernel"},
        {"atomicAdd_block", "memory_scope_work_group"},
        {"cuda::atomic_ref", "atomic_fetch_add_explicit"},
        {"__managed__", "clSVMAlloc"},
        {"__dp4a", "dot_4x8packed_ss_int"},
        {"__byte_perm", "shuffle2"},
        {"__funnelshift_r", "written out"},
        {"__brev", "written out"},
        {"__vadd4", "add_sat"},
        {"cp.async", "OpenCL (refused) none Asynchronous copies into shared memory"},
        {"cuda::memcpy_async", "memcpy_async have no counterpart"},
        {"cl_khr_kernel_clock", "has no clock but"},
        {"nvprof", "Intercept Layer"},
        {"fp8", "floats of 8 bits"},
        {"virtual memory", "cuMemAddressReserve"},
        {"HIP", "look for CUDA's word"},
        {"SYCL", "captured through"},
        {"cuda::pipeline", "no counterpart"},
        {"wmma", "inline PTX"},
        {"mma.sync", "inline PTX"},
        {"__grid_constant__", "a copy of the work-item's own"},
        {"__nanosleep", "cannot wait"},
        {"assert", "write what is wrong into a buffer"},
        {"__trap", "cannot stop a launch"}};
    for (const auto& [word, place] : asked) {
        const Ended e = run({"map", word});
        std::string out;  // without line breaks
        for (const char c : e.out) {
            if (c != '\n' && !(c == ' ' && out.ends_with(' '))) out += c;
            if (c == '\n' && !out.ends_with(' ')) out += ' ';
        }
        EXPECT_EQ(e.code, 0) << word;
        EXPECT_THAT(out, HasSubstr(place)) << word;
    }
    // A page also has the rejected words.
    EXPECT_THAT(run({"map", "wmma", "--format", "md"}).out,
                HasSubstr("| CUDA | OpenCL |  | what to know |\n"));
    EXPECT_THAT(run({"map"}).out, HasSubstr("  CUDA    nvcuda, wmma, mma\n  OpenCL  (refused)\n"));
}

TEST_F(Map, AKernelsLineIsShownInBothLanguages) {
    const Ended e = run({"map", "kernels/cuda/transpose.cu:9"});
    EXPECT_EQ(e.code, 0);
    EXPECT_THAT(e.out,
                HasSubstr("kernels/cuda/transpose.cu:9\n    const size_t x = size_t(blockIdx.x)"));
    EXPECT_THAT(e.out, HasSubstr("kernels/transpose.cl:7\n    const size_t x = get_group_id(0)"));
    EXPECT_THAT(e.out, HasSubstr("  OpenCL  get_group_id($)\n"));
    EXPECT_THAT(run({"map", "kernels/cuda/smoothing.cu:2"}).out,
                HasSubstr("before the kernel's own"));
}

TEST_F(Map, OptionsAreWordsToo) {
    EXPECT_THAT(run({"map", "--", "--fmad=false"}).out, HasSubstr("FP_CONTRACT OFF"));
    EXPECT_THAT(run({"map", "fmad"}).out, HasSubstr("--fmad=false"));
}

TEST_F(Map, ThePageIsWholeTables) {
    const Ended e = run({"map", "--format", "md"});
    EXPECT_EQ(e.code, 0);
    EXPECT_EQ(e.out.find("# "), 0u);
    std::size_t bars = 0, rows = 0;
    for (const std::string& line : lines_of_text(e.out)) {
        if (!line.starts_with('|')) {
            bars = 0;
            continue;
        }
        const std::size_t here = count_of(line, "|") - count_of(line, "\\|");
        if (bars != 0) {
            EXPECT_EQ(here, bars) << line;
        }
        bars = here;
        EXPECT_EQ(count_of(line, "`") % 2, 0u) << line;
        ++rows;
    }
    std::size_t topics = 0;
    for (const std::string& line : lines_of_text(e.out)) topics += line.starts_with("## ") ? 1 : 0;
    EXPECT_EQ(rows, whole_map().size() + 2 * topics) << "a head and a line below it each";
}

TEST_F(Map, ThePagesLinksLeadToFiles) {
    const std::string page = run({"map", "--format", "md"}).out;
    const fs::path docs = fs::path(SOURCE_ROOT "/docs/examples").parent_path();
    const std::regex link(R"(\]\(([^)]+)\))");
    std::size_t count = 0;
    for (std::sregex_iterator at(page.begin(), page.end(), link), end; at != end; ++at) {
        EXPECT_TRUE(fs::is_regular_file(docs / (*at)[1].str())) << (*at)[1];
        ++count;
    }
    EXPECT_GT(count, 150u);
}

TEST_F(Map, AWordAsMarkdown) {
    const Ended e = run({"map", "bank conflict", "--format", "md"});
    EXPECT_THAT(e.out, HasSubstr("## memory model\n"));
    EXPECT_THAT(e.out, HasSubstr("| `bank conflict` | `bank conflict` | same |"));
}

TEST_F(Map, CudasOwnNamesStandWhereThePreludeHasAFunction) {
    const Ended popc = run({"map", "__popc"});
    EXPECT_THAT(popc.out, HasSubstr("  OpenCL  popcount($)\n  CUDA    __popc, __popcll\n"
                                    "  prelude popcount($)\n"));
    const Ended shuffle = run({"map", "__shfl_down_sync"});
    EXPECT_THAT(shuffle.out, HasSubstr("  OpenCL  sub_group_shuffle_down($, $)\n"
                                       "  CUDA    __shfl_down_sync\n"));
    EXPECT_THAT(run({"map", "__ballot_sync"}).out, HasSubstr("  CUDA    __ballot_sync\n"));
    EXPECT_THAT(run({"map", "vload4"}).out,
                HasSubstr("  CUDA    (no function of its own)\n  prelude vload4($, $)\n"));
    EXPECT_THAT(run({"map", "popcount", "--format", "md"}).out,
                HasSubstr("| `__popc, __popcll`, by `popcount($)` of the prelude |"));
}

TEST_F(Map, WhatOpenClLacksHasSomethingInItsPlace) {
    EXPECT_THAT(run({"map", "cublasSgemm"}).out, HasSubstr("  OpenCL  CLBlast\n"));
    EXPECT_THAT(run({"map", "thrust"}).out, HasSubstr("  OpenCL  Boost.Compute\n"));
    EXPECT_THAT(run({"map", "thrust::reduce"}).out, HasSubstr("Boost.Compute"));
    EXPECT_THAT(run({"map", "dynamic", "parallelism"}).out, HasSubstr("Launch from the host."));
    EXPECT_EQ(run({"map", "dynamic", "parallelism"}).out, run({"map", "dynamic parallelism"}).out);
}

TEST_F(Map, ACallOfTheHostIsShownWholeInBothPrograms) {
    const Ended e = run({"map", "clEnqueueWriteBuffer"});
    EXPECT_TRUE(std::regex_search(
        e.out,
        std::regex(R"(  example docs/examples/host/saxpy_opencl\.cpp:\d+\n)"
                   R"( +check\(clEnqueueWriteBuffer\([^;]+;\n)"
                   R"( +docs/examples/host/saxpy_cuda\.cpp:\d+\n +check\(cudaMemcpy[^;]+;\n)")))
        << e.out;
    // A statement begins where it begins, not at the word.
    EXPECT_THAT(run({"map", "clCreateContext"}).out, Not(HasSubstr("\n            clCreate")));
}

TEST_F(Map, WhatItCannotAnswerIsTwo) {
    expect_usage({"map", "nowhere to be found"}, "No row");
    expect_usage({"map", ""}, "empty");
    expect_usage({"map", "%s{}{0}%n"}, "No row speaks of '%s{}{0}%n'");
    expect_usage({"map", std::string("\x1b[2J\xff\x01", 6)}, "No row");
    expect_usage({"map", std::string(100000, 'x')}, "xxx...");
    expect_usage({"map", "kernels/cuda/transpose.cu:26"}, "same in both languages");
    expect_usage({"map", "backends/cuda/run.cpp:0"}, "has no line 0");
    expect_usage({"map", "backends/cuda/run.cpp:98765"}, "its lines are 1 to");
    expect_usage({"map", "backends/hip/run.cpp:1"}, "knows no file");
    expect_usage({"map", "run.cpp:1"}, "Say which");
    expect_usage({"map", "warp", "--format", "xml"}, "md");
}

}  // namespace
}  // namespace parallax::cli::map_test
