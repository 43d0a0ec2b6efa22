// Answers of the map to words, phrases, code, names of lines and nonsense.
#include "mapping/search/search_answer.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/tests/thorough.hpp"
#include "common/text/characters.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/analyze/builtins.hpp"
#include "mapping/search/search_words.hpp"

namespace parallax::answer_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

/// OpenCL's spellings of the rows that were found.
std::vector<std::string> rows_of(std::string_view question) {
    std::vector<std::string> rows;
    for (const Found& one : answer_to(question).found) rows.emplace_back(one.row->opencl);
    return rows;
}

std::string first_of(std::string_view question) {
    return rows_of(question).front();
}

std::string refusal(std::string_view question) {
    try {
        answer_to(question);
    } catch (const UsageError& error) {
        return error.what();
    }
    return {};
}

TEST(Answer, ToWordsOfEitherSide) {
    EXPECT_EQ(first_of("clEnqueueWriteBuffer"), "clEnqueueWriteBuffer");
    EXPECT_EQ(first_of("cudaMemsetAsync"), "clEnqueueFillBuffer");
    EXPECT_EQ(first_of("__shared__"), "__local");
    EXPECT_EQ(first_of("threadIdx"), "(uint)get_local_id($)");
    EXPECT_EQ(first_of("get_global_id"), "get_global_id($)");
    EXPECT_EQ(first_of("--fmad=false"), "#pragma OPENCL FP_CONTRACT OFF");
    EXPECT_EQ(first_of("-cl-std=CL3.0"), "-cl-std=CL1.2");
    EXPECT_EQ(first_of("cudaDeviceProp::uuid"), "CL_DEVICE_UUID_KHR");
}

TEST(Answer, WithoutPrefixesInAnyCaseAndInTheBindingsSpelling) {
    for (const char* word : {"enqueueWriteBuffer", "CLENQUEUEWRITEBUFFER", "enqueuewritebuffer",
                             "  clEnqueueWriteBuffer ", "clEnqueueWriteBuffer()"}) {
        EXPECT_EQ(first_of(word), "clEnqueueWriteBuffer") << word;
    }
    EXPECT_EQ(first_of("cl::Buffer"), "clCreateBuffer");
    EXPECT_EQ(first_of("streamwaitevent"), "clEnqueueBarrierWithWaitList");
    EXPECT_EQ(first_of("SYNCTHREADS"), "barrier(CLK_LOCAL_MEM_FENCE)");
    EXPECT_EQ(first_of("cl::Platform::get"), "clGetPlatformIDs");
}

TEST(Answer, ToConcepts) {
    EXPECT_EQ(first_of("warp"), "sub-group");
    EXPECT_EQ(first_of("zero copy"), "CL_MEM_ALLOC_HOST_PTR as a kernel's argument");
    EXPECT_EQ(first_of("Zero-Copy"), "CL_MEM_ALLOC_HOST_PTR as a kernel's argument");
    EXPECT_EQ(first_of("bank conflict"), "bank conflict");
    EXPECT_EQ(first_of("bank conflicts"), "bank conflict");
    EXPECT_EQ(first_of("pinned"), "CL_MEM_ALLOC_HOST_PTR with clEnqueueMapBuffer");
    EXPECT_EQ(first_of("default stream"), "");
    EXPECT_EQ(first_of("spills"), "private memory");
    EXPECT_THAT(rows_of("local memory"), Contains("local memory"));
    EXPECT_THAT(rows_of("local memory"), Contains("private memory"));
}

TEST(Answer, TheWordItselfComesBeforeWordsThatHoldIt) {
    const Answer answer = answer_to("cudaMemcpy");
    EXPECT_EQ(answer.found.front().match, Match::exact);
    EXPECT_TRUE(std::ranges::is_sorted(answer.found, {}, &Found::match));
    EXPECT_GT(answer.found.back().match, Match::form);
    const auto find = [&](Match match) {
        return std::ranges::find(answer.found, match, &Found::match);
    };
    EXPECT_NE(find(Match::beginning), answer.found.end());
}

