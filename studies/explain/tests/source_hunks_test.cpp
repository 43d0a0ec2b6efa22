// Differences of two sources: that taking all of them over makes the other's body, whatever a knob
// changed, and what is said of each.
#include "studies/explain/source_hunks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "mapping/analyze/edited_source.hpp"
#include "measure/run_case.hpp"
#include "studies/explain/knobs.hpp"
#include "studies/explain/planted_gaps.hpp"

namespace parallax::source_hunks_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// The tokens of a kernel's body.
std::vector<std::string> body(std::string_view source, std::string_view kernel) {
    const EditedSource text(source);
    std::vector<std::string> words;
    for (const Item& item : text.items()) {
        if (!item.is_function() || item.body == 0 || !text[item.name].is(kernel)) continue;
        for (std::size_t i = item.body; i <= item.last; ++i) words.emplace_back(text[i].text);
    }
    return words;
}

std::vector<std::pair<std::string, std::string>> words_of(const std::vector<SourceHunk>& hunks) {
    std::vector<std::pair<std::string, std::string>> words;
    for (const SourceHunk& hunk : hunks) words.emplace_back(hunk.own, hunk.other);
    return words;
}

TEST(SourceHunks, EqualDifferencesAreOneAndOtherNamesAreNone) {
    const std::string own =
        "__global__ void heat(const float* src, float* dst, int n) {\n"
        "    int idx = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    float sum = 0.5 * src[idx];\n"
        "    for (int k = 0; k < 8; ++k) sum += src[idx + k] * 0.5;\n"
        "    dst[idx] = sum;\n}\n";
    const std::string other =
        "namespace t {\n__global__ void step(const float* in, float* out, int n) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    float total = 0.5f * in[i];\n"
        "    for (int k = 0; k < 8; ++k) total += in[i + k] * 0.5f;\n"
        "    __syncthreads();\n    out[i] = total;\n}\n}\n";
    const SourceToChange mine(own, SourceLanguage::cuda), theirs(other, SourceLanguage::cuda);
    const auto hunks = source_differences(mine, {"heat"}, theirs, {"t::step"}, 9).hunks;
    EXPECT_THAT(words_of(hunks),
                ElementsAre(std::pair("0.5", "0.5f"), std::pair("", "__syncthreads();")));
    ASSERT_EQ(hunks.size(), 2u);
    EXPECT_EQ(hunks[0].line, 3u);
    EXPECT_EQ(hunks[0].places, 2u);
    EXPECT_EQ(hunks[0].changed.find("0.5 "), std::string::npos) << hunks[0].changed;
    EXPECT_EQ(hunks[1].line, 5u);
    EXPECT_EQ(source_differences(mine, {"heat"}, theirs, {"t::step"}, 1).hunks.size(), 1u);
}

TEST(SourceHunks, ANameThatBothSourcesHaveIsNoOtherName) {
    const std::string own = "__kernel void f(__global int* a) { int i = 1, k = 2; a[i] = k; }",
                      other = "__kernel void f(__global int* a) { int i = 1, k = 2; a[k] = i; }";
    EXPECT_THAT(words_of(source_differences(own, {"f"}, other, {"f"}, 9).hunks),
                testing::UnorderedElementsAre(std::pair("i", "k"), std::pair("k", "i")));
}

TEST(SourceHunks, MembersAndReturnedValuesKeepTheirNames) {
    const std::string own =
                          "__global__ void k(float* data) { int i = threadIdx.x; data[i] = 1; }\n"
                          "__device__ int f() { int A = 1, C = 3; return A; }",
                      other =
                          "__global__ void k(float* x) { int i = threadIdx.x; x[i] = 2; }\n"
                          "__device__ int f() { int B = 1, C = 3; return C; }";
    const SourceToChange mine(own, SourceLanguage::cuda), theirs(other, SourceLanguage::cuda);
    // Launched twice, it is one kernel.
    const auto hunks = source_differences(mine, {"k", "k"}, theirs, {"k", "k"}, 9).hunks;
    EXPECT_THAT(words_of(hunks),
                testing::UnorderedElementsAre(std::pair("1", "2"), std::pair("A", "C")));
    for (const SourceHunk& hunk : hunks) EXPECT_EQ(hunk.places, 1u) << hunk.own;
}

TEST(SourceHunks, WhatComesBehindADirectiveIsNoPartOfIt) {
    const std::string own = "void f() { int a = 1;\n#ifdef N\na = 2;\n#endif\n}",
                      other = "void f() { int a = 1;\n#ifdef N\na = 2;\n#endif\na = 3; }";
    const Rewritten all = source_differences(own, {"f"}, other, {"f"}, 9).all;
    ASSERT_TRUE(all);
    EXPECT_NE(all->find("#endif\na = 3;"), std::string::npos) << *all;
}

TEST(SourceHunks, FunctionsOfTheOtherSourceComeAlong) {
    const std::string own = "// a sum\n__kernel void f(__global int* a) { a[0] = 2 * a[1]; }",
                      other =
                          "int twice(int x) { return x + x; }\n"
                          "__kernel void f(__global int* a) { a[0] = twice(a[1]); }";
    const SourceDifferences found = source_differences(own, {"f"}, other, {"f"}, 9);
    ASSERT_EQ(found.hunks.size(), 1u);
    EXPECT_EQ(found.hunks[0].changed, found.all) << "one of them calls it, too";
    EXPECT_EQ(found.all,
              "// a sum\nint twice(int x) { return x + x; }\n"
              "__kernel void f(__global int* a) { a[0] =    twice(a[1]) ; }");
}

TEST(SourceHunks, OneSourceOrAnotherKernelHasNone) {
    const std::string own = "__kernel void f(__global int* a) { a[0] = 1; }";
    EXPECT_THAT(source_differences(own, {"f"}, own, {"f"}, 9).hunks, IsEmpty());
    EXPECT_EQ(source_differences(own, {"f"}, own, {"f"}, 9).all, std::nullopt);
    EXPECT_THAT(source_differences(own, {"f"}, "__kernel void g() { }", {"h"}, 9).hunks, IsEmpty());
}

/// Every change of a source by a knob, taken over by the unchanged source.
TEST(SourceHunks, AllOfThemMakeTheOtherBody) {
    unsigned compared = 0;
    for (const PlantedGap& gap : gaps_of_strangers()) {
        const Case c = case_of(gap);
        const Program program = program_of(c, {}, "cuda");
        const Plan plan = plan_of(c);
        DeviceInfo device;
        device.backend = "cuda";
        const Codes none;
        const std::string own = edited_source(program);
        const std::vector<std::string> kernels = kernels_of(plan);
        for (const Knob& knob : knobs()) {
            for (const KnobChange& change : knob.changes({device, c, plan, program, none, none})) {
                Program changed = program;
                if (change.program) change.program(changed);
                const std::string other = edited_source(changed);
                if (other == own) continue;
                const auto [hunks, all] = source_differences(own, kernels, other, kernels, 99);
                for (const std::string& kernel : kernels) {
                    EXPECT_EQ(body(all.value_or(own), kernel), body(other, kernel))
                        << gap.name << " " << change.setting;
                }
                for (const SourceHunk& hunk : hunks) {
                    EXPECT_NO_THROW(EditedSource{hunk.changed}) << change.setting;
                    EXPECT_NE(hunk.changed, own) << change.setting;
                }
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 100u);
}

}  // namespace
}  // namespace parallax::source_hunks_test
