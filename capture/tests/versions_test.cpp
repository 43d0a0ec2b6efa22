// Tests two recordings of one problem side by side.
#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "cli/tests/command_line.hpp"
#include "common/error.hpp"
#include "studies/capture/program_pair.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::cli::versions_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

class Versions : public CommandLine {
protected:
    void SetUp() override {
        if (!has_device()) GTEST_SKIP() << "no OpenCL device";
    }
    static void record(const std::string& part, const std::string& folder,
                       const std::string& options = "") {
        ASSERT_EQ(shell(fmt::format("$P capture -o {} {} -- {} {} > out 2> err", folder, options,
                                    std::getenv("CAPTURED_PROGRAM"), part)),
                  0)
            << text_of("err");
    }
    static ProgramPair pair_of(const std::string& a, const std::string& b,
                               const std::vector<Both<std::string>>& by_hand = {}) {
        ProgramPair pair =
            pair_programs({read_capture(a), read_capture(b)}, recorded_pair({a, b}), by_hand);
        pair.names = {a, b};
        return pair;
    }
    /// `scale=Ocl_Scale_kernel, same bytes, 1`: the last is the agreement.
    static std::vector<std::string> words_of(const ProgramPair& pair) {
        std::vector<std::string> words;
        for (const KernelPair& one : pair.kernels) {
            words.push_back(fmt::format("{}={}, {}, {}", one.kernel.a, one.kernel.b,
                                        name_of(one.by), static_cast<int>(one.agreement)));
        }
        return words;
    }
    static std::vector<std::string> names_alone(const ProgramPair& pair) {
        std::vector<std::string> names;
        for (const LoneKernel& one : pair.alone) names.push_back(one.kernel);
        return names;
    }
};

TEST_F(Versions, KernelsArePairedByWhatTheyReadAndLeft) {
    record("first", "one");
    record("second", "two");
    const ProgramPair pair = pair_of("one", "two");
    EXPECT_THAT(words_of(pair), UnorderedElementsAre("scale=Ocl_Scale_kernel, same bytes, 1",
                                                     "find_neighbours=search, same numbers, 2",
                                                     "rank=place, same bytes, 1"));
    EXPECT_THAT(names_alone(pair), UnorderedElementsAre("clear", "report"));
    Both<double> sum;
    for (const TimePart& part : pair.parts) {
        sum.a += part.seconds.a;
        sum.b += part.seconds.b;
    }
    EXPECT_NEAR(sum.a, pair.seconds.a, 1e-9) << "the parts are the whole";
    EXPECT_NEAR(sum.b, pair.seconds.b, 1e-9);
    EXPECT_GT(pair.share_paired_by_data(false), 0) << "how much depends on the machine";
}

TEST_F(Versions, OneLaunchOfEachIsExplained) {
    record("first", "one");
    record("second", "two");
    ASSERT_EQ(shell("$P explain one/find_neighbours two/search opencl:0 --budget 3 --data d.jsonl "
                    "> out 2> err"),
              0)
        << text_of("err");
    EXPECT_THAT(text_of("out"), HasSubstr("search against one-two/find_neighbours"));
}

TEST_F(Versions, WhatTheUserSaysGoesFirst) {
    record("first", "one");
    record("second", "two");
    const ProgramPair pair = pair_of("one", "two", {{"clear", "report"}});
    EXPECT_THAT(words_of(pair), testing::Contains("clear=report, by hand, 0"));
    EXPECT_THAT(names_alone(pair), ElementsAre());
    EXPECT_THROW(pair_of("one", "two", {{"clear", "r"}}), UsageError) << "several have an r";
    EXPECT_THROW(pair_of("one", "two", {{"nothing", "report"}}), UsageError);
}

TEST_F(Versions, OtherDataFromTheSameInputIsSaid) {
    record("first", "one");
    record("broken", "two");
    const ProgramPair pair = pair_of("one", "two");
    EXPECT_THAT(words_of(pair), testing::Contains("rank=place, same input, 3"));
    const auto rank = std::ranges::find_if(
        pair.kernels, [](const KernelPair& one) { return one.kernel.a == "rank"; });
    ASSERT_NE(rank, pair.kernels.end());
    EXPECT_THAT(rank->remark, HasSubstr("1 of 4096 elements of 'out' and 'out', [77]"));
}

