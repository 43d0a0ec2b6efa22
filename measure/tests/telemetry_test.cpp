// Tests the reported use of a device by others.
#include "measure/telemetry.hpp"

#include <ctime>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/tests/fake_device.hpp"
#include "common/tests/scripted_clock.hpp"
#include "measure/tests/fake_nvml.hpp"

namespace parallax::telemetry_test {
namespace {

using namespace fake;

const auto own = static_cast<unsigned>(getpid());
constexpr unsigned other = 1u << 30, third = other + 1;

DeviceInfo gpu() {
    DeviceInfo info = fake_info("cuda");
    info.is_gpu = true;
    info.uuid = Uuid{1};
    return info;
}

std::optional<double> share_of_others(std::vector<GpuProcess> processes, bool knows_use = true) {
    fake_nvml() = {std::move(processes), knows_use};
    const std::optional<double> share = OthersUse(gpu()).share();
    fake_nvml() = {};
    return share;
}

TEST(OthersAtAGpu, WhoHoldsItUsesNothingOfIt) {
    fake_nvml() = {{{.pid = own, .percent = 90}, {.pid = other}}};
    const DeviceState state = device_state(gpu());
    EXPECT_EQ(state.other_processes, 1u);
    EXPECT_EQ(share_of_others({{.pid = own, .percent = 90}, {.pid = other}}), 0.0);
    EXPECT_EQ(share_of_others({{.pid = other}}), 0.0) << "no process computed";
    EXPECT_EQ(share_of_others({}), 0.0);
}

TEST(OthersAtAGpu, TheirSharesAddUp) {
    EXPECT_EQ(share_of_others({{.pid = own, .percent = 40}, {.pid = other, .percent = 43}}), 0.43);
    EXPECT_EQ(share_of_others({{.pid = third, .percent = 20}, {.pid = other, .percent = 43}}),
              0.63);
    EXPECT_EQ(share_of_others({{.pid = third, .percent = 70}, {.pid = other, .percent = 70}}), 1.0);
    std::vector<GpuProcess> many;
    for (unsigned i = 0; i < 500; ++i) many.push_back({.pid = other + i, .percent = i % 2});
    EXPECT_EQ(share_of_others(many), 1.0) << "more than there is room for at first";
}

TEST(OthersAtAGpu, WhatWasLongAgoDoesNotCount) {
    EXPECT_EQ(share_of_others(
                  {{.pid = own, .percent = 40}, {.pid = other, .percent = 43, .age_seconds = 20}}),
              0.0);
}

TEST(OthersAtAGpu, AreAskedForAgainAfterAWhile) {
    ScriptedClock clock(0);
    ScriptedClock::advance(1);
    const OthersUse use(gpu());
    fake_nvml() = {{{.pid = own}, {.pid = other, .percent = 43}}};
    EXPECT_EQ(use.recent_share(), 0.43);
    fake_nvml() = {{{.pid = own}, {.pid = other, .percent = 20}}};
    ScriptedClock::advance(0.05);
    EXPECT_EQ(use.recent_share(), 0.43) << "NVML's samples are no newer";
    EXPECT_EQ(OthersUse(gpu()).recent_share(), 0.43) << "it is the same GPU";
    ScriptedClock::advance(0.06);
    EXPECT_EQ(use.recent_share(), 0.2);
    fake_nvml() = {};
}

TEST(OthersAtAGpu, NumbersOfAnotherNamespaceAreNobody) {
    const GpuProcess unlisted{.pid = other, .percent = 95, .is_listed = false};
    EXPECT_EQ(share_of_others({{.pid = own}, unlisted}), std::nullopt)
        << "it may be this process, as the host numbers it";
    EXPECT_EQ(share_of_others({{.pid = own, .percent = 5}, unlisted}), 0.95)
        << "this one is there by its own number, so the other has ended";
}

TEST(OthersAtAGpu, NothingIsKnownWhereNobodySays) {
    EXPECT_EQ(share_of_others({{.pid = other, .percent = 43}}, false), std::nullopt);
    EXPECT_EQ(OthersUse(fake_info()).share(), std::nullopt);
}

TEST(OthersAtAProcessor, AreSeen) {
    DeviceInfo info = fake_info("opencl");
    info.platform = "Portable Computing Language";
    const OthersUse use(info);
    const pid_t child = fork();
    if (child == 0) {
        while (clock() < CLOCKS_PER_SEC / 2) {
        }
        _exit(0);
    }
    siginfo_t ended{};
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
    const std::optional<double> share = use.share();
    waitpid(child, nullptr, 0);
    ASSERT_TRUE(share);
    EXPECT_GT(*share, 0.0);
    EXPECT_LE(*share, 1.0);
}

TEST(OthersInWords, SayWhatWasSeen) {
    const auto said = [](std::optional<std::uint32_t> count, std::optional<double> use) {
        DeviceState state;
        state.other_processes = count;
        state.others_use = use;
        return words_of_others(state, "cuda:0");
    };
    EXPECT_EQ(said({}, {}), "");
    EXPECT_EQ(said(0, 0), "");
    EXPECT_EQ(said(1, 0), "1 other process holds cuda:0, and used none of its time.");
    EXPECT_EQ(said(2, 0.001), "2 other processes hold cuda:0, and used less than 2 % of its time.");
    EXPECT_EQ(said(1, {}), "1 other process holds cuda:0, and used an unknown share of its time.");
    EXPECT_EQ(said(1, 0.43), "Others used 43 % of cuda:0 while it was timed.");
    EXPECT_EQ(said({}, 0.43), "Others used 43 % of cuda:0 while it was timed.");
}

}  // namespace
}  // namespace parallax::telemetry_test
