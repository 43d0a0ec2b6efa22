// Tests `parallax occupancy` of kernels that real compilers build.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/tests/command_line.hpp"
#include "studies/sweep/sweep_result.hpp"

namespace parallax::cli::occupancy_device_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class OccupancyOnDevices : public CommandLine {};

TEST_F(OccupancyOnDevices, CompilesForACapabilityWithoutADevice) {
    const Ended e =
        run({"occupancy", "reduction/items", "--capability", "9.0", "--format", "json"});
    if (e.code == 5) GTEST_SKIP() << e.err;
    ASSERT_EQ(e.code, 0) << e.err;
    const Json kernels = Json::parse(e.out)["on"][0]["kernels"];
    ASSERT_FALSE(kernels.empty());
    for (const Json& kernel : kernels) {
        EXPECT_TRUE(kernel["registers"].is_number()) << kernel;
        const Occupancy o = occupancy_of(*limits_of("9.0"), kernel["registers"],
                                         kernel["local_bytes"], kernel["items"]);
        EXPECT_EQ(kernel["groups"], o.groups);
        EXPECT_GT(o.groups, 0u);
    }
    // A tree of one float per work-item: doubling the work-group doubles its local memory.
    const auto local_at = [](const char* define) {
        const Ended one = run({"occupancy", "reduction/items", "--capability", "9.0", "--format",
                               "json", "--define", define});
        return Json::parse(one.out)["on"][0]["kernels"][0]["local_bytes"].get<int>();
    };
    EXPECT_EQ(local_at("GROUP=512"), 2 * local_at("GROUP=256"));
    expect_usage({"occupancy", "reduction/items", "--capability", "1.0"}, "does not know");
}

TEST_F(OccupancyOnDevices, ADeviceWithoutCapabilitySaysSo) {
    const Ended e = run({"occupancy", "reduction/items", "-d", "opencl:Portable"});
    const Ended all = run({"occupancy", "reduction/items", "-d", "opencl"});
    if (all.code == 2) GTEST_SKIP() << "no OpenCL device";
    EXPECT_EQ(all.code, 0) << all.err;
    EXPECT_THAT(all.out, HasSubstr("reduction"));
    for (const Entry& entry : find_devices(backends()).entries) {
        if (!entry.info.compute_capability.empty()) continue;
        EXPECT_THAT(run({"occupancy", "reduction/items", "-d", entry.info.id()}).out,
                    testing::AnyOf(HasSubstr("has no compute capability"),
                                   HasSubstr("NVIDIA's driver has taken their addresses")));
    }
}

TEST_F(OccupancyOnDevices, ASweepShowsItBesideTheSpeed) {
    if (run({"occupancy", "reduction/items", "-d", "opencl"}).code == 2) {
        GTEST_SKIP() << "no OpenCL device";
    }
    const std::vector<std::string> words{
        "sweep",  "reduction/items", "--over", "GROUP=16,64", "-n", "5000",   "-d",
        "opencl", "--budget",        "200",    "--quiet",     "-o", "o.jsonl"};
    std::vector<std::string> with = words;
    with.emplace_back("--occupancy");
    const Ended e = run(with);
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_THAT(e.out, AllOf(HasSubstr("GROUP=16"), HasSubstr("GROUP=64"), HasSubstr("GB/s"),
                             HasSubstr("occupancy")));
    // The same from the file, only if requested.
    const std::vector<std::string> again{"sweep",  "reduction/items", "--over", "GROUP=16,64",
                                         "--from", "o.jsonl",         "-n",     "5000"};
    EXPECT_THAT(run(again).out, Not(HasSubstr("occupancy")));
    with = again;
    with.emplace_back("--occupancy");
    EXPECT_THAT(run(with).out, HasSubstr("occupancy"));
}

}  // namespace
}  // namespace parallax::cli::occupancy_device_test
