// Tests the generator of kernels: reproducible for a seed, fully reduced, distinguished.
#include <algorithm>
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "benchmarks/generated/grammar.hpp"
#include "benchmarks/generated/kernel_judge.hpp"
#include "common/device/devices.hpp"
#include "common/text/characters.hpp"
#include "mapping/from_cuda/to_opencl.hpp"

namespace parallax::generated {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

std::string whole_text(const File& file) {
    std::vector<std::size_t> all(file.kernels.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return text_of(file, all);
}

TEST(Generated, ASeedAndANumberGiveTheSameFile) {
    const Dialect dialect{.has_double = true};
    std::set<std::string> texts;
    for (std::size_t number = 0; number < 20; ++number) {
        const std::string text = whole_text(file_of(7, number, 4, dialect));
        EXPECT_EQ(text, whole_text(file_of(7, number, 4, dialect)));
        texts.insert(text);
        texts.insert(whole_text(file_of(8, number, 4, dialect)));
    }
    EXPECT_THAT(texts, SizeIs(40));
}

TEST(Generated, AKernelIsTheSameAmongOthersAndAlone) {
    const File file = file_of(3, 5, 6, {});
    const std::string alone = text_of(file, {4});
    const std::string body = text_of(file.kernels[4]);
    EXPECT_THAT(alone, HasSubstr(body));
    EXPECT_THAT(whole_text(file), HasSubstr(body));
}

Node expression(char level, const char* pattern, std::vector<Node> parts = {}) {
    return {pattern, std::move(parts), true, level, {Base::u32}, {0, 9999}};
}

TEST(Generated, OperatorsBindAsTheTreeSays) {
    const Node a = expression('p', "a"), sum = expression('l', "$l- + $m-", {a, a});
    EXPECT_EQ(text_of(expression('m', "$m- * $n-", {sum, a})), "(a + a) * a");
    EXPECT_EQ(text_of(expression('l', "$l- - $m-", {sum, sum})), "a + a - (a + a)");
    EXPECT_EQ(text_of(expression('o', "f($b-, $b-)", {sum, a})), "f(a + a, a)");
}

TEST(Generated, AKernelIsReducedToWhatShowsIt) {
    unsigned reduced_ones = 0;
    for (std::size_t number = 0; number < 40; ++number) {
        const File file = file_of(4, number, 1, {});
        const auto shows = [](const File& tried) {
            return has_word(text_of(tried.kernels.front()), "bitselect");
        };
        if (!shows(file)) continue;
        ++reduced_ones;
        const std::string body = text_of(reduced(file, shows, 1000).kernels.front());
        EXPECT_TRUE(has_word(body, "bitselect"));
        EXPECT_LE(std::ranges::count(body, '\n'), 10) << body;
        EXPECT_LE(body.size(), 200) << body;
    }
    EXPECT_GT(reduced_ones, 1);
}

TEST(Generated, NothingIsReducedByMoreTriesThanAreAllowed) {
    unsigned tries = 0;
    reduced(
        file_of(4, 1, 1, {}), [&](const File&) { return ++tries == 0; }, 3);
    EXPECT_EQ(tries, 3);
}

/// A file of kernels with these statements.
File file_with(std::initializer_list<std::string_view> bodies) {
    File file;
    for (const std::string_view one : bodies) file.kernels.push_back(block({{std::string(one)}}));
    return file;
}

struct GeneratedOnDevices : testing::Test {
    void SetUp() override {
        const Devices devices = find_devices(backends());
        for (const Entry& one : devices.entries) {
            if (one.info.is_pocl() && !reference) reference = one.open();
            if (one.info.id() == "host:0") host = one.open();
        }
        if (!reference || !host) GTEST_SKIP() << "PoCL and the host are needed.";
    }
    std::unique_ptr<Device> reference, host;
};

TEST_F(GeneratedOnDevices, WhatOneKernelDoesIsNotTheOthers) {
    const File file = file_with({"    out[0] = in[0];\n", "    out[0] = no_such_function(in[0]);\n",
                                 "    out[1] = in[1] + 1;\n"});
    Judge judge(*reference, {{host.get()}}, [] {});
    const std::vector<Finding> findings = judge.judge(file, {0, 1, 2});
    ASSERT_THAT(findings, SizeIs(1));
    EXPECT_EQ(findings[0].kernel, 1);
    EXPECT_EQ(findings[0].end, "OpenCL does not compile");
    EXPECT_THAT(findings[0].reason, HasSubstr("no_such_function"));
}

TEST_F(GeneratedOnDevices, WhatHasNoWayBackFromCudaIsCountedApart) {
    try {
        to_opencl("x.cu", "", {}, false);
    } catch (const Unsupported& error) {
        GTEST_SKIP() << error.what();
    }
    const File file = file_with(
        {"    out[0] = in[0] * 3u + rotate(in[1], 5u);\n", "    out[1] = ilogb((float)in[0]);\n"});
    const std::vector<Finding> findings =
        Judge(*reference, {{reference.get(), back_from_cuda}}, [] {}).judge(file, {0, 1});
    ASSERT_THAT(findings, SizeIs(2));  // as it is, and preprocessed
    for (const Finding& one : findings) {
        EXPECT_EQ(one.kernel, 1);
        EXPECT_EQ(one.end, refused_back);
        EXPECT_THAT(one.reason, HasSubstr("ilogb"));
    }
}

TEST_F(GeneratedOnDevices, AnotherAnswerIsADifferenceInBothWaysAndIsReduced) {
    const auto altered = [](Program program) {
        for (std::size_t at = 0; (at = program.source.find("4711", at)) != std::string::npos;)
            program.source.replace(at, 4, "4712");
        return program;
    };
    Judge judge(*reference, {{host.get(), altered}}, [] {});
    File file = file_with({"    out[0] = in[0];\n"});
    const Node sum =
        expression('l', "$l- + $m-", {expression('p', "4711u"), expression('p', "1u")});
    file.kernels.push_back(block(
        {{"    out[0] = in[0];\n"}, {"    out[1] = $b-;\n", {sum}}, {"    out[2] = in[2];\n"}}));
    const std::vector<Finding> findings = judge.judge(file, {0, 1});
    ASSERT_THAT(findings, SizeIs(2));
    for (const Finding& one : findings) {
        EXPECT_EQ(one.kernel, 1);
        EXPECT_EQ(one.end, "differs");
        EXPECT_THAT(one.reason, HasSubstr("out[1]"));
    }
    EXPECT_NE(findings[0].is_expanded, findings[1].is_expanded);
    file.kernels.erase(file.kernels.begin());
    const File small = reduced(
        file, [&](const File& tried) { return judge.shows(tried, findings[0]); }, 20);
    EXPECT_EQ(text_of(small.kernels.front()), "    out[1] = 4711u;\n");
}

}  // namespace
}  // namespace parallax::generated
