// Tests the program under tight resource limits: no result is wrong, and it reports what is
// missing.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "cli/tests/command_line.hpp"

namespace parallax::cli::limits_test {
namespace {

using testing::HasSubstr;

class Limits : public CommandLine {
protected:
    void SetUp() override {
        if (!std::getenv("PARALLAX_PROGRAM")) GTEST_SKIP() << "PARALLAX_PROGRAM names no program";
    }
    static int under(const std::string& limit, const std::string& words) {
        return shell(fmt::format("ulimit {}; $P {} > out 2> err", limit, words));
    }
};

TEST_F(Limits, OfFilesMakeNoAnswerWrong) {
    for (const char* limit : {"-n 13", "-n 14", "-n 15", "-n 16"}) {
        const int code = under(limit, "run -s transpose/naive -n 64x64 --check -d host:0");
        EXPECT_THAT(code, testing::AnyOf(0, 2, 5, 6)) << limit << text_of("err");
        EXPECT_NE(text_of("out") + text_of("err"), "") << limit;
    }
}

TEST_F(Limits, OfMemoryMakeNoAnswerWrong) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer itself takes more";
#endif
    // The first leaves hardly room for the program's libraries.
    for (const char* limit : {"-v 50000", "-v 200000"}) {
        for (const char* words : {"list", "devices", "run -s transpose/naive -n 64x64 --check",
                                  "diff " SOURCE_ROOT "/results/nvidia-h200/run.jsonl " SOURCE_ROOT
                                  "/results/nvidia-h200/diff.jsonl"}) {
            SCOPED_TRACE(std::string(limit) + " " + words);
            const int code = under(limit, words);
            const std::string all = text_of("out") + text_of("err");
            EXPECT_NE(all, "");
            EXPECT_EQ(all.find("std::"), std::string::npos) << all;
            const bool has_begun = all.find("error while loading shared") == std::string::npos;
            if (has_begun) {
                EXPECT_THAT(code, testing::AnyOf(0, 2, 5, 6)) << all;
            }
        }
    }
}

TEST_F(Limits, OfProcessesMakeNoAnswerWrong) {
    // They exempt root, and count all processes of a user: this user has no others.
    const std::string user = std::to_string(100'000 + getpid());
    const std::string as_user =
        geteuid() == 0 ? "setpriv --reuid " + user + " --regid " + user + " --clear-groups " : "";
    const auto run = [&](unsigned most, const std::string& words) {
        return shell(
            fmt::format("exec {} prlimit --nproc={} $P {} > out 2> err", as_user, most, words));
    };
    if (run(0, "--version") != 0) GTEST_SKIP() << "no such user: " << text_of("err");
    for (unsigned most = 0; most < 4; ++most) {
        for (const char* words : {"devices", "doctor", "run -s transpose/naive -n 64x64 --check"}) {
            SCOPED_TRACE(fmt::format("{} {}", most, words));
            EXPECT_THAT(run(most, words), testing::AnyOf(0, 2, 5, 6)) << text_of("err");
            EXPECT_NE(text_of("out") + text_of("err"), "");
        }
    }
    EXPECT_EQ(run(0, "devices"), 5);
    EXPECT_THAT(text_of("err"), HasSubstr("No process can be started"));
}

TEST_F(Limits, OfAFilesSizeAreSaidAndLeaveNothing) {
    std::ofstream file("k.cl");
    file << "__kernel void k(__global int* y) { y[0] = 1; }\n";
    for (int i = 0; i < 4000; ++i) file << "// a line that makes the file long\n";
    file.close();
    std::filesystem::create_directory("made");
    EXPECT_EQ(under("-f 8", "port k.cl --no-check -o made/k.cu"), 2) << text_of("err");
    EXPECT_THAT(text_of("err"), HasSubstr("Cannot write"));
    EXPECT_TRUE(std::filesystem::is_empty("made")) << "no part of it";
}

TEST_F(Limits, OfTheStackAreSaidOrRaised) {
    // Drivers and compilers need more of it than the program does.
    for (const char* limit : {"-s 64", "-S -s 64"}) {
        EXPECT_THAT(under(limit, "devices"), testing::AnyOf(0, 5)) << limit << text_of("err");
    }
    EXPECT_THAT(text_of("err"), testing::Not(HasSubstr("ulimit -s"))) << "it may raise it";
}

}  // namespace
}  // namespace parallax::cli::limits_test
