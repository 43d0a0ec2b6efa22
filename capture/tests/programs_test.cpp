// Tests unmodified external programs, captured and replayed.
#include <exception>

#include <dlfcn.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#ifdef PARALLAX_HAS_NVRTC
#include "backends/cuda/compile.hpp"
#endif
#include "cli/tests/command_line.hpp"
#include "common/error.hpp"
#include "common/tests/instrumented.hpp"
#include "measure/run_case.hpp"
#include "records/capture.hpp"
#include "suites/manifest/captured.hpp"

namespace parallax::cli::programs_test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

/// The LD_PRELOAD of an external program that lets it load a layer with a sanitizer: the
/// sanitizer's library before all others, and C++'s, which the sanitizer needs at start.
std::string with_sanitizer() {
    const auto file_of = [](void (*function)()) -> std::string {
        Dl_info info{};
        const bool is_found = function && dladdr(reinterpret_cast<void*>(function), &info) != 0;
        return is_found ? info.dli_fname : "";
    };
    std::string sanitizer = file_of(&__asan_init);
    if (sanitizer.empty()) sanitizer = file_of(&__tsan_init);
    if (sanitizer.empty()) return {};
    return fmt::format("env LD_PRELOAD='{} {}' ", sanitizer, file_of(&std::terminate));
}

class Programs : public CommandLine {
protected:
    void SetUp() override {
        if (!has_device()) GTEST_SKIP() << "no OpenCL device";
    }
    /// Captures a program, and runs every kept case again with the same results.
    /// @param least  minimum number of cases
    /// @param how  "" where the cases are timed, too
    void captured_and_replayed(const std::string& command, std::size_t least,
                               const std::string& options = "--no-binaries",
                               const std::string& how = "--check") const {
        ASSERT_EQ(shell("$P capture -o app --per-kernel 1 " + options + " -- " + with_sanitizer() +
                        command + " > out 2> err"),
                  0)
            << text_of("err");
        const Capture capture = read_capture(folder_ / "app");
        EXPECT_TRUE(capture.complete);
        EXPECT_TRUE(capture.problems.empty());
        EXPECT_GE(capture.cases(), least) << text_of("err");
        EXPECT_EQ(shell("$P run -s app/ -d opencl --budget 100000 " + how + " > run 2> err"), 0)
            << text_of("run") << text_of("err");
        EXPECT_THAT(text_of("err"), HasSubstr(", 0 wrong, 0 failed"));
        translated();
    }
    /// Checks that NVRTC accepts the CUDA source of each case.
    void translated() const {
#ifdef PARALLAX_HAS_NVRTC
        const CapturedSuite captured = captured_suite((folder_ / "app").string());
        EXPECT_TRUE(captured.refused.empty());
        const Suite& suite = captured.suite;
        for (const Variant& variant : suite.variants) {
            const Case c = make_case(suite, variant, variant.shapes.front(), suite.types.front());
            std::string said;
            try {
                cuda::compile_for(program_of(c, RunConfig{}, "cuda"), 90);
            } catch (const Error& error) {
                said = error.what();
            }
            // Local arrays that only fit on a CPU.
            EXPECT_THAT(said, AnyOf("", HasSubstr("too much shared data"))) << variant.name;
        }
#endif
    }
};

TEST_F(Programs, Clpeak) {
    if (shell("command -v clpeak > where") != 0)
        GTEST_SKIP() << "not installed: apt-get install clpeak";
    captured_and_replayed("clpeak --kernel-latency", 1, "--no-binaries", "");
}

TEST_F(Programs, Pyopencl) {
    if (shell("/usr/bin/python3 -c 'import pyopencl' 2> err") != 0) {
        GTEST_SKIP() << "not installed: apt-get install python3-pyopencl";
    }
    captured_and_replayed("/usr/bin/python3 $PYOPENCL_PROGRAM", 8);
    EXPECT_EQ(text_of("out"), "pyopencl done\n");
}

TEST_F(Programs, Clblast) {
    if (!std::getenv("CLBLAST_CLIENT"))
        GTEST_SKIP() << "not installed: apt-get install libclblast-dev";
    captured_and_replayed("$CLBLAST_CLIENT", 3);
    EXPECT_EQ(text_of("out"), "clblast done\n");
}

/// One of its processes only loads platforms, and exits without unloading OpenCL.
TEST_F(Programs, ThisOneItself) {
    ASSERT_EQ(
        shell(
            "$P capture -o app -- $P run -s transpose/naive -s transpose/tiled -s transpose/padded "
            "-s transpose/wide -d opencl --check > out 2> err"),
        0)
        << text_of("err");
    const std::size_t kept = read_capture(folder_ / "app").cases();
    EXPECT_GE(kept, 16U) << "four sizes of naive, tiled, padded and what odd sizes launch of wide";
    EXPECT_EQ(shell("$P run -s app/ -d opencl --check > run 2> err"), 0)
        << text_of("run") << text_of("err");
    EXPECT_THAT(text_of("err"), HasSubstr(fmt::format("{} ok, 0 wrong, 0 failed", kept)));
    translated();
}

/// Searches for one kind of hash, with generated sources of thousands of lines.
class Hashcat : public Programs, public testing::WithParamInterface<int> {};

TEST_P(Hashcat, Benchmark) {
    if (shell("command -v hashcat > where") != 0) GTEST_SKIP() << "hashcat is not installed";
    // Kernels built by an earlier run are binaries without a source, and the program ends where
    // these are refused.
    captured_and_replayed(
        fmt::format("env XDG_CACHE_HOME=$PWD/cache XDG_DATA_HOME=$PWD/cache hashcat --benchmark "
                    "--hash-type {} --force --workload-profile 1 --runtime 1",
                    GetParam()),
        5, "");
}

INSTANTIATE_TEST_SUITE_P(Modes, Hashcat, testing::Values(0, 100));  // MD5, SHA1

}  // namespace
}  // namespace parallax::cli::programs_test
