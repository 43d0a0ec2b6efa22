// From two sides to the report's data: pairing, titles, environments, warnings, nothing in common.
#include "studies/diff/stored_diff.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "studies/diff/diff_verdicts.hpp"
#include "studies/diff/tests/kept.hpp"

namespace parallax::build_test {
namespace {

using namespace test;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Kept with(Constants constants, Kept kept = {}) {
    kept.constants = std::move(constants);
    return kept;
}

std::vector<std::string> titles_of(const Diff& diff) {
    std::vector<std::string> titles;
    for (const CaseDiff& c : diff.cases) titles.push_back(c.title);
    return titles;
}

TEST(Build, TitlesNameOnlyConstantsThatDiffer) {
    const std::vector<Kept> some{with({{"GROUP", 256}, {"OP", 0}}),
                                 with({{"GROUP", 256}, {"OP", 1}})};
    EXPECT_EQ(
        titles_of(diff_of(some, some)),
        (std::vector<std::string>{"copy/plain float 1000 OP=0", "copy/plain float 1000 OP=1"}));
    Kept other;
    other.variant = "other";
    const std::vector<Kept> apart{with({{"GROUP", 256}}), with({{"GROUP", 8}}, other)};
    EXPECT_EQ(titles_of(diff_of(apart, apart)),
              (std::vector<std::string>{"copy/plain float 1000", "copy/other float 1000"}))
        << "variants of their own";
    Kept shaped;
    shaped.shape = {10, 20, 30};
    EXPECT_EQ(titles_of(diff_of({shaped}, {shaped})).at(0), "copy/plain float 10x20x30");
}

TEST(Build, CasesAreInTheOrderOfA) {
    Kept x, y, z;
    x.variant = "x";
    y.variant = "y";
    z.variant = "z";
    EXPECT_EQ(
        titles_of(diff_of({y, x}, {z, x, y})),
        (std::vector<std::string>{"copy/y float 1000", "copy/x float 1000", "copy/z float 1000"}));
}

TEST(Build, ConstantsPairWhateverTheirOrder) {
    const Diff diff = diff_of({with({{"B", 1}, {"A", 2}})}, {with({{"A", 2}, {"B", 1}})});
    ASSERT_EQ(diff.cases.size(), 1u);
    EXPECT_EQ(diff.cases[0].key.constants.front().name,
              fake::as<Record>(line(with({{"B", 1}, {"A", 2}}))).key.constants.front().name)
        << "in the order of the file";
}

TEST(Build, SeveralDevicesAreLanes) {
    Kept cpu;
    cpu.device = "opencl:1";
    cpu.name = "Some CPU";
    const Diff diff = diff_of({Kept{}, cpu}, {Kept{}, cpu});
    EXPECT_EQ(titles_of(diff),
              (std::vector<std::string>{"copy/plain float 1000, opencl on Some GPU",
                                        "copy/plain float 1000, opencl on Some CPU"}));
    EXPECT_NE(diff.cases.at(0).lane, diff.cases.at(1).lane);
}

TEST(Build, SidesOfOtherKindsOfDevicesMeetByTheirApi) {
    Kept old_cuda, cl, cuda;
    old_cuda.device = cuda.device = "cuda:0";
    cl.name = cuda.name = "Newer GPU";
    EXPECT_EQ(
        titles_of(diff_of({Kept{}, old_cuda}, {cl, cuda})),
        (std::vector<std::string>{"copy/plain float 1000, opencl", "copy/plain float 1000, cuda"}));
}

TEST(Build, AnotherIndexOfTheSameDeviceIsTheSameLane) {
    Kept cpu, moved;
    cpu.name = "Some CPU";
    cpu.device = "opencl:1";
    moved = cpu;
    moved.device = "opencl:7";
    EXPECT_EQ(diff_of({Kept{}, cpu}, {Kept{}, moved}).cases.size(), 2u);
}

TEST(Build, DevicesOfOneNameAreNotRunsOfOne) {
    Kept second;
    second.device = "opencl:1";
    second.uuid = "1f";
    EXPECT_EQ(titles_of(diff_of({Kept{}, second}, {Kept{}, second})),
              (std::vector<std::string>{"copy/plain float 1000, opencl on Some GPU (opencl:0)",
                                        "copy/plain float 1000, opencl on Some GPU (opencl:1)"}));
}

TEST(Build, CeilingsAreNoCases) {
    Kept ceiling;
    ceiling.suite = "ceiling";
    EXPECT_EQ(diff_of({ceiling, Kept{}}, {ceiling, Kept{}}).cases.size(), 1u);
}

TEST(Build, NothingInCommonNamesWhatEachHas) {
    Kept ceiling, other;
    ceiling.suite = "ceiling";
    other.variant = "other";
    try {
        diff_of({ceiling, Kept{}}, {ceiling, other});
        FAIL();
    } catch (const NothingToCompare& error) {
        EXPECT_THAT(error.what(), HasSubstr("old and new have no case in common"));
        EXPECT_THAT(error.what(), HasSubstr("copy/plain float 1000 GROUP=256"));
        EXPECT_THAT(error.what(), HasSubstr("copy/other float 1000 GROUP=256"));
        EXPECT_THAT(error.what(), Not(HasSubstr("ceiling/"))) << "which both have";
    }
    EXPECT_THROW(diff_of({ceiling}, {ceiling}), NothingToCompare);
}

TEST(Build, EnvironmentsGatherFacts) {
    Kept a, b;
    a.driver = "1";
    b.driver = "2";
    b.run = "two";
    const Diff diff = diff_of({a, b}, {a});
    EXPECT_EQ(diff.a.name, "old");
    EXPECT_EQ(diff.a.records, 2u);
    EXPECT_EQ(diff.a.runs, 2u);
    EXPECT_EQ(diff.b.runs, 1u);
    ASSERT_EQ(diff.environment.size(), 1u);
    EXPECT_EQ(diff.environment[0], (Difference{"driver", "1 | 2", "1"}));
    EXPECT_THAT(diff.never_equal, IsEmpty());
    EXPECT_THAT(diff_of({a}, {on_cuda()}).never_equal, Not(IsEmpty()));
}

TEST(Build, CeilingsThatWereOnlyCheckedWereNotMeasured) {
    Kept timed;
    timed.suite = "ceiling";
    const Kept checked = ended(Status::checked, "Every answer was right.", timed);
    const auto differences = [](const Kept& ceiling) {
        return diff_of({ceiling, Kept{}}, {Kept{}}).environment;
    };
    EXPECT_THAT(differences(timed),
                testing::Contains(Difference{"ceilings", "measured in the run", "unknown"}));
    EXPECT_THAT(differences(checked), IsEmpty());
}

TEST(Build, TwoMachinesAreWarnedOf) {
    const auto warnings = [](const std::string& uuid_a, const std::string& uuid_b,
                             const std::string& pci = "unknown") {
        Kept a, b = on_cuda();
        a.uuid = uuid_a;
        b.uuid = uuid_b;
        a.pci = b.pci = pci;
        return diff_of({a}, {b}).warnings.size();
    };
    EXPECT_EQ(warnings("aa", "aa"), 0u);
    EXPECT_EQ(warnings("aa", "bb"), 1u);
    EXPECT_EQ(warnings("aa", "unknown"), 1u);
    EXPECT_EQ(warnings("unknown", "unknown"), 1u) << "nothing is known";
    EXPECT_EQ(warnings("unknown", "unknown", "0000:01:00.0"), 0u) << "by address";
    Kept other;
    other.uuid = "bb";
    EXPECT_EQ(diff_of({Kept{}}, {other}).warnings.size(), 1u) << "one API on two cards";
}

TEST(Build, WhatTheEnvironmentDoesToTimesIsWarnedOf) {
    ResultSet a = set_of("old", {line(Kept{})}), b = set_of("new", {line(on_cuda())});
    b.records[0].run.environment = {{"CUDA_LAUNCH_BLOCKING", "1"}, {"CUDA_VISIBLE_DEVICES", "0"}};
    const Diff diff = build_diff(sides_of(a, b, {}), {});
    ASSERT_EQ(diff.warnings.size(), 1u);
    EXPECT_THAT(diff.warnings[0], testing::StartsWith("CUDA_LAUNCH_BLOCKING=1: "));
    EXPECT_THAT(diff.environment, testing::Contains(Difference{"CUDA_LAUNCH_BLOCKING",
                                                               "not set, or not recorded", "1"}));
}

TEST(Build, APartOfTheDeviceForOneSideIsWarnedOf) {
    ResultSet a = set_of("old", {line(Kept{})}), b = set_of("new", {line(on_cuda())});
    a.records[0].where.pci = b.records[0].where.pci = "0000:01:00.0";
    a.records[0].where.compute_units = 132;
    b.records[0].where.compute_units = 66;
    EXPECT_THAT(build_diff(sides_of(a, b, {}), {}).warnings,
                testing::ElementsAre(HasSubstr("132 compute units and cuda:0 has 66")));
    b.records[0].where.compute_units = 132;
    EXPECT_THAT(build_diff(sides_of(a, b, {}), {}).warnings, IsEmpty());
}

TEST(Build, AClockThatLiesIsWarnedOf) {
    Kept a, b = on_cuda();
    a.side = 'a';
    b.side = 'b';
    const KeptPair calm{.b = "opencl:0"};
    const KeptPair lie{.a = "cuda:0", .log_ratios = {0.1, 0.1001, 0.1, 0.1001, 0.1}};
    const ResultSet set =
        set_of("live", {line(a), line(b), line(KeptPair{}), line(calm), line(lie)});
    const Diff diff = build_diff(sides_within(set, {}), {});
    EXPECT_TRUE(diff.live);
    EXPECT_EQ(diff.measuring_seconds, 3);
    ASSERT_EQ(diff.self.size(), 2u);
    ASSERT_EQ(diff.warnings.size(), 1u);
    EXPECT_THAT(diff.warnings[0], HasSubstr("was called different from itself on cuda:0"));
}

TEST(Build, LivePairsGiveTheRatioAndTheDistance) {
    Kept a, b = on_cuda();
    a.side = 'a';
    b.side = 'b';
    KeptPair kept{.log_ratios = {0.5, 0.5001, 0.5, 0.5001, 0.5}, .launch_seconds = 0.6e-3};
    Pair pair = pair_of(kept);
    pair.answer = AnswerDistances{.elements = 9, .differing = 1, .largest_ulp = 2};
    const Json json = to_json(pair);
    const ResultSet set = set_of("live", {line(a), line(b), json});
    const Diff diff = build_diff(sides_within(set, {}), {});
    const CaseDiff& c = diff.cases.at(0);
    EXPECT_EQ(c.verdict, Verdict::slower);
    EXPECT_EQ(c.ratio->basis, "paired rounds");
    EXPECT_EQ(c.answer.identical, false);
    ASSERT_TRUE(c.answer.distance);
    EXPECT_EQ(c.answer.distance->largest_ulp, 2);
    EXPECT_TRUE(c.launching) << "by the launches that were measured with the pair";
}

TEST(Build, SidesTellWhatTheyAre) {
    Kept kept;
    kept.share = 0.4;
    kept.notes = {"A note."};
    kept.in_cache = true;
    const CaseDiff c = case_of(runs_of({1e-3, 4e-3}, kept), {kept});
    EXPECT_DOUBLE_EQ(c.a.seconds, 2e-3) << "geometric mean";
    EXPECT_DOUBLE_EQ(c.a.low, 0.9e-3) << "extremes over runs";
    EXPECT_DOUBLE_EQ(c.a.high, 4.4e-3);
    EXPECT_DOUBLE_EQ(c.a.bytes_per_second(), 4e6);
    EXPECT_EQ(c.a.share, 0.4);
    EXPECT_EQ(c.a.notes, kept.notes);
    EXPECT_EQ(c.a.options, kept.options);
    EXPECT_TRUE(c.in_cache);
    EXPECT_EQ(c.file, "copy.cl");
}

/// The plain case on both backends of a live diff, with these explanations in the same file.
Diff explained_diff(const std::vector<Json>& explanations) {
    Kept a, b = on_cuda();
    a.side = 'a';
    b.side = 'b';
    std::vector<Json> lines{line(a), line(b), line(KeptPair{})};
    lines.insert(lines.end(), explanations.begin(), explanations.end());
    const ResultSet set = set_of("live.jsonl", lines);
    return build_diff(sides_within(set, {}), {});
}

TEST(Build, CasesGetTheExplanationOfTheirDevices) {
    const Diff diff = explained_diff({explanation_line({}, "Because.")});
    ASSERT_EQ(diff.cases.size(), 1u);
    ASSERT_TRUE(diff.cases[0].explanation);
    EXPECT_EQ(diff.cases.at(0).explanation->answer, "Because.");
    EXPECT_EQ(explained_diff({explanation_line({}, "Old."), explanation_line({}, "New.")})
                  .cases[0]
                  .explanation->answer,
              "New.")
        << "the last one stands";
}

TEST(Build, ExplanationsOfOthersAreNotShown) {
    const Diff diff = explained_diff({explanation_line({.variant = "other"}, "Another case."),
                                      explanation_line({.b = "cuda:1"}, "Another device."),
                                      explanation_line({.a = "cuda:0", .b = "opencl:0"}, "Back.")});
    ASSERT_EQ(diff.cases.size(), 1u);
    EXPECT_FALSE(diff.cases.at(0).explanation);
}

}  // namespace
}  // namespace parallax::build_test
