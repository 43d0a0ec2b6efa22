// Tests of the assembler's reports on real kernels.
#include "common/device/ptxas.hpp"

#include <gtest/gtest.h>

#include "studies/explain/tests/sample.hpp"

namespace parallax::ptxas_test {
namespace {

TEST(PtxasReports, SpillsAndStack) {
    const Resources r = ptxas_resources(sample("ptxas-blocked-24-registers.log"), "blocked");
    EXPECT_EQ(r.registers, 24u);
    EXPECT_EQ(r.private_bytes, 232u);
    EXPECT_EQ(r.spill_bytes, 424u + 448u);
    EXPECT_EQ(r.barriers, 1u);
    EXPECT_EQ(r.local_bytes, 2304u);
    EXPECT_FALSE(r.constant_bytes) << "it does not say";
}

TEST(PtxasReports, OfAKernelNotOfTheFunctionItCalls) {
    const Resources r = ptxas_resources(sample("ptxas-classes.log"), "classes");
    EXPECT_EQ(r.registers, 27u);
    EXPECT_EQ(r.private_bytes, 32u);
    EXPECT_EQ(r.spill_bytes, 0u);
    EXPECT_EQ(r.local_bytes, 1024u);
}

TEST(PtxasReports, OfOpenclsCompiler) {
    const std::string log = sample("opencl-transpose.log");
    const Resources tiled = ptxas_resources(log, "tiled");
    EXPECT_EQ(tiled.registers, 30u);
    EXPECT_EQ(tiled.local_bytes, 4112u) << "the tile's 4096 and its alignment once more";
    EXPECT_EQ(tiled.barriers, 1u);
    const Resources naive = ptxas_resources(log, "naive");
    EXPECT_EQ(naive.registers, 14u);
    EXPECT_EQ(naive.local_bytes, 0u);
    EXPECT_EQ(naive.barriers, 0u);
    EXPECT_EQ(naive.private_bytes, 0u);
}

TEST(PtxasReports, OfOldAssemblers) {
    const char* report =
        "ptxas info    : Compiling entry function 'k' for 'sm_10'\n"
        "ptxas info    : Used 20 registers, 68+16 bytes smem, 8 bytes cmem[0], 4 bytes cmem[1]\n"
        "ptxas info    : Compiling entry function 'l' for 'sm_20'\n"
        "ptxas info    : Used 9 registers, 2+3 bytes lmem, 40 bytes smem\n";
    const Resources r = ptxas_resources(report, "k");
    EXPECT_EQ(r.registers, 20u);
    EXPECT_EQ(r.local_bytes, 84u);
    EXPECT_EQ(r.constant_bytes, 12u);
    EXPECT_EQ(ptxas_resources(report, "l").local_bytes, 40u);
}

TEST(Ptxas, ReportsOfBothCompilersAreRead) {
    // As NVRTC 13.0 and as NVIDIA's OpenCL print them, one kernel after another.
    const char* report =
        "ptxas info    : 0 bytes gmem\n"
        "ptxas info    : Compiling entry function 'other' for 'sm_90'\n"
        "ptxas info    : Function properties for other\n"
        "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 99 registers, used 0 barriers\n"
        "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
        "ptxas info    : Function properties for k\n"
        "    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n"
        "ptxas info    : Used 40 registers, used 1 barriers, 1028 bytes smem, 564 bytes cmem[0]\n";
    const Resources r = ptxas_resources(report, "k");
    EXPECT_EQ(r.registers, 40u);
    EXPECT_EQ(r.spill_bytes, 20u);
    EXPECT_EQ(r.private_bytes, 16u);
    EXPECT_EQ(r.local_bytes, 1028u);
    EXPECT_EQ(r.barriers, 1u);
    EXPECT_EQ(ptxas_resources(report, "other").registers, 99u);
    EXPECT_FALSE(ptxas_resources(report, "absent").registers);
    EXPECT_FALSE(ptxas_resources("", "k").registers);
}

}  // namespace
}  // namespace parallax::ptxas_test
