// Tests result files that cannot grow or be created, two runs with one file, and a run that is
// killed while it writes: complete records are kept and read.
#include <csignal>
#include <cstdlib>
#include <fstream>

#include <sys/wait.h>
#include <unistd.h>

#include "cli/tests/diff_fixture.hpp"
#include "common/tests/instrumented.hpp"

namespace parallax::cli::storage_test {
namespace {

/// Runs the real program on some short cases.
class Storage : public Diffs {
protected:
    void SetUp() override {
        if (!std::getenv("PARALLAX_PROGRAM")) GTEST_SKIP() << "PARALLAX_PROGRAM names no program";
        if (!has_device()) GTEST_SKIP() << "no device";
    }
    static int shell(const std::string& command) {
        const int status = std::system(command.c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    static std::size_t lines() {
        std::ifstream file("kept.jsonl");
        return static_cast<std::size_t>(std::count(std::istreambuf_iterator<char>(file),
                                                   std::istreambuf_iterator<char>(), '\n'));
    }
    /// Starts a run in a process group of its own.
    static pid_t start() {
        const pid_t child = fork();
        if (child == 0) {
            setpgid(0, 0);
            execl("/bin/sh", "sh", "-c", ("exec " + run).c_str(), nullptr);
            _exit(127);
        }
        setpgid(child, child);
        return child;
    }
    static inline const std::string run =
        "\"$PARALLAX_PROGRAM\" run --check -s strided_copy -s concurrency -d opencl:0 -n 64 "
        "--budget 100000 --quiet -o kept.jsonl >out";
};

TEST_F(Storage, AFileThatMayNotGrowKeepsWhatItHas) {
    if (counts_lines()) GTEST_SKIP() << "files of counts may not grow either";
    ASSERT_EQ(shell(run), 0);  // fills the compilers' caches
    fs::remove("kept.jsonl");
    // In units of 512 bytes, or of 1024: a record or a few, and a part of one.
    EXPECT_EQ(shell("ulimit -f 8; " + run + " 2>err"), 2);
    EXPECT_TRUE(holds(text_of("err"), "Cannot write kept.jsonl: File too large")) << text_of("err");
    EXPECT_GE(json_results("kept.jsonl").records.size(), 1u);
}

/// Where even root cannot create files in the system's own folder.
TEST_F(Storage, AFolderThatMayNotBeWrittenIsSaidBeforeAnythingRuns) {
    if (!fs::is_directory("/sys/kernel")) GTEST_SKIP() << "no /sys";
    const std::string words = run.substr(0, run.find("-o kept.jsonl"));
    EXPECT_EQ(shell(words + "-o /sys/kept.jsonl >out 2>err"), 2);
    EXPECT_TRUE(holds(text_of("err"), "Cannot write /sys/kept.jsonl: ")) << text_of("err");
    EXPECT_EQ(text_of("out"), "");
    EXPECT_EQ(shell("cd /sys && " + words + " 2>&1 >\"$OLDPWD/out\" | cat >\"$OLDPWD/err\""), 0);
    EXPECT_TRUE(holds(text_of("err"), "Cannot make the folder results/")) << text_of("err");
    EXPECT_EQ(text_of("out"), "");
}

TEST_F(Storage, TwoRunsIntoOneFileKeepAllRecordsOfBoth) {
    ASSERT_EQ(shell(run), 0);
    const std::size_t of_one = json_results("kept.jsonl").records.size();
    ASSERT_GE(of_one, 4u);
    fs::remove("kept.jsonl");
    ASSERT_EQ(shell(run + " & other=$!; " + run + " && wait $other"), 0);
    const JsonResults file = json_results("kept.jsonl");
    EXPECT_EQ(file.records.size(), 2 * of_one);
    EXPECT_FALSE(file.cut_short);
}

TEST_F(Storage, ARunThatIsKilledAfterAnyRecordLeavesAllBeforeIt) {
    for (std::size_t wanted = 1; wanted <= 4; ++wanted) {
        SCOPED_TRACE(wanted);
        fs::remove("kept.jsonl");
        const pid_t child = start();
        wait_for(child, [&] { return lines() >= wanted; });
        kill(-child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        const std::size_t whole = lines();
        EXPECT_GE(whole, wanted);
        EXPECT_EQ(json_results("kept.jsonl").records.size(), whole);
        // The next run into the same file continues after the truncated line.
        if (wanted != 2) continue;
        std::ofstream("kept.jsonl", std::ios::app) << "{\"schema\":\"parallax.rec";
        ASSERT_EQ(shell(run), 0);
        const JsonResults file = json_results("kept.jsonl");
        EXPECT_GE(file.records.size(), whole + 4);
        EXPECT_TRUE(file.cut_short);
    }
}

}  // namespace
}  // namespace parallax::cli::storage_test
