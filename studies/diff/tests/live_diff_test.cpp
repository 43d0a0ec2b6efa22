// Live diffs on fake devices without failures: measurements, records and conclusions.
#include <gtest/gtest.h>

#include "studies/diff/diff_verdicts.hpp"
#include "studies/diff/tests/live_fixture.hpp"

namespace parallax::live_test {
namespace {

using namespace test;

TEST_F(LiveDiffs, AKnownRatioIsFound) {
    script_b_->seconds_per_run = 1.1 * script_a_->seconds_per_run;
    run();
    EXPECT_EQ(side('a').status, Status::ok);
    EXPECT_EQ(side('b').status, Status::ok);
    EXPECT_EQ(side('a').device, "opencl:0");
    EXPECT_EQ(side('b').device, "cuda:0");
    EXPECT_EQ(count_pairs(false), 1u);
    EXPECT_TRUE(troubles_.empty());
    const Diff found = diff();
    EXPECT_TRUE(found.live);
    ASSERT_EQ(found.cases.size(), 1u);
    const CaseDiff& c = found.cases.at(0);
    EXPECT_EQ(c.verdict, Verdict::slower) << c.reason;
    EXPECT_NEAR(c.ratio->value, 1.1, 1e-9);
    EXPECT_EQ(c.ratio->basis, "paired rounds");
    EXPECT_EQ(c.answer.identical, true);
    ASSERT_TRUE(c.answer.distance);
    EXPECT_EQ(c.answer.distance->elements, 1000u);
    EXPECT_EQ(c.title, "toy/plain float 1000");
    EXPECT_GT(found.measuring_seconds, 0);
    EXPECT_TRUE(found.warnings.empty());
    EXPECT_EQ(exit_code(found), 0);
}

TEST_F(LiveDiffs, EqualDevicesAreTheSame) {
    run();
    EXPECT_EQ(diff().cases.at(0).verdict, Verdict::same);
}

TEST_F(LiveDiffs, TwoKernelsAreNamedAndPaired) {
    request_.b = request_.a;
    const Suite& suite = suites()[0];
    Variant other = suite.variants[0];
    other.name = "other";
    request_.kernels = {{&suite.variants[0], &other}};
    run();
    EXPECT_EQ(side('b').compared_with, suite.variants[0].name);
    EXPECT_EQ(side('b').key.variant, "other");
    EXPECT_EQ(side('a').compared_with, "");
    const Sides sides = sides_within(kept_, {});
    EXPECT_EQ(sides.a.name, suite.variants[0].name);
    EXPECT_EQ(sides.b.name, "other");
    const Diff found = diff();
    ASSERT_EQ(found.cases.size(), 1u);
    const CaseDiff& c = found.cases.at(0);
    EXPECT_TRUE(c.kernel.two_kernels);
    EXPECT_FALSE(c.kernel.same);
    EXPECT_TRUE(c.ratio) << c.reason;
    EXPECT_EQ(c.other_variant, "other");
    EXPECT_EQ(c.title, "toy/other against plain float 1000");
    EXPECT_EQ(c.name(), "toy/other against plain");
}

TEST_F(LiveDiffs, SelfChecksAreThere) {
    script_b_->seconds_per_run = 1.1 * script_a_->seconds_per_run;
    run();
    EXPECT_EQ(count_pairs(true), 2u) << "one on each side";
    const Diff found = diff();
    ASSERT_EQ(found.self.size(), 2u);
    for (const SelfCheck& check : found.self) {
        EXPECT_EQ(check.verdict, Verdict::same);
        EXPECT_NEAR(check.ratio.value, 1, 1e-9);
    }
    EXPECT_NE(found.self.at(0).device, found.self.at(1).device);
    for (const Pair& pair : kept_.pairs) {
        EXPECT_EQ(pair.timing.interim_analyses.size(), pair.self ? 1u : 2u)
            << "a lie shows at the first look";
    }
    EXPECT_EQ(script_a_->opened, 2u) << "two device objects";
    EXPECT_EQ(script_b_->opened, 2u);
    EXPECT_EQ(script_a_->live_bytes, 0u) << "and nothing is left behind";
    EXPECT_EQ(script_b_->live_bytes, 0u);
}

TEST_F(LiveDiffs, OneCaseInEightIsCheckedAgainstItself) {
    request_.what.types = {ElementType::f32, ElementType::f64, ElementType::i32};
    request_.what.shapes = {{{10}}, {{20}}, {{30}}, {{40}}};
    run();
    EXPECT_EQ(kept_.records.size(), 24u);
    EXPECT_EQ(count_pairs(false), 12u);
    EXPECT_EQ(count_pairs(true), 2u) << "of the fifth of twelve, on each side";
    EXPECT_EQ(diff().cases.size(), 12u);
}

TEST_F(LiveDiffs, WhatTakesAsLongAsManyIsMeasuredLast) {
    request_.what.types = {ElementType::f32, ElementType::f64, ElementType::i32};
    for (const auto& script : {script_a_, script_b_}) {
        script->seconds_of = [](const Program& program) {
            return program.type == ElementType::i32 ? 0.6 : 1e-3;
        };
    }
    run();
    ASSERT_EQ(kept_.pairs.size(), 5u);
    std::vector<std::string> order;
    for (const Pair& pair : kept_.pairs) {
        if (!pair.self) order.push_back(pair.key.type);
    }
    // Else it would be the first: the last of each suite is its most telling one.
    EXPECT_THAT(order, testing::ElementsAre("float", "double", "int"));
}

TEST_F(LiveDiffs, WhatTakesLongerThanThereIsTimeIsLeftOut) {
    request_.what.types = {ElementType::f64, ElementType::f32};
    for (const auto& script : {script_a_, script_b_}) {
        script->seconds_of = [](const Program& program) {
            return program.type == ElementType::f64 ? 3.0 : 1e-3;
        };
    }
    run();
    for (const Record& record : kept_.records) {
        const bool is_long = record.key.type == "double";
        EXPECT_EQ(record.status, is_long ? Status::skipped : Status::ok) << record.reason;
        EXPECT_EQ(record.reason.find("It takes 72.0 s at least") != std::string::npos, is_long)
            << record.reason;
    }
    EXPECT_EQ(count_pairs(false), 1u);
}

TEST_F(LiveDiffs, AFewCasesHaveASelfCheckToo) {
    request_.what.types = {ElementType::f32, ElementType::f64, ElementType::i32};
    run();
    EXPECT_EQ(count_pairs(true), 2u);
    EXPECT_EQ(diff().summary.measured, 3u);
}

TEST_F(LiveDiffs, OneEntryTwice) {
    request_.b = request_.a;
    run();
    EXPECT_EQ(side('b').device, "opencl:0");
    EXPECT_EQ(count_pairs(false), 1u);
    const Diff found = diff();
    EXPECT_EQ(found.a.name, "opencl:0");
    EXPECT_EQ(found.b.name, "opencl:0 again");
    EXPECT_EQ(found.cases.at(0).verdict, Verdict::same);
}

TEST_F(LiveDiffs, WithASideForChecksAnswersAreHeldAgainstEachOther) {
    request_.b.info.only_checks = true;
    request_.what.shapes.clear();
    run();
    EXPECT_EQ(side('a').status, Status::checked) << side('a').reason;
    EXPECT_EQ(side('b').status, Status::checked) << side('b').reason;
    EXPECT_EQ(kept_.records.size(), 2u) << "and no ceilings";
    EXPECT_TRUE(kept_.pairs.empty());
    const Diff found = diff();
    EXPECT_EQ(found.cases.at(0).verdict, Verdict::equal);
    EXPECT_TRUE(found.cases.at(0).answer.right_a && found.cases.at(0).answer.right_b);
    EXPECT_EQ(found.cases.at(0).answer.identical, true);
    EXPECT_TRUE(found.warnings.empty()) << found.warnings.front();
    EXPECT_EQ(exit_code(found), 0);
    kept_ = {};
    script_b_->kernels["twice"] = [](const fake::HostLaunch&) {};
    run();
    EXPECT_EQ(diff().cases.at(0).verdict, Verdict::wrong);
    EXPECT_EQ(exit_code(diff()), 1);
}

TEST_F(LiveDiffs, AnOpenShapeThatIsAskedForTooRunsOnce) {
    for (const bool only_checks : {true, false}) {
        request_.b.info.only_checks = only_checks;
        request_.what.full = true;
        request_.what.shapes.clear();
        kept_ = {};
        kept_.name = "live";
        run();  // a case that is listed twice in one run is rejected
        EXPECT_EQ(kept_.records.size() % 2, 0u);
    }
}

TEST_F(LiveDiffs, AnOpenShapeIsChosenOnce) {
    request_.what.shapes.clear();
    run();
    EXPECT_EQ(side('a').key, side('b').key);
    EXPECT_EQ(side('a').key.shape, (std::vector<std::uint64_t>{100000}));
}

TEST_F(LiveDiffs, ALimitIsDecided) {
    script_b_->seconds_per_run = 1.04 * script_a_->seconds_per_run;
    request_.judgement.max_slowdown = 0.05;
    run();
    EXPECT_EQ(diff().cases.at(0).verdict, Verdict::slower);
    EXPECT_EQ(diff().cases.at(0).decision, Decision::pass);
    request_.judgement.max_slowdown = 0.03;
    EXPECT_EQ(exit_code(diff()), 3);
}

TEST_F(LiveDiffs, ProgressIsTold) {
    std::vector<std::string> told;
    progress_ = [&](const std::string& what) { told.push_back(what); };
    run();
    ASSERT_EQ(told.size(), 4u);
    EXPECT_EQ(told[0].find("checking toy/plain"), 0u) << told[0];
    EXPECT_EQ(told[1].find("toy/plain"), 0u) << told[1];
    EXPECT_EQ(told[2].find("opencl:0 against itself"), 0u) << told[2];
    EXPECT_EQ(told[3].find("cuda:0 against itself"), 0u) << told[3];
}

}  // namespace
}  // namespace parallax::live_test
