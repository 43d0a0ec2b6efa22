// Tests the real program in a project folder: its settings, and the results there.
#include <cstdlib>
#include <fstream>
#include <set>

#include <gmock/gmock.h>

#include "cli/tests/command_line.hpp"

namespace parallax::cli::shell_program_test {
namespace {

using testing::HasSubstr;

class ShellOfProgram : public CommandLine {};

TEST_F(ShellOfProgram, AProgramOfABuildFolderFindsTheResultsAroundIt) {
    const char* program = std::getenv("PARALLAX_PROGRAM");
    const std::filesystem::path build = program ? std::filesystem::path(program).parent_path() : "";
    if (build.parent_path().parent_path() != SOURCE_ROOT)
        GTEST_SKIP() << "the build folder is not in the sources";
    EXPECT_EQ(shell("$P lesson transpose --from results/nvidia-h100-80gb-hbm3 >out"), 0);
    EXPECT_THAT(text_of("out"), HasSubstr("H100"));
}

TEST_F(ShellOfProgram, TheDoctorNamesWhatReadsCuda) {
    if (!std::getenv("PARALLAX_PROGRAM")) GTEST_SKIP() << "PARALLAX_PROGRAM names no program";
    std::filesystem::create_directories("bin");
    // The first that runs is taken: of this folder none but clang-16.
    std::ofstream("bin/clang-16") << "#!/bin/sh\necho 'Some clang version 16.0.6 (27+b1)'\n";
    std::filesystem::permissions("bin/clang-16", std::filesystem::perms::owner_all);
    shell("PATH=$PWD/bin $P doctor >out; PATH=$PWD/bin $P doctor --json >json");
    EXPECT_THAT(text_of("out"), HasSubstr("\nCUDA C++ is read by clang-16 16.0.6.\n"));
    EXPECT_EQ(Json::parse(text_of("json")).at("clang"), "clang-16 16.0.6");
    shell("PATH=$PWD/none $P doctor >out; PATH=$PWD/none $P doctor --json >json");
    EXPECT_THAT(text_of("out"), HasSubstr("[no-clang]"));
    EXPECT_THAT(text_of("out"), HasSubstr("apt install clang"));
    EXPECT_EQ(Json::parse(text_of("json")).at("clang"), "");
}

/// Clang alone reads a CUDA file.
TEST_F(ShellOfProgram, AFirstManifestOfCudaTakesClang) {
    if (!std::getenv("PARALLAX_PROGRAM")) GTEST_SKIP() << "PARALLAX_PROGRAM names no program";
    std::ofstream("k.cu") << "__global__ void k(int* x) { x[threadIdx.x] = 1; }\n";
    EXPECT_EQ(shell("PATH=$PWD/none $P port k.cu --init 2>err"), 5);
    EXPECT_THAT(text_of("err"), HasSubstr("takes the program clang, 13 or newer"));
    EXPECT_THAT(text_of("err"), HasSubstr("apt install clang"));
}

TEST_F(ShellOfProgram, ProcessesOfAProjectBeginNoMore) {
    if (!has_device()) GTEST_SKIP() << "no device";
    std::ofstream("parallax.toml")
        << "budget = 100000\ndevices = [\"opencl:0\"]\n[run]\nprocesses = 2\n";
    EXPECT_EQ(
        shell("$P run -s transpose/naive -n 64x64 --check -o two.jsonl --quiet > printed 2>&1"), 0)
        << text_of("printed");
    std::set<std::string> runs;
    for (const Json& record : json_results("two.jsonl").records) {
        runs.insert(record.at("run").at("id").get<std::string>());
    }
    EXPECT_EQ(runs.size(), 2u);
}

}  // namespace
}  // namespace parallax::cli::shell_program_test