/// The left side of a rule as a call, with names for its arguments; empty: it is no call.
std::string call_of(std::string_view opencl) {
    const std::size_t open = opencl.find('(');
    if (open == 0 || open == opencl.npos || opencl.starts_with("__attribute__")) return {};
    std::string call;
    char name = 'a';
    for (const char c : opencl) {
        call += c == '$' ? std::string{name++} : std::string{c};
    }
    return call;
}

TEST(Answer, EachCallThatIsTranslatedFindsItsRowAndNotARefusal) {
    std::size_t calls = 0;
    for (const MappingRule& row : mapping_table()) {
        if (row.equivalence == Equivalence::none) continue;
        for (const Spelling& one : spellings_of(row)) {
            const std::string call = call_of(one.opencl);
            if (call.empty() || words_in_code(call).empty()) continue;
            ++calls;
            for (const std::string& question : {call, "x = " + call + ";"}) {
                const Answer answer = answer_to(question);
                EXPECT_NE(answer.found.front().row->equivalence, Equivalence::none) << question;
                EXPECT_TRUE(answer.unknown.empty()) << question;
                const std::string word = words_in_code(one.opencl).front();
                EXPECT_TRUE(std::ranges::any_of(answer.found, [&](const Found& found) {
                    return std::ranges::any_of(spellings_of(*found.row), [&](const Spelling& s) {
                        return has_word(s.opencl, word) || has_word(s.cuda, word);
                    });
                })) << question;
            }
        }
    }
    EXPECT_GT(calls, 500u);
}

TEST(Answer, ConversionsOfVectorsFindTheRowOfTheirElements) {
    std::size_t calls = 0;
    for (const std::string_view element : vector_elements) {
        for (const std::string_view width : {"", "2", "3", "4", "8", "16"}) {
            const std::string type = std::string(element) + std::string(width);
            EXPECT_EQ(first_of("as_" + type + "(x)"), "as_<type>($)");
            for (const std::string_view mode : {"", "_rte", "_rtz", "_rtp", "_rtn"}) {
                for (const std::string_view sat : {"", "_sat"}) {
                    const std::string name = fmt::format("convert_{}{}{}", type, sat, mode);
                    if (!conversion_named(name)) continue;
                    ++calls;
                    for (const std::string& question : {name, name + "(x)"}) {
                        EXPECT_THAT(first_of(question), StartsWith("convert_<")) << question;
                    }
                }
            }
        }
    }
    EXPECT_GT(calls, 500u);
    EXPECT_EQ(first_of("convert_uchar4_sat"), "convert_<integer>_sat<|_rte|_rtz|_rtp|_rtn>($)");
    EXPECT_EQ(first_of("convert_foo4(x)"), "as_*(), convert_*()");
}

TEST(Answer, WhatIsRefusedFindsItsOwnReason) {
    EXPECT_THAT(first_of("enqueue_kernel"), StartsWith("enqueue_kernel()"));
    EXPECT_THAT(first_of("enqueue_kernel(q, flags, range, block)"), StartsWith("enqueue_kernel()"));
    EXPECT_THAT(first_of("dynamic parallelism"), StartsWith("enqueue_kernel()"));
    for (const char* word : {"pipe", "read_pipe", "write_pipe(p, &x)", "reserve_id_t"}) {
        EXPECT_THAT(first_of(word), StartsWith("pipe, ")) << word;
    }
    EXPECT_EQ(first_of("image1d_t"), "image1d_t");
}

