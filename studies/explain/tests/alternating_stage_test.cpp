// Alternating measurements of a stage: their order and number, and a side that fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "studies/explain/stage_probes.hpp"

namespace parallax::round_robin_test {
namespace {

using testing::HasSubstr;

class ByTurns : public testing::Test {
protected:
    double now_ = 100;
    std::string order_;
    Watch watch_{[this] { return now_; }};

    /// A takes 1, 2, 3, ... seconds and B ten times as long.
    StagePlan plan(unsigned most) {
        return {.stage = {.name = "walk", .scope = "from here to there"},
                .prepare = [this](bool is_b) -> Probe {
                    auto times = std::make_shared<int>(0);
                    return {[=, this] {
                        order_ += is_b ? 'B' : 'A';
                        const double seconds = (is_b ? 10 : 1) * ++*times;
                        now_ += seconds;
                        return seconds;
                    }};
                },
                .most_rounds = most};
    }
};

TEST_F(ByTurns, AlternateAndGiveMedians) {
    const Stage stage = measure_alternately(plan(5), 1e9, watch_);
    EXPECT_EQ(order_, "ABBAABBAAB");
    EXPECT_EQ(stage.seconds.a, 3);
    EXPECT_EQ(stage.seconds.b, 30);
    EXPECT_EQ(stage.name, "walk");
    EXPECT_EQ(stage.note, "Medians of 5.");
}

TEST_F(ByTurns, EndWhenAnotherWouldBeTooLong) {
    // 11 s, then 22 s: a third turn would end after 55.
    measure_alternately(plan(100), 50, watch_);
    EXPECT_EQ(order_, "ABBA");
}

TEST_F(ByTurns, AreOneOfEachSideAtLeast) {
    for (const double most : {0.0, -5.0}) {
        order_.clear();
        const Stage stage = measure_alternately(plan(100), most, watch_);
        EXPECT_EQ(order_, "AB");
        EXPECT_EQ(stage.seconds.b, 10);
        EXPECT_EQ(stage.note, "");
    }
}

TEST_F(ByTurns, ASideThatCannotHasAReason) {
    StagePlan one = plan(3);
    const auto prepare = one.prepare;
    one.prepare = [&](bool is_b) {
        if (is_b) throw Unsupported("It has no legs.");
        return prepare(is_b);
    };
    const Stage stage = measure_alternately(one, 1e9, watch_);
    EXPECT_EQ(order_, "AAA");
    EXPECT_EQ(stage.seconds.a, 2);
    EXPECT_FALSE(stage.seconds.b);
    EXPECT_EQ(stage.note, "Medians of 3. B: It has no legs.");
    one.prepare = [](bool) -> Probe { throw Unsupported("Nobody has legs."); };
    EXPECT_EQ(measure_alternately(one, 1e9, watch_).note, "Nobody has legs.");
}

TEST_F(ByTurns, ASideThatFailsOnTheWayIsNotAskedAgain) {
    StagePlan one = plan(4);
    const auto prepare = one.prepare;
    one.prepare = [&](bool is_b) -> Probe {
        const Probe probe = prepare(is_b);
        if (is_b) return probe;
        return {[=, this] {
            if (order_.size() > 1) throw DeviceError("It fell.");
            return probe.once();
        }};
    };
    const Stage stage = measure_alternately(one, 1e9, watch_);
    EXPECT_EQ(order_, "ABBBB");
    EXPECT_FALSE(stage.seconds.a);
    EXPECT_EQ(stage.seconds.b, 25);
    EXPECT_THAT(stage.note, HasSubstr("A: It fell."));
}

TEST_F(ByTurns, WhatWasWrongIsNoFigure) {
    StagePlan one = plan(2);
    const auto prepare = one.prepare;
    one.prepare = [&](bool is_b) {
        Probe probe = prepare(is_b);
        probe.check = [is_b] { return std::string(is_b ? "It went astray." : ""); };
        return probe;
    };
    const Stage stage = measure_alternately(one, 1e9, watch_);
    EXPECT_TRUE(stage.seconds.a);
    EXPECT_FALSE(stage.seconds.b);
    EXPECT_THAT(stage.note, HasSubstr("B: It went astray."));
}

TEST_F(ByTurns, AnInterruptionGetsOut) {
    unsigned turns = 0;
    watch_.check_interrupt = [&] {
        if (++turns == 4) throw Interrupted();
    };
    EXPECT_THROW(measure_alternately(plan(9), 1e9, watch_), Interrupted);
    EXPECT_EQ(order_, "ABB");
    StagePlan one = plan(2);
    one.prepare = [](bool) -> Probe { throw Interrupted(); };
    EXPECT_THROW(measure_alternately(one, 1e9, Watch{watch_.now}), Interrupted);
}

}  // namespace
}  // namespace parallax::round_robin_test
