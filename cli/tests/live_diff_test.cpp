// Tests `parallax diff` of real devices, and the timing of `parallax selftest` there.

#include <csignal>
#include <memory>
#include <mutex>

#include <unistd.h>

#include "cli/tests/diff_fixture.hpp"
#include "suites/case_words.hpp"

namespace parallax::cli::live_diff_test {
namespace {

/// On the device that is always available.
class LiveDiffs : public Diffs {
protected:
    void SetUp() override {
        if (!has_device()) GTEST_SKIP() << "no device";
    }
    static const Words tiny;
};
const Words LiveDiffs::tiny{"-s", "transpose/padded", "-n", "64x64", "--budget", "30"};

TEST_F(LiveDiffs, TwoRunsEndToEnd) {
    for (const char* file : {"a.jsonl", "b.jsonl"}) {
        ASSERT_EQ(run({"run", "-d", "opencl:0", "-s", "reduction/vector", "-n", "65536", "--seed",
                       "3", "-o", file})
                      .code,
                  0);
    }
    for (const std::string& format : formats) {
        const Ended e = diff({"a.jsonl", "b.jsonl", "--format", format});
        EXPECT_EQ(e.code, 0) << format << e.err;
        EXPECT_EQ(e.err, "");
        EXPECT_TRUE(holds(e.out, "reduction")) << format;
    }
    const Json report = json({"a.jsonl", "b.jsonl"});
    ASSERT_EQ(report["cases"].size(), 1u);
    EXPECT_EQ(report["cases"].at(0)["kernel"]["same"], true);
    EXPECT_EQ(report["cases"].at(0)["answer"]["identical"], true);
}

TEST_F(LiveDiffs, ADeviceAgainstItself) {
    const Ended e =
        diff(Words{"opencl:0", "opencl:0", "--data", "d.jsonl", "--format", "json", "--seed", "3"} +
             tiny);
    ASSERT_TRUE(e.code == 0) << e.code << e.err;
    EXPECT_TRUE(holds(e.err, "kept in d.jsonl")) << e.err;
    EXPECT_EQ(e.err.find('\r'), std::string::npos) << "no progress line but on a terminal";
    const Json live = Json::parse(e.out);
    ASSERT_EQ(live["cases"].size(), 1u);
    EXPECT_EQ(live["live"], true);
    EXPECT_EQ(live["self"].size(), 2u) << "each side against itself";
    EXPECT_EQ(live["cases"].at(0)["answer"]["identical"], true);
    EXPECT_EQ(live["cases"].at(0)["kernel"]["same"], true);
    EXPECT_GT(live["cases"].at(0)["ratio"]["units_a"].get<int>(), 4);

    const JsonResults file = json_results("d.jsonl");
    EXPECT_FALSE(file.cut_short);
    for (const Json& record : file.records) EXPECT_TRUE(problems_of(record).empty());
    const Json again = json({"d.jsonl"});
    EXPECT_EQ(again["cases"], live["cases"]) << "the same verdicts, to the last digit";
    EXPECT_EQ(again["self"], live["self"]);
    EXPECT_EQ(again["summary"], live["summary"]);
    EXPECT_EQ(again["live"], true);

    // A pair from which rounds were removed.
    std::vector<Json> fewer;
    std::ifstream lines("d.jsonl");
    for (std::string line; std::getline(lines, line);) {
        fewer.push_back(Json::parse(line));
        if (!fewer.back().contains("rounds")) continue;
        Json& rounds = fewer.back()["rounds"];
        const int left = 4;  // the first analysis is after five
        rounds.erase(rounds.begin() + left, rounds.end());
    }
    keep("fewer.jsonl", fewer);
    expect_usage({"diff", "fewer.jsonl"}, "rounds");

    // Both ratios compare one device with itself: far from a hundred times, however busy the
    // machine is.
    const Words wide{"--baseline", "d.jsonl", "--max-slowdown", "10000%"};
    EXPECT_EQ(diff(Words{"d.jsonl"} + wide).code, 0);
    const Json judged = json(Words{"d.jsonl"} + wide);
    EXPECT_NEAR(judged["cases"].at(0)["against_baseline"]["value"].get<double>(), 1, 1e-9);
    EXPECT_EQ(judged["cases"].at(0)["decision"], "pass");
    EXPECT_EQ(judged["baseline"], "d.jsonl");
}

TEST_F(LiveDiffs, WhatCannotBeIsSaidBeforeAnythingIsMeasured) {
    const Words two{"diff", "opencl:0", "opencl:0"};
    expect_usage(two + tiny + Words{"--data", "/proc/nothing/x"}, "Cannot");
    expect_usage(two + tiny + Words{"--data", ""}, "--data names no file");
    expect_usage(two + tiny + Words{"-o", "/proc/nothing/x.md"}, "Cannot");
    expect_usage(two + tiny + Words{"--baseline", "nowhere.jsonl"}, "nowhere.jsonl");
    expect_usage(two + Words{"-s", "transpose/tiled", "-n", "0x5"}, "size of 0");
    expect_usage(two + Words{"-s", "transpose/tiled", "--kernels", "nowhere"}, "transpose.cl");
    expect_usage({"diff", "opencl:0"}, "one side");
    fs::create_directories("opencl");
    expect_usage({"diff", "opencl"}, "one side");
    expect_usage(two + Words{"-d", "opencl"}, "-d chooses");
    keep("one.jsonl", {real_record()});
    expect_usage(two + tiny + Words{"--baseline", "one.jsonl"}, "two sides");
    EXPECT_FALSE(fs::exists("results"));
}

TEST_F(LiveDiffs, AnInterruptionIsInTheReportsForCi) {
    /// Ctrl-C while a device is opened: nothing is measured yet.
    class Interrupting final : public Backend {
    public:
        std::string_view name() const override { return of().name(); }
        Inventory find() override { return of().find(); }
        std::vector<int> architectures() const override { return of().architectures(); }
        CompiledProgram compile(const Program& program, int architecture) const override {
            return of().compile(program, architecture);
        }

    private:
        static Backend& of() { return *paced_backends().front(); }
        std::unique_ptr<Device> do_open(const DeviceInfo& info, OpenOptions how) override {
            std::call_once(is_pressed_, [] { std::raise(SIGINT); });
            return of().open(info, how);
        }

        std::once_flag is_pressed_;
    };
    for (const Words& words : {Words{"diff", "opencl:0", "opencl:0", "-o", "x.xml", "-o", "x.md"},
                               Words{"run", "-d", "opencl:0", "--junit", "x.xml"}}) {
        std::vector<std::unique_ptr<Backend>> backends;
        backends.push_back(std::make_unique<Interrupting>());
        const Ended e = run(words + tiny, backends);
        EXPECT_EQ(e.code, 130) << e.out << e.err;
        EXPECT_TRUE(holds(text_of("x.xml"), "<error type=\"interrupted\"")) << text_of("x.xml");
        fs::remove("x.xml");
    }
    EXPECT_TRUE(holds(text_of("x.md"), "Interrupted"));
}

TEST_F(LiveDiffs, AWrongKernelIsOneAndHasNoRatio) {
    std::string text = kernel_source("transpose.cl", {});
    const std::string from = "out[x * height + y + k]";
    text.replace(text.find(from), from.size(), "out[x * height + y]");
    fs::create_directories("k");
    put("k/transpose.cl", text);
    const Ended e =
        diff({"opencl:0", "opencl:0", "-s", "transpose/naive", "-n", "64x64", "--budget", "1000",
              "--kernels", "k", "--data", "d.jsonl", "--format", "json"});
    EXPECT_EQ(e.code, 1) << e.err;
    const Json report = Json::parse(e.out);
    EXPECT_EQ(report["cases"].at(0)["verdict"], "WRONG");
    EXPECT_TRUE(report["cases"].at(0)["ratio"].is_null());
}

TEST_F(LiveDiffs, ASelfTestBesideABusyHostTriesTheClockAlone) {
    const Ended e = run({"selftest", "-d", "opencl:0", "--busy", "1", "--trials", "1", "--planted",
                         "0", "--budget", "60", "--data", "busy.jsonl"});
    EXPECT_EQ(e.code, 0) << "by a clock that does not lie: " << e.out;
    EXPECT_TRUE(holds(e.out, "A/A trials")) << e.out << e.err;
    EXPECT_FALSE(holds(e.out, "planted errors")) << e.out;
    std::ifstream trials("busy.jsonl");
    std::string trial;
    std::getline(trials, trial);
    EXPECT_TRUE(holds(trial, "\"self\":true")) << e.err;
    const Ended late = run({"selftest", "-d", "opencl:0", "--busy", "1", "--trials", "1000000",
                            "--planted", "0", "--budget", "0.001"});
    EXPECT_EQ(late.code, 0) << late.err;
    EXPECT_TRUE(holds(late.out, "The budget ended it before all trials were made")) << late.out;
}

}  // namespace
}  // namespace parallax::cli::live_diff_test
