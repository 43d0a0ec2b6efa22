// Tests of the occupancy calculator against published numbers.
#include "studies/occupancy/occupancy.hpp"

#include <gtest/gtest.h>

namespace parallax::occupancy_test {
namespace {

Occupancy occupancy(std::string_view capability, std::uint32_t registers, std::uint32_t local_bytes,
                    std::uint64_t items) {
    const auto limits = limits_of(capability);
    EXPECT_TRUE(limits) << capability;
    return occupancy_of(limits.value_or(UnitLimits{}), registers, local_bytes, items);
}

// Examples from the CUDA Occupancy Calculator and from courses that taught with it.
TEST(Occupancy, ExamplesOfOldCourses) {
    EXPECT_EQ(occupancy("1.0", 20, 68, 192), (Occupancy{2, 12, 24, "registers"}));
    EXPECT_DOUBLE_EQ(occupancy("1.0", 20, 68, 192).share(), 0.5);
    EXPECT_EQ(occupancy("1.0", 10, 0, 256), (Occupancy{3, 24, 24, "registers and warps"}));
    EXPECT_EQ(occupancy("1.0", 11, 0, 256), (Occupancy{2, 16, 24, "registers"})) << "66 %";
    EXPECT_EQ(occupancy("1.1", 11, 0, 128), (Occupancy{5, 20, 24, "registers"})) << "83 %";
    EXPECT_EQ(occupancy("1.3", 8, 2048, 256), (Occupancy{4, 32, 32, "warps"}));
}

TEST(Occupancy, OldUnitsGiveRegistersToGroups) {
    // 3 warps count as 4: 4 * 32 * 10 = 1280 of 8192; in steps of 256 that is 6 work-groups.
    EXPECT_EQ(occupancy("1.0", 10, 0, 96), (Occupancy{6, 18, 24, "registers"}));
    EXPECT_EQ(occupancy("1.2", 16, 4000, 64), (Occupancy{4, 8, 32, "local memory"}));
}

TEST(Occupancy, RegistersOfWarpsComeInSteps) {
    // Compute capability 2.0: 21 * 32 = 672, in steps of 64: 704; 46 warps of them.
    EXPECT_EQ(occupancy("2.0", 21, 0, 192), (Occupancy{7, 42, 48, "registers"}));
    // 9.0: 33 registers cost as much as 40: 1280 a warp, 48 warps.
    EXPECT_EQ(occupancy("9.0", 33, 0, 256), (Occupancy{6, 48, 64, "registers"}));
    EXPECT_EQ(occupancy("9.0", 40, 0, 256), (Occupancy{6, 48, 64, "registers"}));
    // Each quarter of a unit holds 12 warps, not 12.75: 48, not 51.
    EXPECT_EQ(occupancy("9.0", 40, 0, 96), (Occupancy{16, 48, 64, "registers"}));
    // The example of "CUDA Occupancy Calculation" for 7.0: 37 registers, 128 work-items.
    EXPECT_EQ(occupancy("7.0", 37, 0, 128), (Occupancy{12, 48, 64, "registers"}));
}

TEST(Occupancy, OfNewerUnits) {
    EXPECT_EQ(occupancy("9.0", 128, 0, 256), (Occupancy{2, 16, 64, "registers"}));
    EXPECT_EQ(occupancy("9.0", 32, 0, 1024), (Occupancy{2, 64, 64, "registers and warps"}));
    EXPECT_EQ(occupancy("9.0", 16, 0, 32), (Occupancy{32, 32, 64, "groups"}));
    // 48 KiB and the driver's 1 KiB: 4 times 49 of 228.
    EXPECT_EQ(occupancy("9.0", 32, 48 * 1024, 256), (Occupancy{4, 32, 64, "local memory"}));
    // Without the driver's share there would be 6.
    EXPECT_EQ(occupancy("9.0", 32, 38 * 1024, 256), (Occupancy{5, 40, 64, "local memory"}));
    EXPECT_EQ(occupancy("8.0", 32, 40 * 1024, 256), (Occupancy{4, 32, 64, "local memory"}));
    EXPECT_EQ(occupancy("8.0", 64, 0, 256), (Occupancy{4, 32, 64, "registers"}));
    EXPECT_EQ(occupancy("8.6", 32, 0, 256), (Occupancy{6, 48, 48, "warps"}));
    EXPECT_EQ(occupancy("8.6", 40, 0, 1024), (Occupancy{1, 32, 48, "registers and warps"}));
    EXPECT_EQ(occupancy("8.9", 16, 0, 32), (Occupancy{24, 24, 48, "groups"}));
    EXPECT_EQ(occupancy("7.5", 64, 0, 256), (Occupancy{4, 32, 32, "registers and warps"}));
    EXPECT_EQ(occupancy("7.5", 64, 32 * 1024, 256), (Occupancy{2, 16, 32, "local memory"}));
    EXPECT_EQ(occupancy("12.0", 16, 0, 64), (Occupancy{24, 48, 48, "warps and groups"}));
    EXPECT_EQ(occupancy("3.7", 128, 0, 256), (Occupancy{4, 32, 64, "registers"}));
}

TEST(Occupancy, WhatDoesNotFitIsNothing) {
    EXPECT_EQ(occupancy("9.0", 256, 0, 32), (Occupancy{0, 0, 64, "registers"}));
    EXPECT_EQ(occupancy("9.0", 65, 0, 1024), (Occupancy{0, 0, 64, "registers"}));
    EXPECT_EQ(occupancy("9.0", 32, 227 * 1024, 32).groups, 1u);
    EXPECT_EQ(occupancy("9.0", 32, 227 * 1024 + 1, 32), (Occupancy{0, 0, 64, "local memory"}));
    EXPECT_EQ(occupancy("9.0", 32, 0, 1025), (Occupancy{0, 0, 64, "warps"}));
    EXPECT_EQ(occupancy("9.0", 16, 0, UINT64_MAX).groups, 0u);
    EXPECT_EQ(occupancy("9.0", UINT32_MAX, UINT32_MAX, UINT64_MAX).groups, 0u);
    EXPECT_EQ(occupancy("6.2", 40, 0, 1024).groups, 0u) << "half the registers for a group";
    EXPECT_EQ(occupancy("6.1", 40, 0, 1024).groups, 1u);
}

TEST(Occupancy, SmallestNumbersAreTaken) {
    EXPECT_EQ(occupancy("9.0", 0, 0, 1), (Occupancy{32, 32, 64, "groups"}));
    EXPECT_EQ(occupancy("9.0", 0, 0, 0), (Occupancy{32, 32, 64, "groups"}));
    EXPECT_EQ(occupancy("1.0", 0, 0, 1), (Occupancy{8, 8, 24, "groups"}));
}

TEST(Occupancy, UnknownUnitsHaveNoLimits) {
    for (const char* unknown : {"", "9", "9.00", "13.0", "9.0 ", "none"}) {
        EXPECT_FALSE(limits_of(unknown)) << unknown;
    }
    EXPECT_EQ(limits_of("1.3")->items(), 1024u);
    EXPECT_EQ(limits_of("8.6")->items(), 1536u);
    EXPECT_EQ(limits_of("9.0")->items(), 2048u);
}

}  // namespace
}  // namespace parallax::occupancy_test
