// The stages on two fake devices whose every call takes a known time.
#include "studies/explain/stages.hpp"

#include <algorithm>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/tests/toy_suite.hpp"

namespace parallax::stages_test {
namespace {

using namespace fake;
using testing::HasSubstr;

/// `toy/plain` on two devices; a call of B takes ten times as long as one of A.
class Stages : public testing::Test {
protected:
    double now_ = 0;
    std::map<std::string, double, std::less<>> cost_{{"compile", 5},
                                                     {"allocate", 1},
                                                     {"write", 2},
                                                     {"write page-locked", 0.5},
                                                     {"run", 3},
                                                     {"read", 4},
                                                     {"read page-locked", 0.25}};
    std::vector<std::string> calls_;  ///< `A write`, ...
    std::shared_ptr<Script> script_a_ = toy_script(), script_b_ = toy_script();
    FakeBackend backend_a_{script_a_, "one"}, backend_b_{script_b_, "two"};
    ReferenceCache references_{1 << 20};
    RunConfig config_;
    std::unique_ptr<Device> device_a_, device_b_;
    StageRequest request_;

    Stages() {
        config_.kernel_source = [](std::string_view) { return std::string(toy_text); };
        config_.references = &references_;
        const Suite& suite = toy_suite();
        request_.the_case = make_case(suite, suite.variants[0], {{100}}, ElementType::f32);
        request_.config = &config_;
        request_.most_seconds = 1e9;
        request_.now = [this] { return now_; };
        for (const bool is_b : {false, true}) {
            auto& script = is_b ? script_b_ : script_a_;
            script->kernels["nothing"] = [](const HostLaunch&) {};
            FakeBackend& backend = is_b ? backend_b_ : backend_a_;
            auto& device = is_b ? device_b_ : device_a_;
            device = backend.open(backend.inventory.devices.at(0));
            StageSide& side = request_.sides.of(is_b);
            side.entry = {&backend, backend.inventory.devices.at(0), is_b};
            side.device = device.get();
            side.program = program_of(request_.the_case, config_);
            side.plan = plan_of(request_.the_case);
            side.codes = build(*device, side.program, side.plan);
            script->before = [this, is_b](std::string_view call) {
                calls_.push_back((is_b ? "B " : "A ") + std::string(call));
                const auto found = cost_.find(call);
                if (found != cost_.end()) now_ += (is_b ? 10 : 1) * found->second;
            };
        }
    }
    ~Stages() override {
        EXPECT_EQ(script_a_->live_bytes + script_b_->live_bytes, 0u);
        EXPECT_TRUE(script_a_->page_locked.empty() && script_b_->page_locked.empty());
    }

