// Tests `parallax run --all-devices`: the started processes, and their files.
#include "cli/all_devices.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/tests/command_line.hpp"

namespace parallax::cli::all_devices_test {
namespace {

using testing::ElementsAre;

Entry entry_of(const std::string& backend, unsigned index, unsigned physical, bool is_gpu) {
    DeviceInfo info;
    info.backend = backend;
    info.index = index;
    info.name = is_gpu ? "GPU" : "CPU";
    info.is_gpu = is_gpu;
    if (is_gpu) info.uuid = Uuid{static_cast<std::uint8_t>(physical + 1)};
    return {nullptr, info, physical};
}

TEST(AllDevices, AreAProcessForEachCardWithBothOfItsApis) {
    const std::vector<DeviceProcess> processes =
        device_processes({entry_of("opencl", 0, 0, true), entry_of("opencl", 1, 1, true),
                          entry_of("opencl", 2, 2, false), entry_of("cuda", 0, 1, true),
                          entry_of("cuda", 1, 0, true)},
                         {"run", "--all-devices", "-s", "transpose", "-o", "x", "-dcuda",
                          "--device=opencl", "--processes", "3", "--output=y"},
                         "out", "node 1");
    ASSERT_EQ(processes.size(), 2U);
    EXPECT_EQ(processes[0].file, "out/node-1-01000000000000000000000000000000.jsonl");
    EXPECT_THAT(processes[0].words,
                ElementsAre("run", "-s", "transpose", "--processes", "3", "-o",
                            processes[0].file.string(), "-d", "opencl:0", "-d", "cuda:1"));
    EXPECT_THAT(processes[1].words,
                ElementsAre("run", "-s", "transpose", "--processes", "3", "-o",
                            processes[1].file.string(), "-d", "opencl:1", "-d", "cuda:0"));
}

TEST(AllDevices, AreProcessorsWhereThereIsNoCard) {
    const std::vector<DeviceProcess> processes = device_processes(
        {entry_of("opencl", 0, 0, false)}, {"run", "--all-devices"}, "out", "node1");
    ASSERT_EQ(processes.size(), 1U);
    EXPECT_EQ(processes[0].file, "out/node1-opencl-0.jsonl");
}

class AllDevicesCommand : public CommandLine {};

TEST_F(AllDevicesCommand, NeedsAFolder) {
    expect_usage({"run", "--all-devices"}, "name the folder");
    std::ofstream("file") << "";
    expect_usage({"run", "--all-devices", "-o", "file"}, "is no folder");
}

}  // namespace
}  // namespace parallax::cli::all_devices_test
