// Mutants before the gate of a device that is here: each way to end.
#include "benchmarks/mutation/judge.hpp"

#include <memory>

#include <gtest/gtest.h>

#include "backends/cuda/nvrtc.hpp"
#include "common/devices.hpp"
#include "suites/case_words.hpp"

namespace parallax::judge_test {
namespace {

struct Judge : testing::Test {
    void SetUp() override {
        for (const Entry& entry : find_devices(backends()).entries) {
            if (!device && entry.info.backend == "opencl") device = entry.open();
        }
        if (!device) GTEST_SKIP() << "no OpenCL device";
    }

    End judged(std::string_view find, std::string_view replace) {
        Mutant mutant;
        mutant.file = "strided_copy.cl";
        mutant.function = "strided";
        mutant.text = kernel_text(mutant.file);
        const std::size_t at = mutant.text.find(find);
        EXPECT_NE(at, mutant.text.npos);
        mutant.text.replace(at, find.size(), replace);
        return judge(*device, suite_named("strided_copy"), mutant, workloads, [] {});
    }

    std::unique_ptr<Device> device;
    Workloads workloads{std::uint64_t{1} << 26};
};

TEST_F(Judge, AWrongAnswerIsWrong) {
    EXPECT_EQ(judged("* stride + get_group_id(1)", "* stride"), End::wrong);
}

TEST_F(Judge, OfDamagedMemoryToo) {
    EXPECT_EQ(judged("+ get_group_id(1);\n    if (i < n)", "+ get_group_id(1);\n    if (i <= n)"),
              End::wrong);
}

TEST_F(Judge, WhatNoCompilerTakesIsNotBuilt) {
    EXPECT_EQ(judged("* stride + get", "* strides + get"), End::not_built);
}

TEST_F(Judge, AChangeThatIsNoneLives) {
    const End end = judged("* stride + get_group_id(1)", "* (stride) + get_group_id(1)");
    EXPECT_EQ(end, cuda::nvrtc().available() ? End::same_code : End::lived);
}

TEST_F(Judge, AnotherCodeWithTheSameAnswersLives) {
    EXPECT_EQ(judged("out[i] = in[i];\n}\n\n// Neighbouring items touch neighbouring elements, but",
                     "out[i] = in[i];\n    if (i > n && n == 0) out[i] = 1;\n}\n\n//"),
              End::lived);
}

}  // namespace
}  // namespace parallax::judge_test
