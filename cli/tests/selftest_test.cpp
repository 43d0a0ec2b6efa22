// Tests `parallax selftest` of a fake device, and `parallax diff` without two sides.
#include "studies/selftest/selftest.hpp"

#include "cli/tests/diff_fixture.hpp"
#include "common/tests/fake_device.hpp"
#include "common/tests/thorough.hpp"
#include "suites/planted.hpp"

namespace parallax::cli::selftest_test {
namespace {

TEST_F(Diffs, WithoutDevicesItIsFive) {
    for (const Words& words : {Words{"diff"}, Words{"diff", "--max-slowdown", "5%"}}) {
        const Ended e = run(words, {});
        EXPECT_EQ(e.code, 5);
        EXPECT_EQ(e.out, "");
        EXPECT_TRUE(holds(e.err, "two APIs")) << e.err;
    }
    EXPECT_FALSE(fs::exists("results"));
}

TEST_F(Diffs, OneDeviceThroughOneApiIsFive) {
    std::vector<std::unique_ptr<Backend>> on;
    on.push_back(std::make_unique<fake::FakeBackend>(std::make_shared<fake::Script>(), "one"));
    const Ended e = run({"diff"}, on);
    EXPECT_EQ(e.code, 5);
    EXPECT_TRUE(holds(e.err, "parallax diff one:0 one:0")) << e.err;
    EXPECT_TRUE(holds(e.err, "parallax doctor")) << e.err;
    EXPECT_TRUE(holds(e.err, "two APIs")) << e.err;
    const Ended half = run({"diff", "one:0"}, on);
    EXPECT_EQ(half.code, 2);
    EXPECT_TRUE(holds(half.err, "one side")) << half.err;
    EXPECT_EQ(run({"diff", "one:0", "one:7"}, on).code, 2);
    EXPECT_EQ(run({"diff", "one:0", "one:0", "-d", "one"}, on).code, 2);
}

/// A device whose kernels do nothing, all kernels with planted errors; the suites' tests cover real
/// devices.
class SelfTests : public Diffs {
protected:
    std::shared_ptr<fake::Script> script_ = std::make_shared<fake::Script>();
    std::vector<std::unique_ptr<Backend>> on_;

    SelfTests() {
        for (const Planted& planted : planted_errors()) {
            for (const auto& step : plan_of(case_of(planted)).steps) {
                if (const Launch* launch = step.launch()) {
                    script_->kernels[launch->kernel] = [](const fake::HostLaunch&) {};
                }
            }
        }
        on_.push_back(std::make_unique<fake::FakeBackend>(script_));
    }
};

TEST_F(SelfTests, OfTheGateAloneNamesWhatIsNotNoticedAndIsOne) {
    // The second device ignores the changed source: this kernel's result is right whatever was
    // planted.
    const auto blind = std::make_shared<fake::Script>();
    blind->kernels = script_->kernels;
    blind->kernels["naive"] = [](const fake::HostLaunch& launch) {
        if (!launch.program || !holds(launch.program->name, "transpose")) return;
        const auto in = launch.buffer<float>(0), out = launch.buffer<float>(1);
        const auto width = launch.scalar<std::uint64_t>(2),
                   height = launch.scalar<std::uint64_t>(3);
        for (std::size_t x = 0; x < width; ++x) {
            for (std::size_t y = 0; y < height; ++y) out[x * height + y] = in[y * width + x];
        }
    };
    on_.push_back(std::make_unique<fake::FakeBackend>(blind, "blind"));
    const Words ample{"--trials", "0", "--budget", "1000000"};
    const Ended e = run(Words{"selftest", "-d", "fake", "-d", "blind", "--json"} + ample, on_);
    EXPECT_EQ(e.code, 1) << e.out << e.err;
    const Json json = Json::parse(e.out);
    EXPECT_FALSE(json.at("right").get<bool>());
    const Json all = json.at("devices").at(0), some = json.at("devices").at(1);
    EXPECT_FALSE(all.contains("clock"));
    EXPECT_GT(all.at("gate").at("planted"), 50);
    EXPECT_EQ(all.at("gate").at("planted"), all.at("gate").at("noticed"));
    EXPECT_LT(some.at("gate").at("noticed"), some.at("gate").at("planted"));
    const std::string missed = some.at("gate").at("missed").dump();
    EXPECT_TRUE(holds(missed, "transpose/naive: plain copy")) << missed;
    EXPECT_FALSE(holds(missed, "transpose/tiled")) << missed;
    const Ended well = run(Words{"selftest", "-d", "fake", "--json"} + ample, on_);
    EXPECT_EQ(well.code, 0) << well.err;
    EXPECT_TRUE(Json::parse(well.out).at("right").get<bool>());
    if (!test::is_thorough()) return;
    const Ended text = run(Words{"selftest", "-d", "blind"} + ample, on_);
    EXPECT_EQ(text.code, 1);
    EXPECT_TRUE(holds(text.out, "missed: transpose/naive: plain copy")) << text.out;
}

TEST_F(SelfTests, WhatTheBudgetDoesNotReachIsNotTried) {
    const VerificationTally tally = try_verification(find_devices(on_).entries.at(0), 0, 0, [] {});
    EXPECT_EQ(tally.planted, 0u);
    EXPECT_GT(tally.untried, 50u);
}

TEST_F(SelfTests, WordsThatCannotBeAreTwo) {
    expect_usage({"selftest", "--trials", "-1"}, "--trials");
    expect_usage({"selftest", "--busy", "many"}, "--busy");
    expect_usage({"selftest", "--margin", "0"}, "--margin");
    expect_usage({"selftest", "-d", "metal"}, "names no device");
}

}  // namespace
}  // namespace parallax::cli::selftest_test
