// Tests `parallax sweep` on a real device.
#include <gmock/gmock.h>

#include "cli/tests/command_line.hpp"

namespace parallax::cli::sweep_device_test {
namespace {

using testing::HasSubstr;

class SweepOnDevices : public CommandLine {};

TEST_F(SweepOnDevices, RecordsShowTheSameCurveAgain) {
    if (!has_device()) GTEST_SKIP() << "no device";
    const std::vector<std::string> what{
        "sweep", "reduction/items", "--over", "GROUP=16,64,4096", "-n", "5000"};
    std::vector<std::string> live = what;
    live.insert(live.end(), {"-d", "opencl", "--budget", "200", "-o", "kept.jsonl", "--format",
                             "json", "--quiet"});
    const Ended e = run(live);
    if (e.err.find("names no device") != std::string::npos) GTEST_SKIP() << "no OpenCL device";
    ASSERT_EQ(e.code, 0) << e.err;
    const Json json = Json::parse(e.out);
    const Json& points = json["devices"].at(0)["points"];
    EXPECT_EQ(points.at(0)["status"], "ok");
    EXPECT_EQ(points.at(2)["status"], "refused");
    EXPECT_THAT(std::string(points.at(2)["reason"]), HasSubstr("4096"));
    std::vector<std::string> again = what;
    again.insert(again.end(), {"--from", "kept.jsonl", "--format", "json"});
    EXPECT_EQ(Json::parse(run(again).out), json);
    EXPECT_EQ(json_results("kept.jsonl").records.back()["schema"], "parallax.record");
    std::vector<std::string> other{"sweep", "reduction/items", "--over",    "GROUP=32", "-n",
                                   "5000",  "--from",          "kept.jsonl"};
    EXPECT_EQ(run(other).code, 5);
}

TEST_F(SweepOnDevices, ConstantsOfAManifestAreSwept) {
    if (!has_device()) GTEST_SKIP() << "no device";
    const Ended e = run(
        {"sweep", std::string(SOURCE_ROOT "/docs/examples/convolution/convolution.json") + "/tiled",
         "--over", "RADIUS=2,5", "-n", "50x40", "--budget", "200", "--quiet", "-o", "mine.jsonl"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_THAT(e.out, HasSubstr("RADIUS=2"));
}

}  // namespace
}  // namespace parallax::cli::sweep_device_test