TEST(Answer, ToWordsAndNotToPartsOfThem) {
    EXPECT_THAT(rows_of("ffs"), ElementsAre("f($)", "ctz($)")) << "an offset has none";
    EXPECT_EQ(first_of("__ffs"), "f($)");
    EXPECT_THAT(rows_of("memcpy"), Contains("clEnqueueCopyBuffer"));
    EXPECT_THAT(rows_of("writebuffer"), Contains("clEnqueueWriteBuffer"));
    EXPECT_THAT(rows_of("bank"), Contains("bank conflict"));
    EXPECT_EQ(first_of("threads"), "work-item");
    for (const Found& one : answer_to("event").found) {
        EXPECT_NE(one.row->opencl, "prefetch($, $)");
    }
    EXPECT_THAT(rows_of("occupan"), Contains("")) << "the beginning of one that nothing else has";
}

TEST(Answer, WithTheCounterpartAndNotItsNeighbour) {
    const std::map<std::string_view, std::string_view> counterparts{
        {"clCreateProgramWithIL", "cudaLibraryLoadData"},
        {"clEnqueueFillImage", ""},
        {"clEnqueueCopyImage", "cudaMemcpy2DArrayToArray"},
        {"cudaMemcpy2DArrayToArray", "cudaMemcpy2DArrayToArray"},
        {"cudaImportExternalMemory", "cudaImportExternalMemory"},
        {"CL_MEM_OBJECT_IMAGE2D_ARRAY", "cudaMalloc3DArray with cudaArrayLayered or without"},
        {"malloc in kernel", "malloc in a kernel"},
        {"clSetKernelExecInfo", ""},
        {"clEnqueueTask", "launch of one block of one thread"},
        {"cudaMemcpy", "cudaMemcpy of the default stream, or cudaMemcpyAsync"},
        {"cudaErrorNoDevice", "cudaErrorNoDevice"},
        {"cudaGraphLaunch", "cudaGraphLaunch"},
        {"cudaGraphInstantiate", "cudaGraphInstantiate"},
    };
    for (const auto& [word, cuda] : counterparts) {
        EXPECT_EQ(answer_to(word).found.front().row->cuda, cuda) << word;
    }
    EXPECT_THAT(first_of("atomicAdd_block"), HasSubstr("_explicit("));
    EXPECT_EQ(first_of("CL_DEVICE_NOT_FOUND"), "CL_DEVICE_NOT_FOUND");
}

TEST(Answer, ATopicsNameFindsAllOfIt) {
    const Answer answer = answer_to("Memory Model");
    const auto count = std::ranges::count_if(
        answer.found, [](const Found& one) { return one.row->topic == "memory model"; });
    EXPECT_EQ(count, std::ranges::count(whole_map(), "memory model", &MappingRule::topic));
    EXPECT_THAT(rows_of("kernel language: atomics"), Contains("<atomic|atom>_add($, $)"));
}

TEST(Answer, ToMisspeltWords) {
    const auto nearest = [](std::string_view word) {
        const Answer answer = answer_to(word);
        EXPECT_EQ(answer.unknown.size(), 1u) << word;
        return answer.unknown.empty() ? std::vector<std::string>{} : answer.unknown[0].nearest;
    };
    EXPECT_THAT(nearest("__synctreads"), ElementsAre("__syncthreads"));
    EXPECT_EQ(first_of("__synctreads"), "barrier(CLK_LOCAL_MEM_FENCE)");
    EXPECT_THAT(nearest("clEnqeueWriteBuffer"), ElementsAre("clEnqueueWriteBuffer"));
    EXPECT_EQ(first_of("clEnqeueWriteBuffer"), "clEnqueueWriteBuffer");
    EXPECT_THAT(nearest("get_globl_id"), ElementsAre("get_global_id"));
    EXPECT_THAT(nearest("cudaMemcpyAsnyc"), ElementsAre("cudaMemcpyAsync"));
    EXPECT_THAT(nearest("zerocopy"), Contains("zero copy"));
    EXPECT_THAT(nearest("occupnacy"), Contains("occupancy"));
}

