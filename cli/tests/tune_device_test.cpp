// Tests `parallax tune` on a real device, and its stored constants in `run` and `diff`.
#include <gmock/gmock.h>

#include "cli/tests/command_line.hpp"
#include "records/tuned.hpp"

namespace parallax::cli::tune_device_test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class TuneOnDevices : public CommandLine {
protected:
    /// A search of few candidates on PoCL, stored in best.jsonl.
    static Words small(const Words& more = {}) {
        Words words{"tune",     "transpose/tiled", "--over",     "TILE=8,16", "--over",
                    "ROWS=4,8", "--define",        "PAD=1",      "-n",        "64x48",
                    "-d",       "opencl:0",        "--budget",   "1000",      "--seed",
                    "3",        "--keep",          "best.jsonl", "-o",        "all.jsonl"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
};

TEST_F(TuneOnDevices, AManifestDeclaresWhatIsWorthTrying) {
    const std::string example =
        std::string(SOURCE_ROOT) + "/docs/examples/convolution/convolution.json";
    std::filesystem::copy(std::filesystem::path(example).parent_path(), "own");
    Json json = Json::parse(text_of("own/convolution.json"));
    json["worth"] = {{"NOBODY", {1, 2}}};
    json["name"] = "own_convolution";
    std::ofstream("own/convolution.json") << json.dump();
    expect_usage({"tune", "own/convolution.json/tiled"}, "none of the manifest's constants");
    json["constants"]["GROUP_X"] = 32;
    json["variants"].at(1)["items"] = {"GROUP_X", 8};
    json["worth"] = {{"GROUP_X", {16, 32}}};
    std::ofstream("own/convolution.json") << json.dump();
    expect_usage({"tune", "own/convolution.json/direct"}, "--over");
    if (!has_device()) GTEST_SKIP() << "no device";
    const Ended e = run({"tune", "own/convolution.json/tiled", "-n", "50x40", "-d", "opencl:0",
                         "--budget", "1000", "-o", "mine.jsonl", "--json", "--quiet"});
    ASSERT_EQ(e.code, 0) << e.err;
    EXPECT_EQ(Json::parse(e.out)["devices"].at(0)["tried"], 2);
}

TEST_F(TuneOnDevices, WhatIsFoundIsKeptAndTaken) {
    if (!has_device()) GTEST_SKIP() << "no device";
    const Ended e = run(small({"--json"}));
    ASSERT_EQ(e.code, 0) << e.err;
    EXPECT_THAT(e.err,
                HasSubstr("kept in best.jsonl: 'parallax run -s transpose/tiled --tuned-from "
                          "best.jsonl' takes it\n"));
    const Json json = Json::parse(e.out);
    EXPECT_EQ(json["schema"], "parallax.tune");
    const Json& device = json["devices"].at(0);
    EXPECT_EQ(device["candidates"], 4);
    EXPECT_EQ(device["tried"], 4);
    EXPECT_EQ(device["ended_by"], "all");
    EXPECT_EQ(device["own"], nullptr) << "a tile of 32 is not among them";
    const TunedFile kept = read_tuned("best.jsonl");
    ASSERT_THAT(kept.entries, SizeIs(1));
    // Another size of the same class, and a case without stored constants.
    const Ended taken =
        run({"run", "-s", "transpose/tiled", "-s", "transpose/naive", "-n", "70x40", "-d",
             "opencl:0", "--budget", "1000", "-o", "run.jsonl", "--tuned-from", "best.jsonl"});
    ASSERT_EQ(taken.code, 0) << taken.err;
    EXPECT_THAT(taken.err, HasSubstr("tuned: transpose/tiled float 70x40 on opencl:0: TILE="));
    EXPECT_THAT(taken.out, HasSubstr("Tuned: TILE="));
    bool any = false;
    for (const Json& record : json_results("run.jsonl").records) {
        EXPECT_EQ(record.contains("untuned"), record["variant"] == "tiled") << record.dump();
        if (record["variant"] != "tiled") continue;
        any = true;
        EXPECT_EQ(record["constants"]["TILE"], *kept.entries.at(0).key.value_of("TILE"));
        EXPECT_EQ(record["untuned"]["TILE"], 32);
    }
    EXPECT_TRUE(any);
}

TEST_F(TuneOnDevices, KeptRecordsAreSearchedWithoutADevice) {
    if (!has_device()) GTEST_SKIP() << "no device";
    ASSERT_EQ(run(small({"--quiet"})).code, 0);
    const Words again{"tune",     "transpose/tiled",
                      "--over",   "TILE=8,16",
                      "--over",   "ROWS=4,8",
                      "--define", "PAD=1",
                      "--from",   "all.jsonl",
                      "--trials", "2",
                      "--seed",   "5",
                      "--format", "md"};
    const Ended e = run(again, {});
    ASSERT_EQ(e.code, 0) << e.err;
    EXPECT_THAT(e.out, HasSubstr("2 of 4 candidates were tried"));
    EXPECT_EQ(run(again, {}).out, e.out) << "the same seed, the same search";
    EXPECT_EQ(run({"tune", "transpose/wide", "--from", "all.jsonl"}, {}).code, 5);
}

TEST_F(TuneOnDevices, ADiffOfEachAtItsBestSaysSo) {
    if (!has_device()) GTEST_SKIP() << "no device";
    ASSERT_EQ(run(small({"--quiet"})).code, 0);
    const Words words{"diff",  "opencl:0", "opencl:0", "-s",     "transpose/tiled", "-n",
                      "64x48", "--budget", "30",       "--data", "data.jsonl"};
    Words tuned = words;
    tuned.insert(tuned.end(), {"--tuned-from", "best.jsonl"});
    const Ended live = run(tuned);
    ASSERT_EQ(live.code, 0) << live.err;
    EXPECT_THAT(live.out, HasSubstr("each side at its best"));
    EXPECT_THAT(live.err, HasSubstr("tuned: transpose/tiled float 64x48 on opencl:0"));
    for (const std::string format : {"md", "html", "json"}) {
        const Ended e = run({"diff", "data.jsonl", "--format", format});
        if (format == "html" && e.code == 2) continue;  // without Chart.js there is no page
        EXPECT_EQ(e.code, 0) << e.err;
        EXPECT_THAT(e.out,
                    HasSubstr(format == "json" ? "each side's best" : "each side at its best"))
            << format;
    }
    std::filesystem::remove("data.jsonl");
    Words same = words;
    same.insert(same.end(), {"--format", "text"});
    EXPECT_THAT(run(same).out, HasSubstr("Constants: the same on both sides."));
    expect_usage({"diff", "opencl:0", "opencl:0", "--tuned-from", "best.jsonl", "--explain"},
                 "Leave one of them out");
    expect_usage({"diff", "data.jsonl", "--tuned-from", "best.jsonl"}, "--tuned-from is for");
}

TEST_F(TuneOnDevices, AFileThatIsDamagedIsSaidAndTheRestIsTaken) {
    if (!has_device()) GTEST_SKIP() << "no device";
    ASSERT_EQ(run(small({"--quiet"})).code, 0);
    std::ofstream("best.jsonl", std::ios::app) << "{\"schema\": \"parallax.tuned\", \"suite";
    const Ended e = run({"run", "-s", "transpose/tiled", "-n", "64x48", "-d", "opencl:0", "--check",
                         "-o", "run.jsonl", "--tuned-from", "best.jsonl"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_THAT(e.err, HasSubstr("best.jsonl:2: "));
    EXPECT_THAT(e.err, HasSubstr("tuned: transpose/tiled"));
    expect_usage({"run", "-s", "transpose/tiled", "--tuned-from", "no.jsonl"}, "is not there");
    expect_usage({"run", "-s", "transpose/tiled", "--tuned"}, "--tuned-from");
}

}  // namespace
}  // namespace parallax::cli::tune_device_test
