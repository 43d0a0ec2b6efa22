// The first question: which differences of two records forbid to compare their speeds.
#include "studies/diff/same_kernel.hpp"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "studies/diff/tests/kept.hpp"

namespace parallax::same_kernel_test {
namespace {

using namespace test;
using testing::Contains;
using testing::HasSubstr;

struct Change {
    const char* what;
    std::function<void(Kept&)> make;
    bool forbids_across, forbids_within;
};

const Change changes[] = {
    {"kernel file", [](Kept& k) { k.file = "other.cl"; }, true, false},
    {"language", [](Kept& k) { k.language = "native"; }, true, false},
    {"kernel source", [](Kept& k) { k.source_hash = "bb"; }, true, false},
    {"edits of the text", [](Kept& k) { k.edit = "pad"; }, true, false},
    {"float rules", [](Kept& k) { k.contract = true; }, true, false},
    {"launch configuration", [](Kept& k) { k.groups = 5; }, true, false},
    {"timer scope", [](Kept& k) { k.scope = "one launch"; }, true, true},
    {"work model", [](Kept& k) { k.bytes = 9000; }, true, true},
    {"work model", [](Kept& k) { k.operations = 1; }, true, true},
    {"build options", [](Kept& k) { k.options.emplace_back("-O0"); }, false, false},
    {"seed of the inputs", [](Kept& k) { k.seed = 1; }, false, false},
    {"working set in the last-level cache", [](Kept& k) { k.in_cache = true; }, false, false},
};

TEST(SameKernel, NoDifference) {
    const Record a = fake::as<Record>(line(Kept{})), b = fake::as<Record>(line(on_cuda()));
    EXPECT_TRUE(same_kernel(a, b).same);
    EXPECT_TRUE(same_kernel(a, b).differences.empty());
}

TEST(SameKernel, EachSideByItsCompilersDefaultsIsComparable) {
    Record a = fake::as<Record>(line(Kept{})), b = fake::as<Record>(line(on_cuda()));
    a.program.floats = {.contract = true, .exact_division = false};
    b.program.floats = {.contract = true};
    const KernelAnswer answer = same_kernel(a, b);
    ASSERT_EQ(answer.differences.size(), 1u);
    EXPECT_EQ(answer.differences[0].what, "float rules");
    EXPECT_TRUE(answer.same);
    a.program.floats.flush_denormals = true;
    EXPECT_FALSE(same_kernel(a, b).same) << "that is no compiler's default";
}

TEST(SameKernel, EachDifferenceByItself) {
    for (const Change& change : changes) {
        for (const bool across : {true, false}) {
            Kept other = across ? on_cuda() : Kept{};
            change.make(other);
            const KernelAnswer answer =
                same_kernel(fake::as<Record>(line(Kept{})), fake::as<Record>(line(other)));
            ASSERT_EQ(answer.differences.size(), 1u) << change.what;
            const Difference& difference = answer.differences[0];
            EXPECT_EQ(difference.what, change.what);
            EXPECT_NE(difference.a, difference.b);
            const bool forbids = across ? change.forbids_across : change.forbids_within;
            EXPECT_EQ(difference.forbids, forbids) << change.what << " across " << across;
            EXPECT_EQ(answer.same, !forbids);
        }
    }
}

TEST(SameKernel, OptionsOfEachSideAlone) {
    Kept a, b = on_cuda();
    a.options = {"-DT=float", "-cl-std=CL1.2"};
    b.options = {"--std=c++17", "-DT=float"};
    const KernelAnswer answer = same_kernel(fake::as<Record>(line(a)), fake::as<Record>(line(b)));
    ASSERT_EQ(answer.differences.size(), 1u);
    EXPECT_EQ(answer.differences[0], (Difference{"build options", "-cl-std=CL1.2", "--std=c++17"}));
}

TEST(SameKernel, TheNameOfAKernelIsNoLaunchConfiguration) {
    Record a = fake::as<Record>(line(Kept{})), b = a;
    a.key.variant = "main";
    b.key.variant = "branch";
    for (LaunchRecord& launch : b.launches) launch.name = "other";
    EXPECT_TRUE(same_kernel(a, b).differences.empty());
}

TEST(SameKernel, WhatWasNotTimedHasNoScope) {
    Kept unsupported = ended(Status::unsupported, "There is none.", on_cuda());
    unsupported.options.clear();
    unsupported.launches = 0;
    EXPECT_TRUE(
        same_kernel(fake::as<Record>(line(Kept{})), fake::as<Record>(line(unsupported))).same);
}

TEST(NeverEqual, IsAboutTwoBackends) {
    const Record a = fake::as<Record>(line(Kept{})), b = fake::as<Record>(line(on_cuda()));
    EXPECT_TRUE(never_equal(a, a).empty());
    const auto list = never_equal(a, b);
    EXPECT_GE(list.size(), 4u);
    EXPECT_THAT(list, Contains(HasSubstr("ticks of 1 us")));
    for (const std::string& sentence : list) EXPECT_EQ(sentence.back(), '.') << sentence;
    Kept other;
    other.device = "level-zero:0";
    EXPECT_EQ(never_equal(a, fake::as<Record>(line(other))).size(), 3u) << "nothing of CUDA's";
}

TEST(Environments, AreComparedFactByFact) {
    const Environment a{"a", {{"driver", "1"}, {"ecc", "true"}, {"pci", "x"}}, 1, 1};
    const Environment b{"b", {{"driver", "2"}, {"pci", "x"}, {"clock", "5"}}, 1, 1};
    const std::vector<Difference> expected{
        {"driver", "1", "2"}, {"ecc", "true", "unknown"}, {"clock", "unknown", "5"}};
    EXPECT_EQ(environment_differences(a, b), expected);
    EXPECT_TRUE(environment_differences(a, a).empty());
}

}  // namespace
}  // namespace parallax::same_kernel_test
