// Tests the parsing of PTX, in the forms of NVRTC and of NVIDIA's OpenCL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/cuda/ptx_reader.hpp"

namespace parallax::cuda::ptx_test {
namespace {

using Kind = PtxParameter::Kind;

TEST(Ptx, KernelsAndParameters) {
    const auto kernels = ptx_kernels(R"(
.version 9.0
// .entry in_a_comment(
/* .entry in_another( */
.visible .entry first(
	.param .u64 first_param_0,
	.param .u64 .ptr .global .align 4 first_param_1, // , .param .u8 no
	.param .f32 first_param_2,
	.param .align 16 .b8 first_param_3[48]
)
{
	ld.param.u64 %rd1, [first_param_0];
}
.entry second()
.maxntid 128, 1, 1
{ ret; }
.weak .entry third
{ ret; }
)");
    ASSERT_EQ(kernels.size(), 3u);
    EXPECT_EQ(kernels.at(0).name, "first");
    EXPECT_THAT(
        kernels.at(0).parameters,
        testing::ElementsAre(PtxParameter{Kind::integer, 8}, PtxParameter{Kind::integer, 8},
                             PtxParameter{Kind::floating, 4}, PtxParameter{Kind::bits, 48}));
    EXPECT_EQ(kernels.at(1).name, "second");
    EXPECT_TRUE(kernels.at(1).parameters.empty());
    EXPECT_EQ(kernels.at(2).name, "third");
    EXPECT_TRUE(kernels.at(2).parameters.empty());
    EXPECT_EQ(find_kernel(kernels, "second"), &kernels.at(1));
    EXPECT_EQ(find_kernel(kernels, "secon"), nullptr);
}

TEST(Ptx, WhatIsNotPtxHasNoKernels) {
    EXPECT_TRUE(ptx_kernels("").empty());
    EXPECT_TRUE(ptx_kernels("/").empty());
    EXPECT_TRUE(ptx_kernels("/* open").empty());
    EXPECT_TRUE(ptx_kernels(".entry").empty());
    EXPECT_TRUE(ptx_kernels(".entry k(").empty());
    EXPECT_EQ(ptx_kernels(".entry k(.param .u99999999999999 x) {}")[0].parameters.size(), 0u);
}

TEST(Ptx, ReportIsNoWarning) {
    EXPECT_EQ(without_report("ptxas info    : 0 bytes gmem\n"
                             "ptxas         .     0 bytes stack frame, 0 bytes spill stores\n\n"),
              "");
    EXPECT_EQ(without_report("k.cl(3): warning #177-D: unused\nptxas info    : 0 bytes gmem\n"),
              "k.cl(3): warning #177-D: unused\n");
    EXPECT_EQ(without_report("ptxas warning : spills"), "ptxas warning : spills\n");
}

}  // namespace
}  // namespace parallax::cuda::ptx_test
