// Tests `run --processes N` of the real program: stored records, output, exit codes.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/repeated_runs.hpp"
#include "cli/tests/command_line.hpp"
#include "common/device/devices.hpp"
#include "common/error.hpp"
#include "common/text/temporary_folder.hpp"
#include "records/results.hpp"
#include "suites/case_words.hpp"

namespace parallax::cli::processes_test {
namespace {

std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::size_t count_of(const std::string& word, const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) ++count;
    return count;
}

class Processes : public testing::Test {
protected:
    fs::path before_ = fs::current_path();
    TemporaryFolder folder_{"parallax-processes-"};

    void SetUp() override {
        fs::current_path(folder_.path());
        if (find_devices(backends(), "host").entries.empty()) GTEST_SKIP() << "no device";
        if (!std::getenv("PARALLAX_PROGRAM")) GTEST_SKIP() << "PARALLAX_PROGRAM names no program";
    }
    void TearDown() override { fs::current_path(before_); }

    /// Starts `parallax run -d opencl:0 WORDS...` in a process group of its own; it
    /// prints to the files `out` and `err`.
    static pid_t start(std::vector<std::string> words) {
        const std::string program = std::getenv("PARALLAX_PROGRAM");
        const std::vector<std::string> first{program, "run", "-d", "opencl:0"};
        words.insert(words.begin(), first.begin(), first.end());
        const pid_t child = fork();
        if (child != 0) return child;
        setpgid(0, 0);
        dup2(open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
        dup2(open("err", O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
        std::vector<char*> pointers;
        for (std::string& word : words) pointers.push_back(word.data());
        pointers.push_back(nullptr);
        execv(program.c_str(), pointers.data());
        _exit(127);
    }
    static int end_of(pid_t child) {
        int status = 0;
        waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    }
    static int run(const std::vector<std::string>& words) { return end_of(start(words)); }

    static std::set<std::string> ids_of(const JsonResults& file) {
        std::set<std::string> ids;
        for (const Json& record : file.records) ids.insert(record["run"]["id"]);
        return ids;
    }
};

TEST(ProcessWords, AreThoseOfTheCommandLine) {
    EXPECT_EQ(words_for_process({"run", "--processes", "3", "-s", "a"}, "7", "f"),
              (Words{"run", "--seed", "7", "-o", "f", "-s", "a"}));
    EXPECT_EQ(words_for_process({"run", "-s", "a", "--processes=3", "--seed", "1"}, "", "f"),
              (Words{"run", "-o", "f", "-s", "a", "--seed", "1"}));
    EXPECT_EQ(words_for_process({"run", "--processes", "3"}, "", ""), Words{"run"});
}

TEST_F(Processes, EachIsARunOfItsOwn) {
    ASSERT_EQ(run({"-s", "transpose/padded", "-n", "33x7", "--check", "--processes", "3", "-o",
                   "p.jsonl"}),
              0)
        << text_of("err");
    const JsonResults file = json_results("p.jsonl");
    EXPECT_EQ(file.records.size(), 3u) << "a case, three times";
    EXPECT_EQ(ids_of(file).size(), 3u);
    for (const Json& record : file.records) {
        EXPECT_EQ(record["run"]["seed"], file.records.at(0)["run"]["seed"]);
        const auto& words = record["run"]["command"];
        EXPECT_EQ(std::ranges::count(words, Json("--processes")), 0);
        EXPECT_EQ(std::ranges::count(words, Json("--seed")), 1);
    }
    EXPECT_EQ(count_of("transpose: What", text_of("out")), 1u) << "the tables of the last one";
    const std::string err = text_of("err");
    for (const char* line : {"process 1 of 3: 1 ok", "process 2 of 3: 1 ok", "process 3 of 3: 1 ok",
                             "kept in p.jsonl"}) {
        EXPECT_EQ(count_of(line, err), 1u) << err;
    }
    EXPECT_EQ(std::ranges::count(err, '\n'), 4) << err;
}

TEST_F(Processes, AFileIsChosenForAll) {
    ASSERT_EQ(run({"-s", "transpose/padded", "-n", "33x7", "--check", "--processes=2", "--format",
                   "json", "--quiet", "--seed", "5"}),
              0)
        << text_of("err");
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator("results")) {
        if (entry.is_regular_file()) files.push_back(entry.path());
    }
    ASSERT_EQ(files.size(), 1u);
    const JsonResults file = json_results(files.at(0));
    EXPECT_EQ(ids_of(file).size(), 2u);
    EXPECT_EQ(file.records.at(0)["run"]["seed"], 5);
    EXPECT_EQ(text_of("out"), text_of(files.at(0))) << "of JSON, all is shown";
    EXPECT_EQ(text_of("err"), "");
}

TEST_F(Processes, WhatIsRefusedIsRefusedOnceAndLeavesNothing) {
    const std::vector<std::string> end{"--processes", "3", "-o", "new/p.jsonl"};
    for (std::vector<std::string> words : {std::vector<std::string>{"-d", "opencl:4711"},
                                           {"-s", "transpose/tiled", "-n", "2^15x2^20"},
                                           {"-s", "nothing"},
                                           {"--kernels", "nowhere", "-s", "transpose/tiled"}}) {
        words.insert(words.end(), end.begin(), end.end());
        EXPECT_EQ(run(words), 2) << words.back();
        EXPECT_EQ(count_of("parallax: ", text_of("err")), 1u) << text_of("err");
        EXPECT_EQ(text_of("out").find("process"), std::string::npos);
    }
    EXPECT_FALSE(fs::exists("new/p.jsonl") && fs::file_size("new/p.jsonl") == 0);
    for (const char* count : {"0", "101", "-1", "many", "1.5", ""}) {
        EXPECT_EQ(run({"--processes", count}), 2);
        EXPECT_NE(text_of("err").find("from 1 to 100"), std::string::npos) << text_of("err");
    }
    EXPECT_EQ(run({"--processes", "2", "-o", "/proc/nothing/x"}), 2);
    EXPECT_EQ(run({"-s", "transpose/tiled", "-n", "2^15x2^20", "-o", "single.jsonl"}), 2);
    EXPECT_FALSE(fs::exists("single.jsonl"));
}

TEST_F(Processes, OneThatIsWrongIsShown) {
    fs::create_directories("k");
    std::string text = kernel_source("transpose.cl", {});
    const std::string from = "out[x * height + y + k]";
    text.replace(text.find(from), from.size(), "out[x * height + y]");
    std::ofstream("k/transpose.cl") << text;
    EXPECT_EQ(run({"-s", "transpose/naive", "-n", "64x64", "--check", "--kernels", "k",
                   "--processes", "3", "-o", "p.jsonl"}),
              1)
        << text_of("err");
    EXPECT_EQ(ids_of(json_results("p.jsonl")).size(), 3u);
    EXPECT_EQ(count_of("transpose: What", text_of("out")), 2u) << "the first and the last";
    EXPECT_EQ(count_of("0 ok, 1 wrong", text_of("err")), 3u);
}

TEST_F(Processes, ASignalReachesTheOneThatRuns) {
    for (const int signal : {SIGINT, SIGTERM}) {
        // To the program alone, and to its whole process group.
        for (const bool all : {false, true}) {
            fs::remove("cut.jsonl");
            const pid_t child =
                start({"-s", "strided_copy", "-s", "concurrency", "-n", "64", "--check", "--budget",
                       "100000", "--processes", "100", "-o", "cut.jsonl"});
            wait_for(child, [] { return count_of("\n", text_of("cut.jsonl")) >= 2; });
            kill(all ? -child : child, signal);
            EXPECT_EQ(end_of(child), 130) << text_of("err");
            EXPECT_NE(kill(-child, 0), 0) << "one goes on";
            EXPECT_GE(json_results("cut.jsonl").records.size(), 2u);
            EXPECT_EQ(count_of("kept in cut.jsonl", text_of("err")), 1u) << text_of("err");
        }
    }
}

}  // namespace
}  // namespace parallax::cli::processes_test
