// Tests loading the compiler: found, not found, and its reported version.
#include "backends/cuda/nvrtc.hpp"

#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "backends/cuda/tests/environment.hpp"
#include "common/error.hpp"
#include "common/text/temporary_folder.hpp"

namespace parallax::cuda::nvrtc_test {
namespace {

using testing::HasSubstr;

const std::string kernel = "extern \"C\" __global__ void k(float* a) { a[threadIdx.x] = 1; }\n";

TEST(Nvrtc, SaysWhichFileVersionAndArchitectures) {
    if (!nvrtc().available()) GTEST_SKIP() << nvrtc().problem();
    fmt::print("NVRTC {} from {}: {}\n", nvrtc().version(), nvrtc().path(),
               fmt::join(nvrtc().architectures(), " "));
    EXPECT_TRUE(nvrtc().problem().empty());
    EXPECT_THAT(nvrtc().path(), HasSubstr("libnvrtc"));
    EXPECT_THAT(nvrtc().version(), testing::MatchesRegex("[0-9]+\\.[0-9]+"));
    EXPECT_FALSE(nvrtc().architectures().empty());
    EXPECT_TRUE(std::ranges::is_sorted(nvrtc().architectures()));
}

TEST(Nvrtc, MissingFileGivesTheReasonAndTheWayOut) {
    const Environment named("PARALLAX_NVRTC", "/nowhere/libnvrtc.so.13");
    const Nvrtc none = Nvrtc::find();
    EXPECT_FALSE(none.available());
    EXPECT_THAT(none.problem(), HasSubstr("/nowhere/libnvrtc.so.13"));
    EXPECT_THAT(none.problem(), HasSubstr("PARALLAX_NVRTC"));
    EXPECT_THAT(none.problem(), HasSubstr("unset it"));
    EXPECT_EQ(none.path(), "");
    EXPECT_EQ(none.version(), "");
    EXPECT_TRUE(none.architectures().empty());
    EXPECT_THROW(none.compile(kernel, "k.cu", {}), Unsupported);
}

TEST(Nvrtc, FileThatIsNoLibraryGivesTheReason) {
    const TemporaryFolder folder("parallax-nvrtc-");
    const std::string path = folder.put("libnvrtc.so", "not a library"), pipe = folder.file("pipe");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    for (const std::string& file : {path, pipe}) {
        const Environment named("PARALLAX_NVRTC", file);
        EXPECT_THAT(Nvrtc::find().problem(), HasSubstr(file));
    }
}

TEST(Nvrtc, LibraryThatEndsTheProcessGivesTheReason) {
    const char* const folder = std::getenv("NVRTC_FOLDER");
    if (!folder) GTEST_SKIP() << "NVRTC_FOLDER names no folder";
    const Environment named("PARALLAX_NVRTC",
                            std::string(folder) + "/libnvrtc_that_crashes_at_load.so");
    const Nvrtc none = Nvrtc::find();
    EXPECT_FALSE(none.available());
    EXPECT_THAT(none.problem(), HasSubstr("cannot be loaded. It ended the process that looked at "
                                          "it (signal 11)."));
    EXPECT_THAT(none.problem(), HasSubstr("unset it"));
}

TEST(Nvrtc, LibraryThatIsAnotherOneGivesTheReason) {
    const Environment named("PARALLAX_NVRTC", "libm.so.6");
    const Nvrtc none = Nvrtc::find();
    EXPECT_FALSE(none.available());
    EXPECT_THAT(none.problem(), HasSubstr("has no function nvrtc"));
}

TEST(Nvrtc, CompilesFromAnAbsolutePath) {
    if (!nvrtc().available()) GTEST_SKIP() << nvrtc().problem();
    const Environment named("PARALLAX_NVRTC", nvrtc().path());
    const Nvrtc again = Nvrtc::find();
    ASSERT_TRUE(again.available()) << again.problem();
    const std::vector<std::string> options{
        fmt::format("--gpu-architecture=sm_{}", again.architectures().back())};
    const NvrtcOutput output = again.compile(kernel, "k.cu", options);
    EXPECT_TRUE(output.ok) << output.log;
    EXPECT_EQ(output.cubin.substr(1, 3), "ELF");
    EXPECT_THAT(output.ptx, HasSubstr(".entry k("));
    EXPECT_EQ(output.ptx.find('\0'), std::string::npos);
}

TEST(Nvrtc, VirtualArchitectureHasNoMachineCode) {
    if (!nvrtc().available()) GTEST_SKIP() << nvrtc().problem();
    const std::vector<std::string> options{
        fmt::format("--gpu-architecture=compute_{}", nvrtc().architectures().back())};
    const NvrtcOutput output = nvrtc().compile(kernel, "k.cu", options);
    EXPECT_TRUE(output.ok) << output.log;
    EXPECT_TRUE(output.cubin.empty());
    EXPECT_FALSE(output.ptx.empty());
}

TEST(Nvrtc, FailureHasStatusAndLog) {
    if (!nvrtc().available()) GTEST_SKIP() << nvrtc().problem();
    const NvrtcOutput wrong = nvrtc().compile("nonsense here;", "k.cu", {});
    EXPECT_FALSE(wrong.ok);
    EXPECT_EQ(wrong.status, "NVRTC_ERROR_COMPILATION");
    EXPECT_THAT(wrong.log, HasSubstr("k.cu(1): error"));
    const std::vector<std::string> options{"--no-such-option"};
    const NvrtcOutput option = nvrtc().compile(kernel, "k.cu", options);
    EXPECT_EQ(option.status, "NVRTC_ERROR_INVALID_OPTION");
    EXPECT_THAT(option.log, HasSubstr("--no-such-option"));
}

TEST(Nvrtc, ZeroByteIsRefused) {
    if (!nvrtc().available()) GTEST_SKIP() << nvrtc().problem();
    EXPECT_THROW(nvrtc().compile(kernel + '\0' + "more", "k.cu", {}), UsageError);
}

}  // namespace
}  // namespace parallax::cuda::nvrtc_test
