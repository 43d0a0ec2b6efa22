// Tests the real program with signals during verification, and with pipes as files.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <sys/wait.h>
#include <unistd.h>

#include "cli/tests/diff_fixture.hpp"

namespace parallax::cli::signals_test {
namespace {

/// Starts the real program, and sends it a signal after two stored records.
class Signals : public CommandLine {
protected:
    static int run_until(int signal) {
        const char* program = std::getenv("PARALLAX_PROGRAM");
        const pid_t child = fork();
        if (child == 0) {
            // The first suite has records soon, the second takes minutes.
            execl(program, program, "run", "-d", "opencl:0", "-s", "concurrency", "-s", "multiply",
                  "--full", "--check", "--budget", "100000", "-o", "cut.jsonl", "--quiet", nullptr);
            _exit(127);
        }
        wait_for(child, [] { return lines() >= 2; });
        kill(child, signal);
        int status = 0;
        waitpid(child, &status, 0);
        return status;
    }
    static std::ptrdiff_t lines() {
        std::ifstream file("cut.jsonl");
        return std::count(std::istreambuf_iterator<char>(file), {}, '\n');
    }
    void SetUp() override {
        if (!has_device()) GTEST_SKIP() << "no device";
        if (!std::getenv("PARALLAX_PROGRAM")) GTEST_SKIP() << "PARALLAX_PROGRAM names no program";
    }
};

TEST_F(Signals, CtrlCKeepsWhatWasMeasured) {
    const int status = run_until(SIGINT);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 130);
    const JsonResults file = json_results("cut.jsonl");
    EXPECT_GE(file.records.size(), 2u);
    EXPECT_FALSE(file.cut_short);
}

TEST_F(Signals, AKilledRunCanBeReadBackAndTheNextStartRemovesItsFolders) {
    for (const char* name : {"CUDA_CACHE_PATH", "CUDA_CACHE_DISABLE"}) unsetenv(name);
    // Without a place for a lasting cache the driver's is a temporary folder.
    const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
    const char* const caches = std::getenv("XDG_CACHE_HOME");
    const std::string cache_home = caches ? caches : "";
    for (const char* name : {"XDG_CACHE_HOME", "HOME"}) setenv(name, "nowhere", 1);
    std::filesystem::create_directory("tmp");
    setenv("TMPDIR", (folder_ / "tmp").c_str(), 1);
    const int status = run_until(SIGKILL);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_GE(json_results("cut.jsonl").records.size(), 2u);
    const auto left = [] {
        return std::ranges::count_if(
            std::filesystem::directory_iterator("tmp"),
            [](const auto& at) { return at.path().filename().string().starts_with("parallax-"); });
    };
    EXPECT_GT(left(), 0) << "the one of the driver's cache";
    // The child processes end with it, each after a while.
    for (int i = 0; i < 200 && left() > 0; ++i) {
        usleep(20000);
        EXPECT_EQ(shell("$P list > out"), 0);
    }
    EXPECT_EQ(left(), 0);
    unsetenv("TMPDIR");
    setenv("HOME", home.c_str(), 1);
    setenv("XDG_CACHE_HOME", cache_home.c_str(), 1);
}

/// Runs the real program.
class DiffProgram : public Diffs {
protected:
    void SetUp() override {
        if (!std::getenv("PARALLAX_PROGRAM")) GTEST_SKIP() << "PARALLAX_PROGRAM names no program";
    }
};

TEST_F(DiffProgram, PipesAreFiles) {
    put_two(1.25);
    EXPECT_EQ(shell("$P diff a.jsonl /dev/stdin --max-slowdown 5% <b.jsonl >out 2>err"), 3);
    EXPECT_TRUE(holds(text_of("out"), "slower in 1"));
    EXPECT_EQ(text_of("err"), "");
    EXPECT_EQ(shell("cat b.jsonl | $P diff a.jsonl /dev/stdin --max-slowdown 5% >out"), 3);
    EXPECT_EQ(shell("$P diff a.jsonl /dev/null >out 2>err"), 2);
    EXPECT_TRUE(holds(text_of("err"), "/dev/null: it is no plain file"));
    EXPECT_EQ(shell("$P diff a.jsonl b.jsonl >/dev/full 2>err"), 2);
    EXPECT_TRUE(holds(text_of("err"), "standard output")) << text_of("err");
}

}  // namespace
}  // namespace parallax::cli::signals_test
