// Tests an OpenCL platform that reports wrong properties or times, does nothing, or fails at a
// call: no record holds false results, and its messages are sanitized.
#include <cstdlib>

#include "cli/tests/diff_fixture.hpp"
#include "common/tests/thorough.hpp"

namespace parallax::cli::lying_platform_test {
namespace {

/// Runs the real program, which loads platforms once, with a manipulated PoCL.
class LyingPlatform : public Diffs {
protected:
    void SetUp() override {
        if (!std::getenv("PARALLAX_PROGRAM")) GTEST_SKIP() << "PARALLAX_PROGRAM names no program";
        fs::create_directories("vendors");
        put("vendors/lies.icd", fmt::format("{}/libicd_that_lies.so\n", std::getenv("ICD_FOLDER")));
        program("", "devices");
        if (!holds(text_of("out"), "opencl:0")) GTEST_SKIP() << "no PoCL";
    }
    static int program(const std::string& lie, const std::string& words) {
        const std::string command =
            fmt::format("ICD_LIE='{}' OCL_ICD_VENDORS=$PWD/vendors '{}' {} >out 2>err", lie,
                        std::getenv("PARALLAX_PROGRAM"), words);
        const int status = std::system(command.c_str());
        for (const char* file : {"out", "err"}) {
            EXPECT_EQ(text_of(file).find_first_of("\033\007\377"), std::string::npos)
                << file << " of " << words << " has what a terminal obeys";
        }
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    /// The records of one case.
    static std::vector<Json> run(const std::string& lie,
                                 const std::string& words = "-s strided_copy/copy -n 64 --check") {
        fs::remove("kept.jsonl");
        code = program(lie, "run -d opencl --budget 100000 -o kept.jsonl " + words);
        EXPECT_GE(code, 0) << "it died: " << text_of("err");
        return fs::exists("kept.jsonl") ? json_results("kept.jsonl").records : std::vector<Json>{};
    }
    static inline int code = 0;
};

TEST_F(LyingPlatform, WhoseWordsAreNoneIsCheckedAllTheSame) {
    for (const char* lie : {"words", "no end", "empty"}) {
        SCOPED_TRACE(lie);
        EXPECT_EQ(program(lie, "devices"), 0) << text_of("err");
        const auto records = run(lie);
        ASSERT_EQ(records.size(), 1u);
        EXPECT_EQ(records[0].at("status"), "checked");
    }
}

TEST_F(LyingPlatform, WithoutSizesHasNoRoom) {
    EXPECT_EQ(program("nought", "devices"), 0) << text_of("err");
    for (const Json& record : run("nought")) EXPECT_NE(record.at("status"), "checked") << record;
    EXPECT_NE(code, 0);
}

TEST_F(LyingPlatform, WhoseTimerTicksOnceInAnAgeIsNotOpened) {
    EXPECT_EQ(program("huge", "devices"), 0) << text_of("err");
    EXPECT_TRUE(run("huge", "-s strided_copy/copy -n 64").empty());
    EXPECT_NE(code, 0);
    EXPECT_TRUE(holds(text_of("err"), "nothing can be timed by it")) << text_of("err");
}

TEST_F(LyingPlatform, WhoseClockIsWrongHasNoTimes) {
    // Of two wrong timers, the sample has the one that every launch reveals.
    using Lie = std::pair<const char*, const char*>;
    for (const auto& [lie, word] :
         test::every_nth(std::vector<Lie>{{"clock back", "The device's clock says"},
                                          {"clock ahead", "The device's clock says"},
                                          {"clock still", "stood still"}},
                         2)) {
        const auto records = run(lie, "-s ceiling/launch");
        EXPECT_EQ(code, 6) << lie;
        EXPECT_EQ(records.size(), 3u) << lie;  // the other ceilings come first
        for (const Json& record : records) {
            // A launch takes a microsecond: a thousand times as long may be within the tolerance
            // for a coarse timer.
            if (lie == std::string("clock ahead") && record.at("variant") == "launch") continue;
            EXPECT_EQ(record.at("status"), "failed") << lie;
            EXPECT_TRUE(holds(record.value("reason", ""), word)) << lie << record;
            EXPECT_FALSE(record.contains("timing")) << lie;
        }
    }
}

TEST_F(LyingPlatform, ThatMakesNoContextBesideADaemonIsNoFaultOfAKernel) {
    EXPECT_TRUE(run("no context").empty());
    EXPECT_EQ(code, 6) << "the device does not open";
    EXPECT_TRUE(holds(text_of("err"), "No kernel has run")) << text_of("err");
    EXPECT_FALSE(holds(text_of("err"), "read or wrote")) << text_of("err");
    // A process with a share of the device does not bypass the daemon.
    fs::create_directories("mps");
    put("mps/control", "");
    setenv("CUDA_MPS_PIPE_DIRECTORY", (folder_ / "mps").c_str(), 1);
    setenv("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "50", 1);
    EXPECT_TRUE(run("no context").empty());
    EXPECT_EQ(code, 5) << "it is not to be had here";
    EXPECT_TRUE(holds(text_of("err"), "Multi-Process Service")) << text_of("err");
    EXPECT_TRUE(holds(text_of("err"), "CUDA_MPS_PIPE_DIRECTORY=/")) << text_of("err");
    EXPECT_EQ(program("no context", "diff opencl:0 opencl:0 -s strided_copy/copy -n 64"), 5);
    // With the whole device nothing is lost.
    unsetenv("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE");
    const auto records = run("");
    unsetenv("CUDA_MPS_PIPE_DIRECTORY");
    ASSERT_EQ(records.size(), 1u) << text_of("err");
    EXPECT_EQ(records[0].at("run").at("environment").at("CUDA_MPS_PIPE_DIRECTORY"),
              "/nonexistent/no-mps");
}

TEST_F(LyingPlatform, ThatLaunchesNothingIsWrong) {
    const auto records = run("no launch");
    ASSERT_EQ(records.size(), 1u);
    EXPECT_EQ(records[0].at("status"), "wrong");
    EXPECT_EQ(code, 1);
}

/// Some of its calls, fewer in the sample; all of them were tried by hand.
TEST_F(LyingPlatform, ThatFailsAtACallIsSaidToByItsNameAndCode) {
    unsigned failed = 0;
    const auto step = [](unsigned n) {
        return test::is_thorough() ? (n < 12 ? 1 : 1 + n / 5) : 1 + n / 3;
    };
    for (unsigned n = 1;; n += step(n)) {
        SCOPED_TRACE(n);
        const auto records = run(fmt::format("fail {}", n));
        if (!holds(text_of("err"), "The ICD fails")) {
            EXPECT_EQ(code, 0) << "the last one has no such call any more";
            break;
        }
        ++failed;
        if (records.empty()) {
            EXPECT_EQ(code, 6) << "it does not open";
            EXPECT_TRUE(holds(text_of("err"), "CL_OUT_OF_RESOURCES (-5)")) << text_of("err");
            continue;
        }
        EXPECT_EQ(code, 6);
        EXPECT_EQ(records.at(0).at("status"), "failed");
        const std::string reason = records.at(0).at("reason");
        EXPECT_TRUE(reason.starts_with("cl") && holds(reason, "CL_OUT_OF_RESOURCES (-5)"))
            << reason;
    }
    EXPECT_GT(failed, test::is_thorough() ? 20u : 10u);
}

}  // namespace
}  // namespace parallax::cli::lying_platform_test
