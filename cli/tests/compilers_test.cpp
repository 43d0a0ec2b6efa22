// Tests compilers that crash or hang, in commands that run no kernel.
#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/tests/command_line.hpp"

namespace parallax::cli::compilers_test {
namespace {

using testing::HasSubstr;

class BadCompilers : public CommandLine {
protected:
    void SetUp() override {
        if (!std::getenv("PARALLAX_PROGRAM")) GTEST_SKIP() << "PARALLAX_PROGRAM names no program";
        std::ofstream("k.cl") << "__kernel void k(__global int* y) { y[get_global_id(0)] = 1; }\n";
        std::ofstream("k.json")
            << R"({"parallax": "manifest", "version": 1, "name": "m", "source": "k.cl",
                  "sizes": {"names": ["n"], "timed": [[64]]}, "kernel": "k",
                  "arguments": [{"name": "y", "type": "int", "elements": "n", "use": "output"}],
                  "items": [64], "global": ["n"]})";
    }
    static int with_nvrtc(const std::string& how, const std::string& words) {
        return shell(fmt::format("PARALLAX_NVRTC={}/libnvrtc_that_{}.so $P {} > out 2> err",
                                 std::getenv("NVRTC_FOLDER"), how, words));
    }
    static bool has_cuda() {
        return std::ranges::any_of(backends(),
                                   [](const auto& one) { return one->name() == "cuda"; });
    }
};

TEST_F(BadCompilers, OfCudaEndNoCommandWithoutAWord) {
    if (!has_cuda()) GTEST_SKIP() << "built without CUDA";
    const char* const said =
        "SIGSEGV (Segmentation fault) ended the process that measured while "
        "NVRTC compiled it.";
    EXPECT_EQ(with_nvrtc("crashes", "port k.cl"), 1);
    EXPECT_THAT(text_of("err"), HasSubstr(said));
    EXPECT_EQ(text_of("out"), "");
    EXPECT_EQ(with_nvrtc("crashes", "port k.cl --no-check"), 0);
    EXPECT_EQ(with_nvrtc("crashes", "occupancy k.json/k --capability 9.0"), 6);
    EXPECT_THAT(text_of("out"), HasSubstr("SIGSEGV"));
    EXPECT_EQ(with_nvrtc("crashes_at_load", "occupancy k.json/k --capability 9.0"), 5);
    EXPECT_THAT(text_of("err"), HasSubstr("cannot be loaded. SIGSEGV"));
    EXPECT_EQ(with_nvrtc("hangs", "port k.cl --watchdog 0.4"), 1);
    EXPECT_THAT(text_of("err"), HasSubstr("had not ended"));
}

TEST_F(BadCompilers, OfADeviceEndNoCommandWithoutAWord) {
    if (!has_device()) GTEST_SKIP() << "no device";
    // A recursive compiler overflows its stack.
    std::string deep;
    for (int i = 0; i < 5'000; ++i) deep += "-+";
    std::ofstream("k.cl") << "__kernel void k(__global int* y) { y[get_global_id(0)] = " << deep
                          << "1; }\n";
    for (const char* words : {"build k.json/k -d opencl", "occupancy k.json/k -d opencl"}) {
        EXPECT_EQ(shell(fmt::format("$P {} > out 2> err", words)), 6) << words;
        EXPECT_THAT(text_of("out"), HasSubstr("ended the process that measured")) << words;
    }
}

}  // namespace
}  // namespace parallax::cli::compilers_test
