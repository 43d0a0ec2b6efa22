// Tests builder processes, in a program of its own: they are forked before a driver is loaded.
#include "backends/opencl/builders.hpp"

#include <atomic>
#include <csignal>
#include <latch>
#include <thread>

#include <gtest/gtest.h>

#include "backends/opencl/api.hpp"
#include "common/device/backend.hpp"
#include "common/error.hpp"

namespace parallax::opencl::builders_test {
namespace {

/// Runs first, before any other use of OpenCL.
const bool prepared = [] {
    BuilderProcess::prepare(installed_icds());
    return BuilderProcess::is_prepared();
}();

constexpr const char* options = "-cl-std=CL1.2";

std::string text(int number) {
    return "__kernel void k(__global int* a) { a[0] = " + std::to_string(number) + "; }";
}

class BuildersTest : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(prepared);
        for (const auto& backend : backends()) {
            if (backend->name() != "opencl") continue;
            const Inventory inventory = backend->find();
            if (!inventory.devices.empty()) info_ = inventory.devices.front();
        }
        if (!info_) GTEST_SKIP() << "no OpenCL device is here";
    }

    std::optional<DeviceInfo> info_;
};

TEST_F(BuildersTest, AProcessBuildsAndSaysWhetherItIsAProgram) {
    BuilderProcess process(*info_);
    EXPECT_TRUE(process.build({text(1), options, {}}));
    EXPECT_FALSE(process.build({"{", options, {}}));
    EXPECT_TRUE(process.is_alive()) << "a text that is none ends nothing";
    EXPECT_TRUE(process.build({text(2), options, {}}));
}

TEST_F(BuildersTest, OneThatWasKilledIsSeenToBe) {
    BuilderProcess process(*info_);
    kill(process.number(), SIGKILL);
    EXPECT_FALSE(process.build({text(1), options, {}}));
    EXPECT_FALSE(process.is_alive());
}

TEST(DriversWords, EndInOneFullStop) {
    for (const char* said :
         {"no room (Device 0)", "no room (Device 0).", "no room (Device 0).\n"}) {
        Shared shared;
        shared.note(said);
        const DeviceError error =
            device_error(cl::Error(CL_OUT_OF_RESOURCES, "clFinish"), DeviceInfo{}, shared);
        EXPECT_NE(
            std::string(error.what()).find(" The driver says: no room (Device 0). The kernel"),
            std::string::npos)
            << error.what();
    }
    Shared shared;
    shared.note("\n");
    EXPECT_EQ(shared.take_note(), "") << "nothing was said";
}

TEST_F(BuildersTest, NothingIsLeftOfOneThatIsGone) {
    pid_t number = 0;
    {
        const BuilderProcess process(*info_);
        number = process.number();
        EXPECT_EQ(kill(number, 0), 0);
    }
    EXPECT_NE(kill(number, 0), 0);
}

TEST_F(BuildersTest, ADeviceThatIsNotThereHasNoProcess) {
    DeviceInfo other = *info_;
    other.name = "another device";
    BuilderProcess process(other);
    EXPECT_FALSE(process.build({text(1), options, {}}));
    EXPECT_FALSE(process.is_alive());
}

TEST_F(BuildersTest, BuildsThatWaitGoToProcesses) {
    DeviceInfo large = *info_;
    large.memory_bytes = std::uint64_t{80} << 30;
    Builders builders(large);
    EXPECT_EQ(builders.expect(2), 1u) << "a process is not worth two builds";
    EXPECT_EQ(builders.expect(9), 4u);
    // Keeps this process' own compiler busy until two others have built.
    std::latch others(2);
    std::latch inside(1);
    std::jthread own([&] {
        EXPECT_FALSE(builders.build({text(1), options, {}}, [&] {
            inside.count_down();
            others.wait();
        }));
    });
    inside.wait();
    std::vector<std::jthread> threads;
    std::atomic<int> said = 0, here = 0;
    for (const int number : {2, 3}) {
        threads.emplace_back([&, number] {
            const auto log = builders.build({text(number), options, {}}, [&] {
                ++here;
                others.count_down();
            });
            said += log.has_value();
        });
    }
    threads.clear();
    own.join();
    EXPECT_EQ(here, 2) << "out of the cache, in this process too";
    EXPECT_EQ(said, 2);
    EXPECT_EQ(builders.expect(0), 1u);
}

TEST_F(BuildersTest, ATextIsBuiltOnceAndAFailureEachTime) {
    Builders builders(*info_);
    int here = 0;
    EXPECT_FALSE(builders.build({text(1), options, {}}, [&] { ++here; }));
    EXPECT_FALSE(builders.build({text(1), options, {}}, [&] { ++here; }));
    EXPECT_EQ(here, 2);
    const auto fail = [&]() -> void { throw Error("no program"); };
    EXPECT_THROW(builders.build({"{", options, {}}, fail), Error);
    EXPECT_THROW(builders.build({"{", options, {}}, fail), Error);
}

}  // namespace
}  // namespace parallax::opencl::builders_test
