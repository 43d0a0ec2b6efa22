// Tests `parallax run --all-devices` of the real program, and the fleet report of its files.
#include <filesystem>

#include <gmock/gmock.h>

#include "cli/tests/command_line.hpp"

namespace parallax::cli::all_devices_program_test {
namespace {

using testing::HasSubstr;

class AllDevicesOfProgram : public CommandLine {};

TEST_F(AllDevicesOfProgram, LeavesAFileForEachDeviceThatFleetReads) {
    if (!has_device()) GTEST_SKIP() << "there is no device here";
    EXPECT_EQ(
        shell("\"$P\" run --all-devices -s transpose/naive -n 64x64 --check --budget 100000 -d "
              "opencl -o out >text 2>err"),
        0)
        << text_of("err");
    EXPECT_THAT(text_of("text"), HasSubstr("naive"));
    std::size_t files = 0;
    for (const auto& one : std::filesystem::directory_iterator("out")) {
        files += one.path().extension() == ".jsonl";
    }
    EXPECT_GE(files, 1U);
    EXPECT_NE(text_of("out/expect.txt"), "");
    const Ended report = run({"fleet", "out", "--format", "json"});
    EXPECT_EQ(report.code, 0) << report.err;
    const Json json = Json::parse(report.out);
    EXPECT_EQ(json.at("devices").size(), files);
    EXPECT_TRUE(json.at("missing").empty());
}

}  // namespace
}  // namespace parallax::cli::all_devices_program_test
