// Tests `parallax explain`: its reports, stored explanations, and impossible requests.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "cli/tests/command_line.hpp"
#include "common/error.hpp"
#include "common/process/spawn.hpp"
#include "common/tests/fake_device.hpp"
#include "records/results.hpp"

namespace parallax::cli::explain_test {
namespace {

class ExplainCommand : public CommandLine {
protected:
    std::shared_ptr<fake::Script> script_ = std::make_shared<fake::Script>();

    /// On a device whose kernels do nothing at all, or as the script says.
    Ended explain_fake(std::vector<std::string> words) {
        for (const char* kernel : {"tiled", "naive"}) {
            if (!script_->kernels.contains(kernel)) {
                script_->kernels[kernel] = [](const fake::HostLaunch&) {};
            }
        }
        std::vector<std::unique_ptr<Backend>> on;
        on.push_back(std::make_unique<fake::FakeBackend>(script_));
        words.insert(words.begin(), "explain");
        return run(words, on);
    }
    static Ended explain(std::vector<std::string> words) {
        words.insert(words.begin(), "explain");
        return run(words);
    }
    /// Expects this exit code, `word` on standard error, and no other output.
    static void expect_end(const Ended& e, int code, const std::string& word) {
        EXPECT_EQ(e.code, code) << e.err;
        EXPECT_NE(e.err.find(word), std::string::npos) << "'" << word << "' is not in " << e.err;
        EXPECT_EQ(e.out, "");
    }
};

TEST_F(ExplainCommand, WhatNamesNothingIsTwo) {
    expect_usage({"explain"}, "SUITE/VARIANT");
    expect_usage({"explain", "nosuch/x"}, "no suite and no folder 'nosuch'.");
    expect_usage({"explain", "transpose/nosuch"}, "padded");
    expect_usage({"explain", "transpose"}, "padded");
    expect_usage({"explain", "transpose/naive", "-n", "0x1"}, "size of 0");
    expect_usage({"explain", "transpose/naive", "-n", "64"}, "width x height");
    expect_usage({"explain", "transpose/naive", "--define", "NO=1"}, "TILE");
    expect_usage({"explain", "transpose/naive", "--define", "TILE=x"}, "whole numbers");
    expect_usage({"explain", "transpose/naive", "--type", "quad"}, "double");
    expect_usage({"explain", "multiply/naive", "--type", "int"}, "double");
    expect_usage({"explain", "transpose/naive", "a", "b", "c"}, "two devices");
    expect_usage({"explain", "transpose/naive", "metal:7"}, "names no device");
    expect_usage({"explain", "transpose/naive", "--kernels", "nowhere"}, "transpose.cl");
    for (const char* budget : {"0", "-1", "nan", "inf", "soon"}) {
        expect_usage({"explain", "transpose/naive", "--budget", budget}, "--budget");
    }
    for (const char* margin : {"0", "-1%", "much"}) {
        expect_usage({"explain", "transpose/naive", "--margin", margin}, "--margin");
    }
    expect_usage({"explain", "--planted", "nosuch"}, "'wide indices, CUDA'; ");
    expect_usage({"explain", "transpose/naive", "--try-exchange", "c"}, "--try-exchange");
    expect_usage({"explain", "transpose/naive", "--format", "junit"}, "causes");
    expect_usage({"explain", "transpose/naive", "-o", "x.xml"}, "junit");
    expect_usage({"explain", "transpose/naive", "--seed", "x"}, "--seed");
}

TEST_F(ExplainCommand, FilesThatCannotBeAreTwo) {
    expect_usage({"explain", "nothing.jsonl"}, "nothing.jsonl");
    expect_usage({"explain", "nothing.jsonl"}, "'explain' with '--data FILE'");
    std::ofstream("bad.jsonl") << "garbage\n";
    expect_usage({"explain", "bad.jsonl"}, "bad.jsonl:1");
    std::ofstream("file") << "";
    expect_end(explain_fake({"transpose/naive", "-n", "8x8", "--data", "file/x.jsonl"}), 2,
               "Choose another file");
    EXPECT_EQ(script_->runs, 0u) << "known before anything is measured";
    std::ofstream("empty.jsonl") << "";
    expect_end(explain({"empty.jsonl"}), 2, "--data FILE");
    expect_usage({"explain", "empty.jsonl", "transpose/naive"}, "transpose/naive");
    expect_usage({"explain", "empty.jsonl", "-o", "empty.jsonl", "--format", "text"}, "replace");
    expect_usage(
        {"explain", "transpose/naive", "--data", "d.jsonl", "-o", "d.jsonl", "--format", "text"},
        "replace");
}

TEST_F(ExplainCommand, APageShowsThePairOfSidesThatIsAskedFor) {
    // Two pairs in one file: the explanation of multiply_ladder has another entry's name.
    const std::string file = "two_pairs.jsonl";
    std::ofstream two(file);
    std::istringstream lines(text_of(SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/explain.jsonl"));
    for (std::string line; std::getline(lines, line);) {
        const bool other = line.find("multiply_ladder") != std::string::npos;
        for (std::size_t at = 0; other && (at = line.find("opencl:1", at)) != std::string::npos;) {
            line[at + 7] = '0';
        }
        two << line << "\n";
    }
    two.close();
    expect_usage({"explain", file, "--format", "html"}, "Choose one: -d A -d B");
    for (const char* opencl : {"opencl:0", "opencl:1"}) {
        const Ended e = run({"explain", file, "--format", "html", "-d", opencl, "-d", "cuda:0"});
        EXPECT_EQ(e.code, 0) << e.err;
        EXPECT_NE(e.out.find(opencl == std::string("opencl:1") ? "multiply/blocked"
                                                               : "multiply_ladder/two_rows"),
                  std::string::npos);
    }
    expect_usage({"explain", "transpose/naive", "opencl:0", "-d", "cuda:0"}, "two sides at most");
}

TEST_F(ExplainCommand, ATitleNamesTheConstantsThatAreNotTheVariantsOwn) {
    const std::string text =
        explain({SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/explain.jsonl"}).out;
    for (const char* title :
         {"\nmultiply/blocked float 2048x2048x2048 BLOCK=64 EACH=4 ALIGN=4: OpenCL is 1.59x "
          "slower\n",
          "\nmultiply/blocked float 2048x2048x2048: OpenCL is 1.054x slower\n",
          "\nmatvec/tree_sequential float 1100x100000 GROUPS=60: CUDA is 1.31x slower\n",
          "\nmultiply_ladder/two_rows float 2048x2048x2048 GROUP=64: OpenCL is 1.45x slower\n"}) {
        EXPECT_NE(text.find(title), std::string::npos) << title;
    }
}

TEST_F(ExplainCommand, NoDeviceIsFive) {
    expect_end(run({"explain", "transpose/naive"}, {}), 5, "no two sides");
}

TEST_F(ExplainCommand, AWrongAnswerIsOne) {
    const Ended e = explain_fake({"transpose/naive", "-n", "8x8", "--data", "d.jsonl"});
    expect_end(e, 1, "fake:0 is wrong, so there is no speed to explain");
    EXPECT_EQ(e.err.find("kept in"), std::string::npos) << "nothing was";
}

TEST_F(ExplainCommand, WhatTheDeviceHasNotGotIsFive) {
    expect_end(explain_fake({"reduction/builtin", "--quiet"}), 5, "native variant");
    expect_end(explain_fake({"transpose/naive", "-n", "2^16x2^16", "--quiet"}), 5, "with -n");
    EXPECT_EQ(script_->compiles, 0u);
}

TEST_F(ExplainCommand, AFailedBuildIsSixAndShowsTheLog) {
    fs::create_directories("k");
    std::ofstream("k/transpose.cl") << "__kernel void naive() {";
    for (const bool open : {false, true}) {
        std::vector<std::string> words{"transpose/naive", "--kernels", "k"};
        if (!open) words.insert(words.end(), {"-n", "8x8"});
        const Ended e = explain_fake(words);
        expect_end(e, 6, "fake:0 failed");
        EXPECT_NE(e.err.find("The compiler says: transpose.cl: error: unmatched brace"),
                  std::string::npos)
            << e.err;
    }
}

TEST_F(ExplainCommand, ADeviceThatDoesNotOpenIsSix) {
    script_->before = fake::fail_nth("open", 1);
    expect_end(explain_fake({"transpose/naive", "-n", "8x8"}), 6, "'open' failed");
}

TEST_F(ExplainCommand, InterruptedIsSaid) {
    script_->before = [](std::string_view call) {
        if (call == "run") throw Interrupted();
    };
    expect_end(explain_fake({"transpose/naive", "-n", "8x8"}), 130, "Interrupted");
}

TEST_F(ExplainCommand, QuietSaysNothing) {
    const Ended e = explain_fake({"transpose/naive", "-n", "8x8"});
    EXPECT_NE(e.err.find("one API only"), std::string::npos) << e.err;
    EXPECT_EQ(explain_fake({"transpose/naive", "-n", "8x8", "--quiet"}).err.find("one API only"),
              std::string::npos);
}

TEST(Spawned, IsKilledWhenItsTimeIsUp) {
    const SignalForwarder forwarding;
    const ExitStatus late = spawn({.program = "/bin/sleep", .words = {"60"}, .most_seconds = 0.05});
    EXPECT_EQ(late.signal, SIGKILL);
    const ExitStatus in_time = spawn({.program = "/bin/sleep", .words = {"0"}, .most_seconds = 60});
    EXPECT_EQ(in_time.signal, 0);
    EXPECT_EQ(in_time.code, 0);
}

}  // namespace
}  // namespace parallax::cli::explain_test