TEST(Answer, OneDimensionStandsForAll) {
    EXPECT_EQ(first_of("threadIdx.x"), first_of("threadIdx"));
    EXPECT_EQ(first_of("blockDim.y"), first_of("blockDim"));
    EXPECT_EQ(first_of("gridDim.z"), first_of("gridDim"));
    EXPECT_NE(first_of("threadIdx.x"), "");
}

TEST(Answer, ToALineOfCode) {
    EXPECT_THAT(rows_of("cudaMemcpyAsync(p, q, n, cudaMemcpyHostToDevice, s);"),
                ElementsAre("clEnqueueWriteBuffer"));
    EXPECT_THAT(rows_of("cudaMemcpyAsync(p, q, n, cudaMemcpyDeviceToHost, s);"),
                ElementsAre("clEnqueueReadBuffer"));
    EXPECT_THAT(rows_of("transpose<<<grid, block, 0, stream>>>(a, b);"),
                ElementsAre("global_work_size, local_work_size"));
    EXPECT_THAT(rows_of("const size_t x = get_global_id(0);"),
                ElementsAre("get_global_id($)", "size_t"));
    EXPECT_THAT(rows_of("x = size_t(blockIdx.x) * blockDim.x + threadIdx.x;"),
                Contains("get_global_id($)"));
    EXPECT_EQ(first_of("x = blockIdx.x * 32;"), "(uint)get_group_id($)");
    EXPECT_THAT(rows_of("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"),
                Contains("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)"));
    EXPECT_THAT(rows_of("__shared__ float tile[32][33];"), Contains("__local"));
    EXPECT_THAT(rows_of("if (clWaitForEvents(1, &e) != CL_SUCCESS) return;"),
                ElementsAre("clWaitForEvents", "CL_SUCCESS"));
}

TEST(Answer, InHostCodeWordsOfAnyLanguageSayNothing) {
    EXPECT_THAT(rows_of("float* p = nullptr; cudaMalloc(&p, n * sizeof(float));"),
                Not(Contains("float")));
    EXPECT_THAT(rows_of("float* p = f(n);"), Contains("float"));
    EXPECT_THAT(rows_of("clFinish(NULL);"), ElementsAre("clFinish"));
}

TEST(Answer, AMisspeltWordInALineOfCodeIsNamed) {
    const Answer answer = answer_to("cudaFree(p); cudaMemcpyAsnc(p, q); __no_such_thing_at_all__;");
    EXPECT_THAT(rows_of("cudaFree(p);"), ElementsAre("clReleaseMemObject"));
    ASSERT_EQ(answer.unknown.size(), 2u);
    EXPECT_EQ(answer.unknown[0].word, "cudaMemcpyAsnc");
    EXPECT_THAT(answer.unknown[0].nearest, ElementsAre("cudaMemcpyAsync"));
    EXPECT_THAT(answer.unknown[1].nearest, IsEmpty());
}

TEST(Answer, ToANamedLine) {
    const auto text = *source_text("backends/cuda/run.cpp");
    const std::string_view call = "CHECK(context, cudaLaunchKernel(";
    const auto number = std::ranges::count(text.substr(0, text.find(call)), '\n') + 1;
    for (const std::string& file :
         {std::string("backends/cuda/run.cpp"), std::string("cuda/run.cpp"),
          std::string("./backends/cuda/run.cpp"),
          std::string("/home/me/parallax/backends/cuda/run.cpp")}) {
        for (const char* behind : {"", ":7", ":", ":7:"}) {
            const Answer answer = answer_to(file + ":" + std::to_string(number) + behind);
            ASSERT_TRUE(answer.line) << file << behind;
            EXPECT_NE(answer.line->line.text.find(call), std::string_view::npos);
            EXPECT_EQ(answer.found.front().row->opencl, "clEnqueueNDRangeKernel");
        }
    }
}

