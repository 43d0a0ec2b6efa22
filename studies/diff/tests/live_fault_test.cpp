// Live diffs on fake devices that fail, report wrong times, or have no time left.
#include <algorithm>
#include <system_error>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/process/watchdog.hpp"
#include "studies/diff/diff_verdicts.hpp"
#include "studies/diff/tests/live_fixture.hpp"

namespace parallax::live_fault_test {
namespace {

using namespace test;
using testing::HasSubstr;

TEST_F(LiveDiffs, ASideThatFailsInTheMiddleIsSaid) {
    for (const bool on_b : {true, false}) {
        fake::Script& script = on_b ? *script_b_ : *script_a_;
        kept_ = {};
        bool begun = false;
        progress_ = [&](const std::string& what) {
            // Both have passed verification: the turns begin.
            if (what.starts_with("toy/") && !std::exchange(begun, true)) {
                script.before = fake::fail_nth("run", 3);
            }
        };
        script.opened = 0;
        run();
        const Record& bad = side(on_b ? 'b' : 'a');
        const Record& good = side(on_b ? 'a' : 'b');
        EXPECT_EQ(bad.status, Status::failed);
        EXPECT_THAT(bad.reason, HasSubstr("The scripted call 'run' failed."));
        EXPECT_EQ(good.status, Status::ok);
        EXPECT_GT(good.seconds(), 0) << "it stands alone, and keeps its figure";
        EXPECT_TRUE(kept_.pairs.empty()) << "no pair, and no case to check the clock with";
        EXPECT_EQ(script.opened, 3u) << "twice, and once more after the failure";
        EXPECT_EQ(diff().cases.at(0).verdict, Verdict::failed);
        EXPECT_EQ(exit_code(diff()), 6);
    }
}

TEST_F(LiveDiffs, WhatTheHostLacksForOneCaseEndsNoOther) {
    request_.what.types = {ElementType::f32, ElementType::f64, ElementType::i32};
    bool begun = false;
    config_.check_interrupt = [&] {
        // A round is timed: the host gives no thread, or no memory.
        if (begun) {
            begun = false;
            throw std::system_error(
                std::make_error_code(std::errc::resource_unavailable_try_again));
        }
    };
    progress_ = [&, once = true](const std::string& what) mutable {
        if (what.starts_with("toy/plain double") && std::exchange(once, false)) begun = true;
    };
    run();
    ASSERT_EQ(kept_.records.size(), 6u);
    unsigned failed = 0;
    for (const Record& record : kept_.records) {
        failed += record.status == Status::failed;
        if (record.key.type != "double") {
            EXPECT_EQ(record.status, Status::ok) << record.reason;
        }
    }
    EXPECT_EQ(failed, 1u) << "the other side keeps its figure";
    EXPECT_EQ(count_pairs(false), 2u);
}

TEST_F(LiveDiffs, TheNextCaseRunsOnAFreshDevice) {
    request_.what.types = {ElementType::f32, ElementType::i32};
    script_b_->before = fake::fail_nth("run", 3);
    run();
    ASSERT_EQ(kept_.records.size(), 4u);
    EXPECT_EQ(kept_.records.at(1).status, Status::failed) << "in verification";
    EXPECT_EQ(kept_.records.at(0).status, Status::ok);
    EXPECT_EQ(kept_.records.at(3).status, Status::ok);
    EXPECT_EQ(count_pairs(false), 1u);
    EXPECT_EQ(count_pairs(true), 2u) << "of the case that both can do";
}

TEST_F(LiveDiffs, OneThatFailsInItsTurnLeavesTheOthersTheirs) {
    request_.what.types = {ElementType::f32, ElementType::f64, ElementType::i32};
    request_.what.shapes = {{{10}}, {{20}}};
    bool begun = false;
    progress_ = [&](const std::string& what) {
        if (what.starts_with("toy/plain double 20") && !std::exchange(begun, true)) {
            script_b_->before = fake::fail_nth("run", 3);
        }
    };
    run();
    EXPECT_TRUE(begun);
    ASSERT_EQ(kept_.records.size(), 12u);
    for (const Record& record : kept_.records) {
        const bool is_bad =
            record.side == 'b' && record.key.type == "double" && record.key.shape.front() == 20;
        EXPECT_EQ(record.status, is_bad ? Status::failed : Status::ok) << record.reason;
        EXPECT_EQ(record.seconds() > 0, !is_bad);
    }
    EXPECT_EQ(count_pairs(false), 5u);
    EXPECT_EQ(count_pairs(true), 2u);
    EXPECT_EQ(script_a_->live_bytes, 0u);
    EXPECT_EQ(script_b_->live_bytes, 0u);
}

TEST_F(LiveDiffs, CasesTakeTurns) {
    request_.what.types = {ElementType::f32, ElementType::f64, ElementType::i32};
    request_.what.shapes = {{{10}}};
    std::string order;
    for (const auto& script : {script_a_, script_b_}) {
        script->seconds_of = [&](const Program& program) {
            const char now = program.type == ElementType::f32   ? 'f'
                             : program.type == ElementType::f64 ? 'd'
                                                                : 'i';
            if (order.empty() || order.back() != now) order += now;
            return 1e-3;
        };
    }
    run();
    // Were they timed one after the other, each would come up a few times: checked and timed.
    for (const char one : {'f', 'd', 'i'}) {
        EXPECT_GE(std::ranges::count(order, one), 30) << order;
    }
}

TEST_F(LiveDiffs, AWrongAnswerHasNoTiming) {
    script_b_->kernels["twice"] = [](const fake::HostLaunch&) {};
    run();
    EXPECT_EQ(side('b').status, Status::wrong);
    EXPECT_EQ(side('b').seconds(), 0);
    EXPECT_EQ(side('a').status, Status::ok);
    EXPECT_GT(side('a').seconds(), 0);
    EXPECT_TRUE(kept_.pairs.empty());
    const CaseDiff c = diff().cases.at(0);
    EXPECT_EQ(c.verdict, Verdict::wrong);
    EXPECT_FALSE(c.ratio);
    EXPECT_TRUE(c.answer.right_a);
    EXPECT_FALSE(c.answer.right_b);
}

TEST_F(LiveDiffs, AnAnswerThatTurnsWrongInTheTurnsIsWrong) {
    bool wrong = false;
    script_b_->kernels["twice"] = [&](const fake::HostLaunch& launch) {
        fake::twice(launch);
        if (wrong) launch.buffer<float>(1)[0] = 77;
    };
    progress_ = [&](const std::string& what) { wrong = what.starts_with("toy/"); };
    run();
    EXPECT_EQ(side('b').status, Status::wrong);
    EXPECT_EQ(side('b').seconds(), 0);
    EXPECT_EQ(side('a').status, Status::ok);
    EXPECT_TRUE(kept_.pairs.empty());
}

TEST_F(LiveDiffs, WhatBothLackIsUnsupported) {
    request_.what.picks[0].variant = &suites()[0].variants[2];
    run();
    EXPECT_EQ(side('a').status, Status::unsupported);
    EXPECT_EQ(side('b').status, Status::unsupported);
    EXPECT_TRUE(kept_.pairs.empty());
    EXPECT_EQ(diff().cases.at(0).verdict, Verdict::not_comparable);
    EXPECT_EQ(exit_code(diff()), 5);
}

TEST_F(LiveDiffs, ABudgetThatIsUsedUpSkips) {
    request_.what.budget_seconds = 1e-9;
    run();
    EXPECT_EQ(side('a').status, Status::skipped);
    EXPECT_EQ(side('b').status, Status::skipped);
    EXPECT_THAT(side('a').reason, HasSubstr("--budget"));
    EXPECT_TRUE(kept_.pairs.empty());
    EXPECT_EQ(diff().cases.at(0).verdict, Verdict::not_comparable);
    EXPECT_EQ(exit_code(diff()), 5);
}

TEST_F(LiveDiffs, WhatEndedAProcessIsFailedWhereThatUsedUpTheBudget) {
    request_.what.budget_seconds = 1e-9;
    const Case c = make_case(suites()[0], suites()[0].variants[0], {{1000}}, ElementType::f32);
    Case any_size = c;
    any_size.shape = {};
    for (const std::string& name : {watchdog_name(request_.b.info, c),
                                    watchdog_name(request_.b.info, any_size) + " answering"}) {
        kept_ = {};
        supervision().deadly = {{name, "It was killed."}};
        run();
        supervision().deadly.clear();
        EXPECT_EQ(side('a').status, Status::skipped);
        EXPECT_EQ(side('b').status, Status::failed) << name;
        EXPECT_EQ(side('b').reason, "It was killed.");
        EXPECT_EQ(exit_code(diff()), 6);
    }
}

TEST_F(LiveDiffs, ASelfCheckThatFailsIsTroubleOnly) {
    script_a_->before = fake::fail_nth("compile", 2);  // the first is verification's
    run();
    EXPECT_EQ(side('a').status, Status::ok);
    EXPECT_EQ(count_pairs(false), 1u);
    EXPECT_EQ(count_pairs(true), 1u) << "the other side's";
    EXPECT_EQ(troubles_.size(), 1u);
    EXPECT_EQ(exit_code(diff()), 0);
}

TEST_F(LiveDiffs, ASelfCheckThatDoesNotBuildIsTroubleOnly) {
    unsigned compiled = 0;
    script_a_->before = [&](std::string_view call) {
        // The first is verification's.
        compiled += call == "compile";
        if (call == "compile" && compiled == 2) throw BuildFailed("It did not compile.", "", "");
    };
    run();
    EXPECT_EQ(count_pairs(false), 1u);
    EXPECT_EQ(count_pairs(true), 1u);
    EXPECT_EQ(troubles_.size(), 1u);
}

TEST_F(LiveDiffs, ASelfCheckThatFailsInItsTurnsLeavesNoPair) {
    progress_ = [&](const std::string& what) {
        if (what.starts_with("cuda:0 against")) script_b_->before = fake::fail_nth("run", 5);
    };
    run();
    EXPECT_EQ(count_pairs(false), 1u);
    EXPECT_EQ(count_pairs(true), 1u);
    EXPECT_EQ(script_b_->live_bytes, 0u);
    ASSERT_EQ(troubles_.size(), 1u);
    EXPECT_THAT(troubles_[0], HasSubstr("The scripted call 'run' failed."));
}

TEST_F(LiveDiffs, AnInterruptGetsOutAndWhatWasKeptStays) {
    request_.what.types = {ElementType::f32, ElementType::i32};
    config_.check_interrupt = [&] {
        if (kept_.records.size() >= 2) throw Interrupted();
    };
    EXPECT_THROW(run(), Interrupted);
    EXPECT_EQ(kept_.records.size(), 2u);
    EXPECT_EQ(count_pairs(false), 1u);
    EXPECT_EQ(diff().cases.size(), 1u);
}

TEST_F(LiveDiffs, WhatCannotBeKeptGetsOut) {
    const RunInfo info{"one", "", 0, {}};
    for (const bool self : {false, true}) {
        const auto keep = [self](const ResultEntry& line) {
            const auto* pair = std::get_if<Pair>(&line);
            if (pair && pair->self == self) throw UsageError("The disk is full.");
        };
        EXPECT_THROW(run_live(request_, config_, info, {{}, keep, {}}), UsageError) << self;
    }
}

TEST_F(LiveDiffs, ADeviceThatCannotBeOpenedIsAnError) {
    script_b_->before = fake::fail_nth("open", 1);
    EXPECT_THROW(run(), DeviceError);
}

TEST_F(LiveDiffs, WhatNoSuiteHasIsAUsageError) {
    request_.what.defines = {{"NOPE", 1}};
    EXPECT_THROW(run(), UsageError);
}

}  // namespace
}  // namespace parallax::live_fault_test