    static Stage named(const std::vector<Stage>& stages, const std::string& name) {
        const auto found = std::ranges::find(stages, name, &Stage::name);
        if (found != stages.end()) return *found;
        ADD_FAILURE() << "no stage " << name;
        return {};
    }
    /// The sides that made this call, in order.
    std::string order_of(const std::string& call) const {
        std::string order;
        for (const std::string& one : calls_) {
            if (one.substr(2) == call) order += one[0];
        }
        return order;
    }
};

TEST_F(Stages, EachHasTheTimeOfItsOwnScope) {
    const std::vector<Stage> stages = measure_stages(request_);
    const std::map<std::string, double> expected{{"build, again", 5},
                                                 {"allocate", 2},
                                                 {"to the device, pageable", 2},
                                                 {"to the device, page-locked", 0.5},
                                                 {"from the device, pageable", 4},
                                                 {"from the device, page-locked", 0.25},
                                                 {"whole", 5 + 2 + 2 + 3 + 4}};
    for (const auto& [name, seconds] : expected) {
        const Stage stage = named(stages, name);
        EXPECT_EQ(stage.seconds.a, seconds) << name;
        EXPECT_EQ(stage.seconds.b, 10 * seconds) << name;
        EXPECT_FALSE(stage.scope.empty()) << name;
    }
}

TEST_F(Stages, LaunchesAreTimedByTheDevicesOwnReport) {
    script_a_->seconds_per_run = 2e-6;
    script_b_->seconds_per_run = 4e-6;
    const std::vector<Stage> stages = measure_stages(request_);
    // A batch of the fake device takes a microsecond more on the host.
    for (const char* name : {"launch", "launch, no profiling"}) {
        EXPECT_NEAR(*named(stages, name).seconds.a, 2e-6 + 1e-6 / 500, 1e-12) << name;
        EXPECT_NEAR(*named(stages, name).seconds.b, 4e-6 + 1e-6 / 500, 1e-12) << name;
    }
    for (const char* name : {"round trip", "enqueue and wait"}) {
        EXPECT_NEAR(*named(stages, name).seconds.a, 3e-6, 1e-12) << name;
        EXPECT_NEAR(*named(stages, name).seconds.b, 5e-6, 1e-12) << name;
    }
    EXPECT_NEAR(*named(stages, "kernel").seconds.a, 2e-6, 1e-12);
    EXPECT_NEAR(*named(stages, "kernel").seconds.b, 4e-6, 1e-12);
    EXPECT_EQ(order_of("open without profiling"), "AB");
}

TEST_F(Stages, PartsAreComparedWithTheWhole) {
    script_a_->seconds_per_run = script_b_->seconds_per_run = 3 - 1e-6;
    const std::vector<Stage> stages = measure_stages(request_);
    double sum = 0;
    for (const Stage& stage : stages) {
        if (stage.in_whole) sum += *stage.seconds.a;
    }
    EXPECT_DOUBLE_EQ(sum, 16);
    EXPECT_THAT(stages.back().note, HasSubstr("A: The parts add up to 16.0 s of 16.0 s (100 %)."));
    EXPECT_THAT(stages.back().note, HasSubstr("B: The parts add up to 133 s of 160 s (83 %)."));
}

TEST_F(Stages, PartsThatTakeLongerAloneAreNoShares) {
    script_a_->seconds_per_run = 30 - 1e-6;
    EXPECT_THAT(
        measure_stages(request_).back().note,
        HasSubstr("A: Measured alone the parts take 43.0 s, more than the whole's 16.0 s, so "
                  "they are no shares of it."));
}

TEST_F(Stages, SidesTakeTurns) {
    measure_stages(request_);
    EXPECT_EQ(order_of("write page-locked"), "ABBAABBAABBAABBAABBAABBAABBAAB");
    EXPECT_EQ(order_of("read page-locked"), "ABBAABBAABBAABBAABBAABBAABBAAB");
}

TEST_F(Stages, SizesAreSaid) {
    const std::vector<Stage> stages = measure_stages(request_);
    EXPECT_THAT(named(stages, "to the device, pageable").note, HasSubstr("400 B in 1 buffer."));
    EXPECT_THAT(named(stages, "from the device, page-locked").note,
                HasSubstr("400 B in 1 buffer."));
}

TEST_F(Stages, WhatASideLacksIsMissingAndSaid) {
    const auto before = script_b_->before;
    script_b_->before = [=](std::string_view call) {
        if (call == "page_locked") throw Unsupported("It locks nothing.");
        if (call == "open without profiling") throw DeviceError("It opens once.");
        before(call);
    };
    const std::vector<Stage> stages = measure_stages(request_);
    for (const char* name : {"to the device, page-locked", "from the device, page-locked"}) {
        EXPECT_TRUE(named(stages, name).seconds.a) << name;
        EXPECT_FALSE(named(stages, name).seconds.b) << name;
        EXPECT_THAT(named(stages, name).note, HasSubstr("B: It locks nothing."));
    }
    EXPECT_FALSE(named(stages, "launch, no profiling").seconds.b);
    EXPECT_THAT(named(stages, "launch, no profiling").note, HasSubstr("B: It opens once."));
    EXPECT_TRUE(named(stages, "launch").seconds.b);
    EXPECT_TRUE(named(stages, "whole").seconds.b);
}

TEST_F(Stages, AMissingPartIsNotAddedUp) {
    const auto before = script_a_->before;
    unsigned writes = 0;
    script_a_->before = [=, &writes](std::string_view call) {
        // The guard zones and the input are written first.
        if (call == "write" && ++writes == 6) throw DeviceError("Lost.");
        before(call);
    };
    const Stage whole = measure_stages(request_).back();
    EXPECT_THAT(whole.note, HasSubstr("'to the device, pageable' is missing"));
}

TEST_F(Stages, BuildsOfProcessesAreTakenOnce) {
    std::string order;
    request_.build_times = [&](const Entry& entry, bool) -> BuildTimes {
        order += entry.info.backend + " ";
        if (entry.info.backend == "two") return {.cold = {}, .warm = {}, .note = "It has none."};
        return {.cold = 20, .warm = 2, .note = "Kept in a box."};
    };
    const std::vector<Stage> stages = measure_stages(request_);
    EXPECT_EQ(order, "one two ");
    EXPECT_EQ(stages.at(0).name, "build, cold");
    EXPECT_EQ(stages.at(0).seconds.a, 20);
    EXPECT_FALSE(stages.at(0).seconds.b);
    EXPECT_EQ(stages.at(0).note, "A: Kept in a box. B: It has none.");
    EXPECT_EQ(stages.at(1).name, "build, warm");
    EXPECT_EQ(stages.at(1).seconds.a, 2);
    EXPECT_FALSE(stages.at(0).in_whole || stages.at(1).in_whole);
}

TEST_F(Stages, WithoutProcessesBuildsAreMissing) {
    EXPECT_FALSE(measure_stages(request_)[0].seconds.a);
    request_.build_times = [](const Entry&, bool) -> BuildTimes { throw Error("No room."); };
    const std::vector<Stage> stages = measure_stages(request_);
    EXPECT_FALSE(stages.at(1).seconds.a);
    EXPECT_EQ(stages.at(1).note, "No room.");
    EXPECT_TRUE(stages.back().seconds.a);
}

TEST_F(Stages, EditsAreNotInTheBuildsOfProcesses) {
    request_.sides.b.program.edits.push_back({"ulong n", "const ulong n", "slow"});
    request_.build_times = [](const Entry&, bool) { return BuildTimes{1, 1, {}}; };
    const Stage cold = measure_stages(request_)[0];
    EXPECT_THAT(cold.note, HasSubstr("B: Of the text without the edits"));
    EXPECT_EQ(cold.note.find("A: "), std::string::npos) << cold.note;
}

TEST_F(Stages, TheTimeIsKeptTo) {
    request_.most_seconds = 6;
    request_.build_times = [&](const Entry&, bool) {
        now_ += 3;
        return BuildTimes{3, 3, {}};
    };
    const std::vector<Stage> stages = measure_stages(request_);
    EXPECT_EQ(order_of("write page-locked"), "AB");
    EXPECT_EQ(order_of("read page-locked"), "AB");
    for (const Stage& stage : stages) EXPECT_TRUE(stage.seconds.b) << stage.name;
}

TEST_F(Stages, AWrongAnswerIsNoFigure) {
    const auto wrong = [](const HostLaunch& launch) { launch.buffer<float>(1)[0] = -1; };
    script_b_->kernels["twice"] = wrong;  // for what is built from now on
    std::vector<Stage> stages = measure_stages(request_);
    EXPECT_TRUE(stages.back().seconds.a);
    EXPECT_FALSE(stages.back().seconds.b);
    EXPECT_THAT(stages.back().note, HasSubstr("B: An answer was wrong: "));
    EXPECT_TRUE(named(stages, "kernel").seconds.b);
    StageSide& b = request_.sides.b;
    b.codes = build(*b.device, b.program, plan_of(request_.the_case));
    stages = measure_stages(request_);
    EXPECT_FALSE(named(stages, "kernel").seconds.b);
    EXPECT_THAT(named(stages, "kernel").note, HasSubstr("B: An answer was wrong: "));
}

TEST_F(Stages, AnInterruptionGetsOut) {
    config_.check_interrupt = [] { throw Interrupted(); };
    EXPECT_THROW(measure_stages(request_), Interrupted);
}

}  // namespace
}  // namespace parallax::stages_test
