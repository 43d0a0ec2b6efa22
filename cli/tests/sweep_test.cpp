// Tests sweeps: lists, points, conclusions from the intervals, and the command on real and fake
// devices.
#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/tests/command_line.hpp"
#include "common/error.hpp"
#include "common/tests/fake_device.hpp"
#include "common/text/text.hpp"
#include "records/results.hpp"
#include "report/sweep/sweep_report.hpp"
#include "studies/sweep/sweep_result.hpp"

namespace parallax::cli::sweep_test {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Values64 = std::vector<std::int64_t>;

TEST(SweepValues, ListsAndRanges) {
    EXPECT_EQ(parse_values("N", "32,64,128"), (Values64{32, 64, 128}));
    EXPECT_EQ(parse_values("N", "32..1024"), (Values64{32, 64, 128, 256, 512, 1024}));
    EXPECT_EQ(parse_values("N", "32..1000"), (Values64{32, 64, 128, 256, 512}));
    EXPECT_EQ(parse_values("N", "3..3"), (Values64{3}));
    EXPECT_EQ(parse_values("N", "32..128+32"), (Values64{32, 64, 96, 128}));
    EXPECT_EQ(parse_values("N", "0..5+2"), (Values64{0, 2, 4}));
    EXPECT_EQ(parse_values("N", "-2..2+2"), (Values64{-2, 0, 2}));
    EXPECT_EQ(parse_values("N", "64,1..4,2"), (Values64{1, 2, 4, 64})) << "ascending, each once";
    EXPECT_EQ(parse_values("n", "2^10..4K"), (Values64{1024, 2048, 4096}));
    EXPECT_EQ(parse_values("N", "1..9223372036854775807").size(), 63u);
}

TEST(SweepValues, WhatIsNoneIsRefused) {
    for (const char* word :
         {"", ",", "1,", "a", "1..", "..4", "8..4", "0..8", "1..8+0", "1..8+-1", "1.5", "1024x777",
          "1..5000+1", "99999999999999999999", "-9223372036854775808..9223372036854775807+1"}) {
        EXPECT_THROW(parse_values("N", word), UsageError) << word;
    }
}

SweepRequest request_for(const char* suite, const char* variant, std::vector<std::string> over) {
    SweepRequest request;
    request.pick.suite = &suite_named(suite);
    request.pick.variant = &variant_named(*request.pick.suite, variant);
    request.over = std::move(over);
    return request;
}

TEST(SweepPointsOf, RefusedValuesArePointsTwoNamesArePairs) {
    const SweepPoints points =
        sweep_points(request_for("reduction", "items", {"GROUP=64,4096", "ITEMS=4..16"}));
    ASSERT_EQ(points.points.size(), 6u);
    EXPECT_EQ(points.label(points.points.at(1)), "GROUP=64 ITEMS=8");
    EXPECT_EQ(points.cases().size(), 3u);
    EXPECT_THAT(points.points.at(3).refusal, HasSubstr("4096"));
    EXPECT_TRUE(points.points.at(0).the_case->shape.extents.empty()) << "the device decides";
}

TEST(SweepPointsOf, ExtentsAreSweptToo) {
    SweepRequest one = request_for("reduction", "items", {"n=2^10..2^12"});
    EXPECT_EQ(to_string(sweep_points(one).points.at(1).the_case->shape), "2048");
    const SweepPoints square = sweep_points(request_for("transpose", "padded", {"size=64,128"}));
    EXPECT_EQ(to_string(square.points.at(1).the_case->shape), "128x128");
    const std::string first = suite_named("transpose").dimensions[0];
    SweepRequest part = request_for("transpose", "padded", {first + "=64,128"});
    EXPECT_THROW(sweep_points(part), UsageError) << "the other extent is open";
    part.shape = Shape{{1000, 777}};
    const Shape shape = sweep_points(part).points.at(1).the_case->shape;
    EXPECT_EQ(shape[0], 128u);
    EXPECT_EQ(shape[1], 777u);
}

TEST(SweepPointsOf, NamedChoices) {
    const SweepPoints points = sweep_points(request_for("reduction", "items", {"OP=max,sum"}));
    ASSERT_EQ(points.points.size(), 2u);
    EXPECT_EQ(points.label(points.points.at(0)), "OP=max");
}

TEST(SweepPointsOf, WhatCannotBeIsRefused) {
    for (const std::vector<std::string>& over :
         std::vector<std::vector<std::string>>{{},
                                               {"GROUP"},
                                               {"GROUP="},
                                               {"=3"},
                                               {"FROB=3"},
                                               {"OP=nothing"},
                                               {"n=0"},
                                               {"n=-4"},
                                               {"GROUP=32", "GROUP=64"},
                                               {"n=32", "size=64"},
                                               {"GROUP=1", "ITEMS=4", "OP=sum"}}) {
        EXPECT_THROW(sweep_points(request_for("reduction", "items", over)), UsageError)
            << testing::PrintToString(over);
    }
    SweepRequest defined = request_for("reduction", "items", {"GROUP=64"});
    defined.defines = {{"GROUP", 32}};
    EXPECT_THROW(sweep_points(defined), UsageError);
    defined.defines = {{"FROB", 32}};
    EXPECT_THROW(sweep_points(defined), UsageError);
    SweepRequest sized = request_for("reduction", "items", {"GROUP=64"});
    sized.shape = Shape{{8, 8}};
    EXPECT_THROW(sweep_points(sized), UsageError);
}

/// A record of a point with these seconds and an interval of `half` on both sides.
Record record_of(const Point& point, const std::string& device, double seconds, double half) {
    Record record;
    record.key = key_of(*point.the_case);
    record.key.shape = {1024};
    record.device = device;
    record.where.name = "Card";
    record.status = Status::ok;
    record.work = {.bytes = 1e9, .operations = 1e6};
    record.timing.emplace();
    record.timing->estimate = {
        .median = seconds, .low = seconds * (1 - half), .high = seconds * (1 + half)};
    record.timing->samples = {record.timing->estimate.low, record.timing->estimate.high};
    return record;
}

class SweepClaims : public testing::Test {
protected:
    SweepPoints points_ = sweep_points(request_for("reduction", "items", {"GROUP=64,128,256,512"}));
    std::vector<Record> records_;