TEST(Answer, ToALineOfAKernelBothLinesSpeak) {
    const auto text = *source_text("kernels/transpose.cl");
    const auto number = std::ranges::count(text.substr(0, text.find("barrier(")), '\n') + 1;
    const Answer answer = answer_to("kernels/transpose.cl:" + std::to_string(number));
    ASSERT_TRUE(answer.line && answer.line->other);
    EXPECT_THAT(std::string(answer.line->other->text), HasSubstr("__syncthreads()"));
    EXPECT_EQ(answer.found.front().row->opencl, "barrier(CLK_LOCAL_MEM_FENCE)");
}

TEST(Answer, WhatIsNotThereIsRefusedWithAdvice) {
    EXPECT_THAT(refusal(""), HasSubstr("empty"));
    EXPECT_THAT(refusal(" \n\t "), HasSubstr("empty"));
    EXPECT_THAT(refusal("frobnicate"), HasSubstr("No row speaks of 'frobnicate'"));
    EXPECT_THAT(refusal("nowhere to be found"), HasSubstr("'parallax map' shows all rows"));
    EXPECT_THAT(refusal("x = y + zzz;"), HasSubstr("No row"));
    EXPECT_THAT(refusal("nofile.cpp:3"), HasSubstr("knows no file 'nofile.cpp'"));
    EXPECT_THAT(refusal("run.cpp:3"), HasSubstr("Say which"));
    EXPECT_THAT(refusal("kernels/transpose.cl"), HasSubstr("Say which line"));
    EXPECT_THAT(refusal("kernels/transpose.cl:0"), HasSubstr("has no line 0"));
    EXPECT_THAT(refusal("kernels/transpose.cl:100000"), HasSubstr("its lines are 1 to"));
    EXPECT_THAT(refusal("kernels/transpose.cl:99999999999999999999999999"),
                HasSubstr("has no line"));
    EXPECT_THAT(refusal("backends/cuda/run.cpp:3"), Not(IsEmpty())) << "an include";
}

TEST(Answer, NothingOfAQuestionSteersAMessage) {
    for (const std::string& question :
         {std::string("%s%n{}{0}{"), std::string("\x1b[31mred"), std::string("\0\0\x01\xff", 4),
          std::string(1 << 20, 'q'), std::string(1 << 20, '{'), std::string(1 << 16, '/') + ".c:1",
          std::string("\xe2\x80\xae")}) {
        const std::string said = refusal(question);
        EXPECT_FALSE(said.empty());
        EXPECT_LT(said.size(), 600u);
        EXPECT_EQ(said.find('\x1b'), std::string::npos);
        EXPECT_EQ(said.find('\0'), std::string::npos);
    }
}

TEST(Answer, EveryLineOfEverySourceIsAnsweredOrRefused) {
    // Every third line of each file, or all.
    const std::size_t step = test::is_thorough() ? 1 : 3;
    std::size_t answered = 0, refused = 0;
    for (const EmbeddedFile& file : mapped_sources()) {
        std::size_t number = 0;
        for (const std::string_view line : lines_of(file.text)) {
            if (number++ % step != 0) continue;
            for (const std::string& question :
                 {std::string(file.name) + ":" + std::to_string(number), std::string(line)}) {
                try {
                    const Answer answer = answer_to(question);
                    EXPECT_FALSE(answer.found.empty());
                    ++answered;
                } catch (const UsageError& error) {
                    EXPECT_LT(std::string_view(error.what()).size(), 600u);
                    ++refused;
                }
            }
        }
    }
    EXPECT_GT(answered, 2000 / step);
    EXPECT_GT(refused, 100 / step) << "lines without any word of the map";
}

TEST(Answer, ALineIsNoBook) {
    std::string words;
    while (words.size() < 100'000) words += fmt::format("clFoo{}; ", words.size());
    try {
        answer_to(words);
        FAIL() << "it was taken";
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("4096 are the most"));
        EXPECT_LT(std::string_view(error.what()).size(), 200u);
    }
    EXPECT_FALSE(answer_to("barrier" + std::string(100'000, ' ')).found.empty());
}

}  // namespace
}  // namespace parallax::answer_test
