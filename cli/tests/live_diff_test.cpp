// `parallax diff` of devices, and `parallax selftest`.
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/arguments.hpp"
#include "cli/tests/diff_fixture.hpp"
#include "common/tests/fake_device.hpp"
#include "suites/planted.hpp"

namespace parallax::cli::live_diff_test {
namespace {

TEST_F(Diffs, WithoutDevicesItIsFive) {
    for (const Words& words : {Words{"diff"}, Words{"diff", "--max-slowdown", "5%"}}) {
        const Ended e = run(words, {});
        EXPECT_EQ(e.code, 5);
        EXPECT_EQ(e.out, "");
        EXPECT_TRUE(holds(e.err, "two APIs")) << e.err;
    }
    EXPECT_FALSE(fs::exists("results"));
}

TEST_F(Diffs, OneDeviceThroughOneApiIsFive) {
    std::vector<std::unique_ptr<Backend>> on;
    on.push_back(std::make_unique<fake::FakeBackend>(std::make_shared<fake::Script>(), "one"));
    const Ended e = run({"diff"}, on);
    EXPECT_EQ(e.code, 5);
    EXPECT_TRUE(holds(e.err, "parallax diff one:0 one:0")) << e.err;
    EXPECT_TRUE(holds(e.err, "parallax doctor")) << e.err;
    EXPECT_TRUE(holds(e.err, "two APIs")) << e.err;
    const Ended half = run({"diff", "one:0"}, on);
    EXPECT_EQ(half.code, 2);
    EXPECT_TRUE(holds(half.err, "one side")) << half.err;
    EXPECT_EQ(run({"diff", "one:0", "one:7"}, on).code, 2);
    EXPECT_EQ(run({"diff", "one:0", "one:0", "-d", "one"}, on).code, 2);
}

/// On the device that is always there.
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

    // A pair from which rounds were taken out.
    std::vector<Json> fewer;
    std::ifstream lines("d.jsonl");
    for (std::string line; std::getline(lines, line);) {
        fewer.push_back(Json::parse(line));
        if (!fewer.back().contains("rounds")) continue;
        Json& rounds = fewer.back()["rounds"];
        const int left = 4;  // and the first look is taken after five
        rounds.erase(rounds.begin() + left, rounds.end());
    }
    keep("fewer.jsonl", fewer);
    expect_usage({"diff", "fewer.jsonl"}, "rounds");

