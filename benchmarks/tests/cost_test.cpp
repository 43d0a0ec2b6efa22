// Tests that the comparison detects overhead, a wrong result, and a different one.
#include "benchmarks/cost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/tests/toy_suite.hpp"

namespace parallax::benchmarks::cost_test {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// Doubles every element on the host, with times set by the test.
class HostDirect final : public Direct {
public:
    void prepare(const Job& job, std::span<const HostArray> inputs) override {
        ++prepared;
        kernels = job.kernels;
        elements = inputs[0].copy();
        for (float& x : elements.as<float>()) x *= 2;
        elements.as<float>().back() += error;
    }
    void release() override { ++released; }
    double run(unsigned repeats) override {
        batches.push_back(repeats);
        return seconds_per_run * repeats;
    }
    std::vector<HostArray> outputs() override {
        std::vector<HostArray> arrays;
        arrays.push_back(elements.copy());
        return arrays;
    }

    double seconds_per_run = 1e-3;
    float error = 0;
    unsigned prepared = 0, released = 0;
    std::vector<unsigned> batches;
    std::map<std::string, KernelSource, std::less<>> kernels;
    HostArray elements;
};

class HarnessCost : public testing::Test {
protected:
    HarnessCost() {
        config_.kernel_source = [](std::string_view) { return std::string(fake::toy_text); };
        config_.references = &references_;
        device_ = backend_.open(backend_.find().devices.front());
    }
    Cost measured() {
        return cost_of(*device_, direct_, toy_, config_, {.rounds = rounds_, .quads = 2});
    }

    std::shared_ptr<fake::Script> script_ = fake::toy_script();
    fake::FakeBackend backend_{script_};
    std::unique_ptr<Device> device_;
    HostDirect direct_;
    ReferenceCache references_{0};
    RunConfig config_;
    unsigned rounds_ = 6;
    Case toy_ = make_case(fake::toy_suite(), variant_named(fake::toy_suite(), "plain"), {{100}},
                          ElementType::f32);
};

TEST_F(HarnessCost, EqualTimesAreARatioOfOne) {
    const Cost cost = measured();
    EXPECT_DOUBLE_EQ(cost.ratio.median, 1);
    EXPECT_DOUBLE_EQ(cost.ratio.low, 1);
    EXPECT_DOUBLE_EQ(cost.ratio.high, 1);
    EXPECT_DOUBLE_EQ(cost.direct.median, 1e-3);
    EXPECT_DOUBLE_EQ(cost.parallax.median, 1e-3);
    EXPECT_EQ(verdict_of(cost), Verdict::within);
}

TEST_F(HarnessCost, RoundsAreFreshAndBalanced) {
    const Cost cost = measured();
    EXPECT_EQ(cost.launches, 1u);
    ASSERT_EQ(cost.rounds.size(), 6u);
    for (const Round& round : cost.rounds) {
        ASSERT_EQ(round.direct.size(), 4u);
        EXPECT_EQ(round.parallax.size(), 4u);
        for (std::size_t i = 0; i < 4; i += 2) {
            EXPECT_NE(round.direct_first[i], round.direct_first[i + 1]);
        }
    }
    EXPECT_EQ(direct_.prepared, 6u);
    EXPECT_GE(direct_.released, 6u);
    // One build for the sources, then one per round.
    EXPECT_EQ(script_->compiles, 7u);
    EXPECT_EQ(direct_.kernels.at("twice").text, fake::toy_text);
    // As many batches as the device ran, including warm-up.
    EXPECT_EQ(direct_.batches.size(), script_->runs);
}

TEST_F(HarnessCost, BatchesAreAsLargeAsTheClockMakesThem) {
    script_->seconds_per_run = direct_.seconds_per_run = 1e-4;
    const Cost cost = measured();
    for (const Round& round : cost.rounds) {
        EXPECT_GE(round.repeats, 10u);
        EXPECT_EQ(direct_.batches.back(), round.repeats);
        EXPECT_THAT(round.direct, Each(testing::DoubleNear(1e-4, 1e-12)));
    }
}

TEST_F(HarnessCost, CostIsFound) {
    script_->seconds_per_run = 1.02e-3;
    const Cost cost = measured();
    EXPECT_NEAR(cost.ratio.median, 1.02, 1e-12);
    EXPECT_EQ(verdict_of(cost), Verdict::outside);
}

TEST_F(HarnessCost, GainIsNoLessSuspicious) {
    direct_.seconds_per_run = 1.02e-3;
    EXPECT_EQ(verdict_of(measured()), Verdict::outside);
}

TEST_F(HarnessCost, ShortRunsAreNotJudged) {
    script_->seconds_per_run = 5e-5;
    direct_.seconds_per_run = 2e-5;
    EXPECT_EQ(verdict_of(measured()), Verdict::too_short);
}

TEST_F(HarnessCost, IntervalAcrossTheMarginIsUndecided) {
    Cost cost = measured();
    cost.ratio.high = 1.03;
    EXPECT_EQ(verdict_of(cost), Verdict::undecided);
}

TEST_F(HarnessCost, FewRoundsDecideNothing) {
    rounds_ = 5;
    EXPECT_EQ(verdict_of(measured()), Verdict::undecided);
}

TEST_F(HarnessCost, OtherAnswerOfTheDirectSideIsFound) {
    direct_.error = 1;
    EXPECT_THAT([&] { measured(); },
                ThrowsMessage<Error>(HasSubstr("the direct answer differs from Parallax's")));
}

TEST_F(HarnessCost, WrongAnswerThroughParallaxIsFound) {
    script_->kernels["twice"] = [](const fake::HostLaunch&) {};
    EXPECT_THAT([&] { measured(); }, ThrowsMessage<Error>(HasSubstr("element(s) wrong")));
}

TEST_F(HarnessCost, ClockThatStandsStillIsSaid) {
    direct_.seconds_per_run = 0;
    EXPECT_THAT([&] { measured(); }, ThrowsMessage<DeviceError>(HasSubstr("stood still")));
}

TEST_F(HarnessCost, WhatDoesNotFitTwiceIsRefused) {
    DeviceInfo small = fake::fake_info();
    small.memory_bytes = 20000;
    device_ = backend_.open(small);
    EXPECT_THAT([&] { measured(); }, ThrowsMessage<UsageError>(HasSubstr("--scale small")));
}

}  // namespace
}  // namespace parallax::benchmarks::cost_test
