// Tests `parallax occupancy`: published examples, rejected requests, and kernels with and without a
// device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/tests/command_line.hpp"
#include "common/error.hpp"
#include "common/tests/fake_device.hpp"
#include "report/sweep/sweep_report.hpp"
#include "studies/sweep/sweep_result.hpp"

namespace parallax::cli::occupancy_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class OccupancyCommand : public CommandLine {
protected:
    static Json calculated(const char* capability, const char* items, const char* registers,
                           const char* local) {
        const Ended e = run({"occupancy", "--items", items, "--registers", registers, "--local",
                             local, "--capability", capability, "--format", "json"});
        EXPECT_EQ(e.code, 0) << e.err;
        return e.code == 0 ? Json::parse(e.out) : Json();
    }
};

TEST_F(OccupancyCommand, PublishedExamples) {
    Json one = calculated("1.0", "192", "20", "68");
    EXPECT_EQ(one["warps"], 12);
    EXPECT_EQ(one["most_warps"], 24);
    EXPECT_EQ(one["occupancy"], 0.5);
    EXPECT_EQ(calculated("1.0", "256", "10", "0")["occupancy"], 1.0);
    EXPECT_NEAR(calculated("1.0", "256", "11", "0")["occupancy"], 0.667, 0.001);
    EXPECT_NEAR(calculated("1.0", "128", "11", "0")["occupancy"], 0.833, 0.001);
    one = calculated("1.3", "256", "8", "2048");
    EXPECT_EQ(one["warps"], 32);
    EXPECT_EQ(one["groups"], 4);
}

TEST_F(OccupancyCommand, EveryLimitIsListed) {
    // From the published page: 6 warps, 3840 registers, 512 bytes per work-group; 4, 2 and 32
    // work-groups.
    const GroupNeeds needs = needs_of(*limits_of("1.0"), 20, 68, 192);
    EXPECT_EQ(needs.warps, 6u);
    EXPECT_EQ(needs.registers, 3840u);
    EXPECT_EQ(needs.local_bytes, 512u);
    EXPECT_EQ(needs.by_warps, 4u);
    EXPECT_EQ(needs.by_registers, 2u);
    EXPECT_EQ(needs.by_local_memory, 32u);
    EXPECT_EQ(needs.by_groups, 8u);
    const Json limits = calculated("1.0", "192", "20", "68")["limits"];
    ASSERT_EQ(limits.size(), 4u);
    for (const Json& limit : limits) EXPECT_EQ(limit["binds"], limit["name"] == "registers");
}

TEST_F(OccupancyCommand, CurvesHaveThePublishedPoints) {
    const Json curves = calculated("1.0", "192", "20", "68")["curves"];
    ASSERT_EQ(curves.size(), 3u);
    const auto at = [](const Json& curve, int value) {
        for (const Json& point : curve["points"]) {
            if (point["value"] == value) return point["warps"].get<int>();
        }
        return -1;
    };
    EXPECT_EQ(at(curves[0], 192), 12);
    EXPECT_EQ(at(curves[0], 448), 0);
    EXPECT_EQ(at(curves[1], 24), 6);
    EXPECT_EQ(at(curves[1], 32), 6);
    EXPECT_EQ(at(curves[2], 8192), 12);
    EXPECT_EQ(at(curves[2], 9216), 6);
    const Ended e = run({"occupancy", "--items", "192", "--registers", "20", "--local", "68",
                         "--capability", "1.0"});
    EXPECT_THAT(e.out, AllOf(HasSubstr("12 of 24"), HasSubstr("50 %"), HasSubstr("<- limits"),
                             HasSubstr("█"), HasSubstr("<- here")));
}

TEST_F(OccupancyCommand, CapabilitiesAreTakenInEverySpelling) {
    EXPECT_EQ(calculated("90", "256", "32", "0"), calculated("9.0", "256", "32", "0"));
    EXPECT_EQ(calculated("sm_121", "256", "32", "0"), calculated("12.1", "256", "32", "0"));
}

TEST_F(OccupancyCommand, WhatCannotBeIsTwo) {
    const auto bad = [](const char* items, const char* registers, const char* local,
                        const char* capability, const char* word) {
        expect_usage(
            {"occupancy", std::string("--items=") + items, std::string("--registers=") + registers,
             std::string("--local=") + local, std::string("--capability=") + capability},
            word);
    };
    bad("0", "20", "0", "9.0", "from 1 to 1024");
    bad("1025", "20", "0", "9.0", "from 1 to 1024");
    bad("513", "20", "0", "1.0", "from 1 to 512");
    bad("-1", "20", "0", "9.0", "from 1 to 1024");
    bad("256", "256", "0", "9.0", "from 1 to 255");
    bad("256", "-3", "0", "9.0", "from 1 to 255");
    bad("256", "0", "0", "9.0", "from 1 to 255");
    bad("256", "20", "232449", "9.0", "from 0 to 232448");
    bad("256", "20", "x", "9.0", "from 0 to");
    bad("256", "20", "0", "4.2", "There are: 1.0");
    bad("256", "20", "0", "nine", "There are: 1.0");
    expect_usage({"occupancy"}, "--items is missing");
    expect_usage({"occupancy", "--items", "32"}, "--registers is missing");
    expect_usage({"occupancy", "--items", "32", "--registers", "8"}, "--capability is missing");
    expect_usage({"occupancy", "--items", "32", "-n", "64"}, "Name it as SUITE/VARIANT");
    expect_usage({"occupancy", "reduction/items", "--items", "32"}, "for the calculator");
    expect_usage({"occupancy", "reduction/items", "--capability", "9.0", "-d", "cuda"},
                 "Leave one");
    expect_usage({"occupancy", "reduction"}, "SUITE/VARIANT");
    expect_usage({"occupancy", "reduction/items", "--define", "GROUP=5000"}, "out of range");
    expect_usage({"occupancy", "reduction/items", "--format", "md"}, "json");
}