    // The two ratios are those of one device with itself: far from a hundred times, however busy
    // the machine is.
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

TEST_F(LiveDiffs, AWrongKernelIsOneAndHasNoRatio) {
    std::string text = kernel_text("transpose.cl", {});
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

/// `parallax selftest` of a device whose kernels do nothing, all the kernels that errors are
/// planted in: what a real device makes of them, the tests of the suites say.
class SelfTests : public Diffs {
protected:
    std::shared_ptr<fake::Script> script_ = std::make_shared<fake::Script>();
    std::vector<std::unique_ptr<Backend>> on_;

    SelfTests() {
        for (const Planted& planted : planted_errors()) {
            for (const auto& step : plan_of(case_of(planted)).steps) {
                if (const Launch* launch = step.launch()) {
                    script_->kernels[launch->kernel] = [](const fake::HostLaunch&) {};
                }
            }
        }
        on_.push_back(std::make_unique<fake::FakeBackend>(script_));
    }
};

TEST_F(SelfTests, OfTheGateAloneNoticesAllThatIsWrong) {
    const Ended e = run({"selftest", "-d", "fake", "--trials", "0", "--json"}, on_);
    EXPECT_EQ(e.code, 0) << e.out << e.err;
    const Json json = Json::parse(e.out);
    const Json device = json.at("devices").at(0);
    EXPECT_FALSE(device.contains("clock"));
    const Json gate = device.at("gate");
    EXPECT_GT(gate.at("planted"), 50);
    EXPECT_EQ(gate.at("planted"), gate.at("noticed"));
    EXPECT_TRUE(json.at("right").get<bool>());
    EXPECT_TRUE(json.at("simulated").at(0).at("undecided").is_number());
}

TEST_F(SelfTests, WhatIsNotNoticedIsNamedAndOne) {
    // The changed text is not looked at: whatever was planted, the answer is right.
    script_->kernels["naive"] = [](const fake::HostLaunch& launch) {
        if (!launch.program || !holds(launch.program->name, "transpose")) return;
        const auto in = launch.buffer<float>(0), out = launch.buffer<float>(1);
        const auto width = launch.scalar<std::uint64_t>(2),
                   height = launch.scalar<std::uint64_t>(3);
        for (std::size_t x = 0; x < width; ++x) {
            for (std::size_t y = 0; y < height; ++y) out[x * height + y] = in[y * width + x];
        }
    };
    const Ended e = run({"selftest", "-d", "fake", "--trials", "0"}, on_);
    EXPECT_EQ(e.code, 1) << e.out << e.err;
    EXPECT_TRUE(holds(e.out, "missed: transpose/naive: plain copy")) << e.out;
    EXPECT_FALSE(holds(e.out, "missed: transpose/tiled")) << e.out;
}

TEST_F(LiveDiffs, ASelfTestBesideABusyHostTriesTheClockAlone) {
    const Ended e = run({"selftest", "-d", "opencl:0", "--busy", "1", "--trials", "1", "--planted",
                         "0", "--budget", "1", "--data", "busy.jsonl"});
    EXPECT_TRUE(holds(e.out, "A/A trials")) << e.out << e.err;
    EXPECT_FALSE(holds(e.out, "simulated")) << e.out;
    EXPECT_FALSE(holds(e.out, "planted errors")) << e.out;
    std::ifstream trials("busy.jsonl");
    std::string trial;
    std::getline(trials, trial);
    EXPECT_TRUE(holds(trial, "\"self\":true")) << e.err;
}

TEST_F(SelfTests, WordsThatCannotBeAreTwo) {
    expect_usage({"selftest", "--trials", "-1"}, "--trials");
    expect_usage({"selftest", "--busy", "many"}, "--busy");
    expect_usage({"selftest", "--margin", "0"}, "--margin");
    expect_usage({"selftest", "-d", "metal"}, "names no device");
}

/// Through the real program.
class DiffProgram : public LiveDiffs {
protected:
    void SetUp() override {
        if (!std::getenv("PARALLAX_PROGRAM")) GTEST_SKIP() << "PARALLAX_PROGRAM names no program";
    }
};

TEST_F(DiffProgram, PipesAreFiles) {
    put_two(1.25);
    EXPECT_EQ(shell("$P diff a.jsonl /dev/stdin --max-slowdown 5% <b.jsonl >out 2>err"), 3);
    EXPECT_TRUE(holds(text_of("out"), "SLOWER"));
    EXPECT_EQ(text_of("err"), "");
    EXPECT_EQ(shell("cat b.jsonl | $P diff a.jsonl /dev/stdin --max-slowdown 5% >out"), 3);
    EXPECT_EQ(shell("$P diff a.jsonl /dev/null >out 2>err"), 2);
    EXPECT_TRUE(holds(text_of("err"), "/dev/null holds no record"));
    EXPECT_EQ(shell("$P diff a.jsonl b.jsonl >/dev/full 2>err"), 2);
    EXPECT_TRUE(holds(text_of("err"), "standard output")) << text_of("err");
}

TEST_F(DiffProgram, CtrlCKeepsAndShowsWhatWasMeasured) {
    if (!has_device()) GTEST_SKIP() << "no device";
    const std::string program = std::getenv("PARALLAX_PROGRAM");
    const pid_t child = fork();
    if (child == 0) {
        dup2(open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
        dup2(open("err", O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
        execl(program.c_str(), program.c_str(), "diff", "opencl:0", "opencl:0", "-s", "transpose",
              "-n", "64x64", "-n", "32x32", "-n", "16x16", "-n", "48x48", "-n", "80x80", "--full",
              "--budget", "100000", "--data", "cut.jsonl", nullptr);
        _exit(127);
    }
    const auto pairs = [] {
        std::size_t count = 0;
        const std::string text = text_of("cut.jsonl");
        for (std::size_t at = 0; (at = text.find("parallax.pair", at)) != std::string::npos; ++at) {
            ++count;
        }
        return count;
    };
    wait_for(child, [&] { return pairs() >= 1; });
    kill(child, SIGINT);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 130) << text_of("err");
    EXPECT_TRUE(holds(text_of("err"), "Interrupted"));
    EXPECT_TRUE(holds(text_of("err"), "kept in cut.jsonl")) << text_of("err");
    EXPECT_TRUE(holds(text_of("out"), "transpose/")) << "what was measured is shown";
    EXPECT_TRUE(holds(text_of("out"), "nterrupted")) << "a part is not shown as the whole";
    EXPECT_FALSE(json_results("cut.jsonl").cut_short);
    EXPECT_FALSE(json({"cut.jsonl"})["cases"].empty());
}

}  // namespace
}  // namespace parallax::cli::live_diff_test