    void add(const std::string& device, const std::vector<double>& milliseconds,
             double half = 0.001) {
        for (std::size_t i = 0; i < milliseconds.size(); ++i) {
            if (milliseconds[i] <= 0) continue;
            records_.push_back(record_of(points_.points[i], device, milliseconds[i] / 1e3, half));
        }
    }
    SweepResult result() const { return sweep_result(points_, records_); }
};

TEST_F(SweepClaims, BestOnlyWhenItsIntervalIsAboveAllOthers) {
    add("cuda:0", {2, 1, 1.01, 1.5});
    const SweepResult r = result();
    ASSERT_EQ(r.devices.size(), 1u);
    EXPECT_TRUE(r.devices.at(0).has_best());
    EXPECT_THAT(r.claims(), ElementsAre("best: GROUP=128 on cuda:0: 1000 GB/s; within 2 %: 256"));
}

TEST_F(SweepClaims, OneSampleHasNoInterval) {
    add("cuda:0", {1, 2, 3});
    records_.front().timing->samples.resize(1);
    EXPECT_FALSE(result().devices.at(0).has_best());
    EXPECT_THAT(text_of(sweep_document(result()), 100, false), HasSubstr("n=1"));
}

TEST_F(SweepClaims, OverlappingIntervalsHaveNoBest) {
    add("cuda:0", {2, 1, 1.01, 1.5}, 0.006);
    const SweepResult r = result();
    EXPECT_FALSE(r.devices.at(0).has_best());
    EXPECT_THAT(r.claims()[0], HasSubstr("highest: GROUP=128"));
    EXPECT_THAT(r.claims()[0], HasSubstr("do not tell it from: 256"));
    EXPECT_THAT(r.claims()[0], Not(HasSubstr("within"))) << "2.2 % by the far ends";
    EXPECT_THAT(text_of(sweep_document(r), 100, false), Not(HasSubstr("  best")));
}

TEST_F(SweepClaims, OneThatRanIsNoBest) {
    add("cuda:0", {0, 1});
    EXPECT_THAT(result().claims()[0], HasSubstr("the only one that ran: GROUP=128"));
    EXPECT_EQ(result().devices.at(0).cells[0].status, "missing");
}

TEST_F(SweepClaims, DevicesDifferOnlyWhereBothShowIt) {
    add("cuda:0", {2, 1, 1.2, 1.5});
    add("opencl:1", {2, 1.25, 1, 1.5});
    ASSERT_EQ(result().differences().size(), 1u);
    EXPECT_THAT(result().differences()[0],
                HasSubstr("The best differs: GROUP=128 on cuda:0, GROUP=256 on opencl:1"));
    EXPECT_THAT(result().differences()[0], HasSubstr("cuda:0 reaches 83 %"));
    EXPECT_THAT(result().differences()[0], HasSubstr("opencl:1 80 %"));
    records_.clear();
    add("cuda:0", {2, 1, 1.2, 1.5});
    add("opencl:1", {2, 1.001, 1, 1.5});
    EXPECT_THAT(result().differences()[0], HasSubstr("nothing measured says"));
    records_.clear();
    add("cuda:0", {2, 1, 1.2, 1.5});
    add("opencl:1", {2, 1, 1.3, 1.5});
    EXPECT_THAT(result().differences(), IsEmpty());
}

TEST_F(SweepClaims, TheLatestOfSeveralRecordsCounts) {
    add("cuda:0", {2, 1, 1.2, 1.5});
    add("cuda:0", {0.5});
    EXPECT_THAT(result().claims()[0], HasSubstr("best: GROUP=64"));
    records_.back().key.shape = {2048};
    EXPECT_THROW(result(), UsageError) << "two sizes";
}

TEST_F(SweepClaims, AllFormatsShowEveryPoint) {
    add("cuda:0", {2, 1, 1.2, 1.5});
    add("opencl:1", {2, 1, 0, 1.5});
    const std::string text = text_of(sweep_document(result()), 100, false),
                      markdown = markdown_of(sweep_document(result()));
    for (const char* word : {"GROUP=64", "GROUP=512", "cuda:0", "opencl:1", "missing", "best:"}) {
        EXPECT_THAT(text, HasSubstr(word));
        EXPECT_THAT(markdown, HasSubstr(word));
    }
    EXPECT_THAT(text, HasSubstr("█"));
    const Json json = to_json(result());
    EXPECT_EQ(json["devices"].at(0)["highest"]["point"], "GROUP=128");
    EXPECT_EQ(json["devices"].at(1)["points"].at(2)["status"], "missing");
    EXPECT_EQ(json["points"].size(), json["devices"].at(0)["points"].size());
}

class SweepCommand : public CommandLine {};

TEST_F(SweepCommand, BadWordsEndWithTwo) {
    expect_usage({"sweep"}, "SUITE/VARIANT");
    expect_usage({"sweep", "reduction"}, "SUITE/VARIANT");
    expect_usage({"sweep", "reduction/items"}, "Over what?");
    expect_usage({"sweep", "reduction/items", "--over", "GROUP=64..32"}, "ends before it begins");
    expect_usage({"sweep", "reduction/items", "--over", "FROB=1"}, "neither a constant");
    expect_usage({"sweep", "reduction/items", "--over", "GROUP=4096"}, "out of range");
    expect_usage({"sweep", "reduction/items", "--over", "GROUP=64", "--format", "xml"}, "html");
    expect_usage({"sweep", "reduction/items", "--over", "GROUP=64", "--budget", "-1"}, "--budget");
    expect_usage({"sweep", "reduction/items", "--over", "GROUP=64", "-d", "metal"},
                 "names no device");
    expect_usage({"sweep", "reduction/items", "--over", "GROUP=64", "--from", "no.jsonl"},
                 "no.jsonl");
    expect_usage({"sweep", "ceiling/copy", "--over", "GROUP=64"}, "cannot be swept");
}

TEST_F(SweepCommand, CommittedRecordsHaveACurve) {
    const Ended e =
        run({"sweep", "reduction/items", "--over", "GROUP=64..1024", "--from",
             std::string(SOURCE_ROOT "/results") + "/nvidia-h100-80gb-hbm3/sweep.jsonl"});
    EXPECT_EQ(e.code, 0) << e.err;
    for (const char* backend : {"opencl", "cuda"}) {
        EXPECT_THAT(e.out, ContainsRegex(fmt::format(
                               "(best|highest): GROUP=[0-9]+ on {}:[0-9]+: [0-9]+ GB/s", backend)));
    }
}

TEST_F(SweepCommand, WhatADeviceCannotRunIsAPointAndTheSweepGoesOn) {
    const auto script = std::make_shared<fake::Script>();
    script->kernels["items"] = [](const fake::HostLaunch&) {};
    script->before = [](std::string_view call) {
        if (call == "compile") throw UsageError("Groups are too large here.");
    };
    std::vector<std::unique_ptr<Backend>> on;
    on.push_back(std::make_unique<fake::FakeBackend>(script));
    const Ended e = run({"sweep", "reduction/items", "--over", "GROUP=32,64", "-n", "100", "-o",
                         "all.jsonl", "--quiet"},
                        on);
    EXPECT_EQ(e.code, 2) << "nothing ran, and what was asked for is why";
    EXPECT_THAT(e.out, HasSubstr("unsupported"));
    EXPECT_THAT(e.err, HasSubstr("too large here"));
}

}  // namespace
}  // namespace parallax::cli::sweep_test