TEST_F(Versions, KernelsOfWhichNothingIsKeptHaveTheirNames) {
    record("first", "one", "--kernel scale");
    record("first", "two");
    const ProgramPair pair = pair_of("one", "two");
    EXPECT_THAT(words_of(pair),
                UnorderedElementsAre("scale=scale, same bytes, 1", "clear=clear, alike in name, 0",
                                     "find_neighbours=find_neighbours, alike in name, 0",
                                     "rank=rank, alike in name, 0"));
    for (const KernelPair& one : pair.kernels) {
        EXPECT_EQ(one.variants.empty(), one.kernel.a != "scale");
        EXPECT_EQ(one.why_no_ratio.empty(), one.kernel.a == "scale");
    }
}

TEST_F(Versions, ABufferThatOneSideForgetsIsSeen) {
    record("steps 'f,a,b,0,in[i] * 2' 'g,b,c,0,in[i] + k'", "one");
    record("steps 'f,a,b,0,in[i] * 2' 'g,b,c,0,if (k) out[i] = in[i]'", "two");
    EXPECT_THAT(words_of(pair_of("one", "two")), testing::Contains("g=g, same input, 3"));
}

TEST_F(Versions, ANamesakeIsPairedBeforeAKernelThatBeganAlike) {
    record("steps 'sum,a,b,0,in[i] * 3' 'inc,b,c,0,in[i] + 1'", "one");
    record("steps 'inc,a,b,0,in[i] + 1'", "two");
    EXPECT_THAT(words_of(pair_of("one", "two")),
                ElementsAre(testing::StartsWith("inc=inc, alike in name")));
}

TEST_F(Versions, ManyReadersOfOneInputDoNotHideAnError) {
    const std::string others = "'f,a,b,0,in[i] * 2' 'g,a,c,0,in[i] + 1' 'h,a,d,0,in[i] - 3' ";
    record("steps " + others + "'e,a,f,0,in[i] * 5'", "one");
    record("steps " + others + "'e,a,f,0,in[i] * (i == 9 ? 6 : 5)'", "two");
    const ProgramPair pair = pair_of("one", "two");
    EXPECT_THAT(words_of(pair), testing::Contains(testing::EndsWith(", 3")));
    EXPECT_THAT(words_of(pair), testing::Contains(testing::StartsWith("e=e, ")));
}

TEST_F(Versions, OutputsThatHeldOtherDataBeforeAreComparedWithARemark) {
    record("steps 'f,a,u,0,if (i < 2000) out[i] = in[i] * 2'", "one");
    record("steps 'f,a,u,0,if (i < 2000) out[i] = in[i] * 2'", "two");
    record("steps 'f,a,u,0,if (i < 2000) out[i] = in[i] * (i == 9 ? 3 : 2)'", "bad");
    EXPECT_THAT(words_of(pair_of("one", "two")), ElementsAre("f=f, same numbers, 2"));
    const ProgramPair pair = pair_of("one", "bad");
    EXPECT_THAT(words_of(pair), ElementsAre("f=f, alike in name, 0"));
    EXPECT_THAT(pair.kernels.at(0).remark,
                HasSubstr("the outputs held different data before: 1 of"));
}

TEST_F(Versions, PlacesAreThoseOfTheFirstLaunches) {
    // By their names the two in the middle would be in another order.
    record(
        "steps 'f,a,b,0,in[i] * 2' 'm2,b,u,0,in[i] + 7' 'm1,b,v,0,in[i] + 3' 'z,a,c,0,in[i] / 3'",
        "one");
    record(
        "steps 'f,a,b,0,in[i] * 2' 'n1,b,u,1,in[i] + 8' 'n2,b,v,1,in[i] + 4' 'z,a,c,0,in[i] / 3'",
        "two");
    EXPECT_THAT(words_of(pair_of("one", "two")),
                testing::IsSupersetOf({"m2=n1, by place, 0", "m1=n2, by place, 0"}));
}

TEST_F(Versions, ZerosAreNoEvidence) {
    record("steps 'flags,a,u,0,in[i] < 0' 'f,a,c,0,in[i] * 2'", "one");
    record("steps 'flags,a,u,0,in[i] < 2' 'clear,a,v,0,0' 'f,a,c,0,in[i] * 2'", "two");
    EXPECT_THAT(words_of(pair_of("one", "two")),
                testing::Contains(testing::StartsWith("flags=flags, alike in name")));
}

