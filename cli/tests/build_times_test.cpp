// Tests cold and warm builds of `parallax build` in real processes.
#include "cli/build_times.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "cli/tests/command_line.hpp"
#include "common/error.hpp"

namespace parallax::cli::build_times_test {
namespace {

/// Real processes, with a folder for the test's temporary files.
class BuildTimesOfProcesses : public CommandLine {
protected:
    fs::path program_;
    Entry entry_;

    void SetUp() override {
        const char* program = std::getenv("PARALLAX_PROGRAM");
        if (!program) GTEST_SKIP() << "PARALLAX_PROGRAM names no program";
        if (!has_device()) GTEST_SKIP() << "no device";
        program_ = program;
        entry_ = find_devices(backends()).entries.front();
        fs::create_directories("tmp");
        setenv("TMPDIR", (folder_ / "tmp").c_str(), 1);
    }
    void TearDown() override { unsetenv("TMPDIR"); }

    static Case the_case(const std::vector<Constant>& defines = {}) {
        const Suite& suite = suite_named("transpose");
        return make_case(suite, variant_named(suite, "padded"), {{64, 32}}, ElementType::f64,
                         defines);
    }
};

TEST_F(BuildTimesOfProcesses, AreColdThenWarmAndLeaveNothing) {
    const BuildTimes times = build_times(program_, entry_, the_case({{"TILE", 16}}), {});
    ASSERT_TRUE(times.cold && times.warm) << times.note;
    EXPECT_GT(*times.cold, 0);
    EXPECT_GT(*times.warm, 0);
    EXPECT_NE(times.note.find("ache"), std::string::npos) << times.note;
    EXPECT_TRUE(fs::is_empty("tmp"));
}

TEST_F(BuildTimesOfProcesses, HaveTheCachesInOneNewFolder) {
    // A program that prints its variables instead.
    std::ofstream("teller") << "#!/bin/sh\n"
                               "echo $CUDA_CACHE_DISABLE $POCL_KERNEL_CACHE >> told\n"
                               "ls $CUDA_CACHE_PATH $POCL_CACHE_DIR | grep -c mark >> told\n"
                               "touch $CUDA_CACHE_PATH/mark $POCL_CACHE_DIR/mark\n"
                               "echo \"$@\" >> told\n"
                               "echo '{\"kernels\":[{\"build_seconds\":[2]},"
                               "{\"build_seconds\":[3, 9]}]}'\n";
    fs::permissions("teller", fs::perms::owner_all);
    const BuildTimes times = build_times(folder_ / "teller", entry_, the_case(), "own");
    EXPECT_EQ(times.cold, 5) << "of all kernels, the first time";
    EXPECT_EQ(times.warm, 5);
    const std::string told = text_of("told");
    EXPECT_EQ(told.substr(0, 6), "0 1\n0\n") << "empty at first";
    EXPECT_NE(told.find("\n0 1\n2\n"), std::string::npos) << "then with what was left: " << told;
    EXPECT_NE(told.find("build transpose/padded -d " + entry_.info.id() + " -n 64x32"),
              std::string::npos);
    EXPECT_NE(told.find("--define TILE=32"), std::string::npos) << told;
    EXPECT_NE(told.find("--kernels own"), std::string::npos) << told;
    EXPECT_TRUE(fs::is_empty("tmp"));
}

TEST_F(BuildTimesOfProcesses, AreMissingWhereABuildFails) {
    fs::create_directories("k");
    std::ofstream("k/transpose.cl") << "__kernel void tiled() { nonsense }";
    const BuildTimes times = build_times(program_, entry_, the_case(), "k");
    EXPECT_FALSE(times.cold || times.warm);
    EXPECT_NE(times.note.find("ended with 6"), std::string::npos) << times.note;
    EXPECT_TRUE(fs::is_empty("tmp"));
    EXPECT_THROW(build_times("/nowhere/parallax", entry_, the_case(), {}), Error);
    EXPECT_THROW(build_times({}, entry_, the_case(), {}), Error);
    EXPECT_TRUE(fs::is_empty("tmp"));
    std::ofstream("dies") << "#!/bin/sh\nkill -9 $$\n";
    fs::permissions("dies", fs::perms::owner_all);
    EXPECT_NE(build_times(folder_ / "dies", entry_, the_case(), {}).note.find("signal 9"),
              std::string::npos);
    std::ofstream("stops") << "#!/bin/sh\nexit 130\n";
    fs::permissions("stops", fs::perms::owner_all);
    EXPECT_THROW(build_times(folder_ / "stops", entry_, the_case(), {}), Interrupted);
    EXPECT_TRUE(fs::is_empty("tmp"));
}

}  // namespace
}  // namespace parallax::cli::build_times_test