TEST_F(OccupancyCommand, WhatDoesNotCompileIsOne) {
    std::filesystem::create_directories("k");
    std::ofstream("k/transpose.cl") << "__kernel void tiled() {";
    auto script = std::make_shared<fake::Script>();
    script->kernels["tiled"] = [](const fake::HostLaunch&) {};
    std::vector<std::unique_ptr<Backend>> on;
    on.push_back(std::make_unique<fake::FakeBackend>(script));
    const Ended good = run({"occupancy", "transpose/padded"}, on);
    EXPECT_EQ(good.code, 0) << good.err;
    EXPECT_THAT(good.out, HasSubstr("tiled"));
    const Ended bad = run({"occupancy", "transpose/padded", "--kernels", "k"}, on);
    EXPECT_EQ(bad.code, 6) << bad.err;
    EXPECT_THAT(bad.out, HasSubstr("did not compile"));
}

TEST(Predictions, TheApiIsHeldAgainstTheCalculator) {
    OccupancyPrediction p{.kernel = "k", .items = 256, .registers = 32, .local_bytes = 0};
    predict(p, "9.0", "cuda:0");
    ASSERT_TRUE(p.predicted);
    EXPECT_EQ(p.predicted->groups, 8u);
    EXPECT_EQ(p.api_text(), "-");
    p.api_groups = 8;
    EXPECT_EQ(p.api_text(), "8 groups, the same");
    p.api_groups = 7;
    EXPECT_TRUE(p.differs());
    EXPECT_THAT(p.api_text(), HasSubstr("DIFFERS"));
    OccupancyPrediction unknown{.kernel = "k", .items = 256, .registers = {}, .local_bytes = 0};
    predict(unknown, "9.0", "opencl:1");
    EXPECT_THAT(unknown.why_not, HasSubstr("many registers"));
    OccupancyPrediction future{.kernel = "k", .items = 256, .registers = 8, .local_bytes = 0};
    predict(future, "42.0", "cuda:0");
    EXPECT_THAT(future.why_not, HasSubstr("42.0"));
}

/// Two points of a card of compute capability 9.0: one full and slow, one half full and fast.
TEST(Predictions, StandBesideTheSpeedOfASweep) {
    SweepRequest request;
    request.pick.suite = &suite_named("reduction");
    request.pick.variant = &variant_named(*request.pick.suite, "items");
    request.over = {"GROUP=128,256"};
    const SweepPoints points = sweep_points(request);
    std::vector<Record> records;
    for (std::size_t i = 0; i < 2; ++i) {
        Record& r = records.emplace_back();
        r.key = key_of(*points.points[i].the_case);
        r.key.shape = {4096};
        r.device = "cuda:0";
        r.where.name = "Card";
        r.where.compute_capability = "9.0";
        r.status = Status::ok;
        r.work.bytes = 1e9;
        const double median = i == 0 ? 1e-3 : 2e-3;
        r.timing.emplace();
        r.timing->estimate = {.median = median, .low = 0.999 * median, .high = 1.001 * median};
        r.timing->samples = {0.999 * median, 1.001 * median};
        LaunchRecord& launch = r.launches.emplace_back();
        launch.name = "items";
        launch.items = {i == 0 ? 128u : 256u, 1, 1};
        launch.resources.emplace();
        launch.resources->registers = i == 0 ? 64 : 32;
        launch.resources->local_bytes = 1024;
        launch.resources->groups_per_unit = 8;
    }
    const SweepResult result = sweep_result(points, records, true);
    const std::string text = text_of(sweep_document(result), 100, false),
                      markdown = markdown_of(sweep_document(result));
    for (const std::string& report : {text, markdown}) {
        EXPECT_THAT(report, AllOf(HasSubstr("32 of 64 warps, 50 % (registers); the API: the same"),
                                  HasSubstr("64 of 64 warps, 100 %")));
    }
    EXPECT_THAT(text_of(sweep_document(sweep_result(points, records)), 100, false),
                Not(HasSubstr("warps")));
    const Json json = to_json(result);
    EXPECT_FALSE(
        to_json(sweep_result(points, records))["devices"][0]["points"][0].contains("kernels"));
    EXPECT_EQ(json["devices"][0]["points"][0]["kernels"][0]["api_groups"], 8);
    records[0].launches[0].resources->groups_per_unit = 7;
    EXPECT_THAT(text_of(sweep_document(sweep_result(points, records, true)), 100, false),
                HasSubstr("7 groups, DIFFERS"));
}

}  // namespace
}  // namespace parallax::cli::occupancy_test