TEST_F(Versions, LaunchesWithOtherArgumentsAreNotTheSameWork) {
    record("steps 'f,a,b,1,in[i] * k' 'f,a,c,8,in[i] * k'", "one");
    record("steps 'f,a,d,8,in[i] * k' 'f,a,e,12,in[i] * k'", "two");
    const ProgramPair pair = pair_of("one", "two");
    ASSERT_EQ(words_of(pair).size(), 1U);
    EXPECT_NE(pair.kernels[0].agreement, Agreement::differs) << words_of(pair)[0];
    ASSERT_EQ(pair.kernels[0].variants.size(), 1U) << "the launches with 8";
    EXPECT_EQ(pair.kernels[0].variants[0].first.a, "f-2");
}

TEST_F(Versions, ADamagedLaunchIsNamed) {
    record("first", "one");
    record("first", "two");
    std::ofstream("two/rank.json") << "{";
    EXPECT_EQ(shell("$P diff one two -d host:0 --quiet > out 2> err"), 1);
    EXPECT_THAT(text_of("out"), HasSubstr("two/rank is left out"));
}

TEST_F(Versions, AReportSaysWhatTheKernelsLeftAndWhereTheTimeGoes) {
    record("first", "one");
    record("broken", "two");
    ASSERT_EQ(
        shell(
            "$P diff one two -d host:0 -o r.txt -o r.md -o r.json -o r.html -o r.xml > out 2> err"),
        0)
        << text_of("err");
    for (const char* file : {"r.txt", "r.md"}) {
        EXPECT_THAT(text_of(file), HasSubstr("one run each")) << file;
        EXPECT_THAT(text_of(file), HasSubstr("DIFFER")) << file;
        EXPECT_THAT(text_of(file), HasSubstr("the host and waiting")) << file;
        EXPECT_THAT(text_of(file), HasSubstr("clear of one has no counterpart: 1 launch")) << file;
    }
    const Json json = Json::parse(text_of("r.json"));
    EXPECT_EQ(json.at("two_programs").at("kernels").size(), 3U);
    EXPECT_EQ(json.at("cases").size(), 2U) << "what differs is not replayed";
    EXPECT_THAT(text_of("r.html"), HasSubstr("The two programs"));
    EXPECT_EQ(shell("$P diff one two -d host:0 --strict --quiet > out 2> err"), 1)
        << "strict: counterparts that left other data";
}

TEST_F(Versions, CommandLinesThatCannotBeAreRefused) {
    record("first", "one");
    for (const auto& [words, complaint] :
         {std::pair{"one one --pair scale", "write the kernel of the first recording"},
          std::pair{"one one -s reduction", "without -s"},
          std::pair{"opencl:0 host:0 --pair a=b", "--pair is for two recordings"},
          std::pair{"one one --pair scale=none", "names none of the kernels"}}) {
        EXPECT_EQ(shell(fmt::format("$P diff {} > out 2> err", words)), 2) << words;
        EXPECT_THAT(text_of("err"), HasSubstr(complaint)) << words;
    }
}

TEST(VersionSentence, TheSlowerVersionIsNamedWithTheParts) {
    ProgramPair pair;
    pair.names = {"cl", "cuda"};
    pair.apis = {"OpenCL", "CUDA"};
    pair.seconds = {1.31, 1.0};
    pair.parts = {{"find", {0.5, 0.26}},
                  {"transfers", {0.1, 0.05}},
                  {"sum", {0.2, 0.22}},
                  {"the host and waiting", {0.51, 0.47}}};
    EXPECT_EQ(sentence_of(pair),
              "The OpenCL version takes 1.31 times as long (1.31 s and 1.00 s, one run each): 0.24 "
              "of it in find, 0.05 of it in transfers, 0.04 of it in the host and waiting, 0.02 "
              "less in sum.");
    pair.seconds = {1.0, 1.01};
    EXPECT_EQ(sentence_of(pair),
              "Both versions take the same time: 1.00 s and 1.01 s, one run each.");
    pair.apis = {"CUDA", "CUDA"};
    pair.seconds = {1.0, 2.0};
    EXPECT_THAT(sentence_of(pair), HasSubstr("cuda takes 2.00 times as long"));
    pair.seconds = {0, 2.0};
    EXPECT_THAT(sentence_of(pair), HasSubstr("unknown"));
}

}  // namespace
}  // namespace parallax::cli::versions_test
