// The best variants of the suites as NVIDIA's compiler makes them for architectures of all ages:
// none keeps values in memory that belong in registers. It takes no GPU.
#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/tests/thorough.hpp"
#include "studies/build/built_case.hpp"
#include "studies/occupancy/prediction.hpp"
#include "suites/case_words.hpp"

namespace parallax::best_variants_test {
namespace {

struct Best {
    const char* variant;
    int oldest = 75, newest = 120;  ///< that it has instructions for
};
constexpr Best best[] = {{"reduction/vector"},
                         {"scan/reduce_then_scan"},
                         {"scan/look_back"},
                         {"matvec/team_per_row"},
                         {"transpose/wide"},
                         {"strided_copy/copy4"},
                         {"stencil1d/wide"},
                         {"multiply/streamed"},
                         {"multiply/pipelined", 80},
                         {"multiply/sliced", 80},
                         {"tensor/warp", 80},
                         {"tensor/warpgroup", 90, 90},
                         {"tensor/double_warp", 90},
                         {"tensor/half_warp", 80},
                         {"tensor/half_warpgroup", 90, 90},
                         {"tensor/small_warpgroup", 90, 90},
                         {"tensor/half_small_warpgroup", 90, 90},
                         {"smoothing/wide"},
                         {"pitched_rows/packed"}};

/// All GPU generations from the oldest that NVRTC 13 supports to the newest; unless thorough, only
/// that of the committed results.
std::vector<int> generations() {
    return test::is_thorough() ? std::vector{75, 80, 90, 100, 120} : std::vector{90};
}

class NvrtcBestVariant : public testing::TestWithParam<Best> {};

TEST_P(NvrtcBestVariant, SpillsOnNoArchitecture) {
    const auto all = backends();
    const auto cuda =
        std::ranges::find_if(all, [](const auto& backend) { return backend->name() == "cuda"; });
    if (cuda == all.end()) GTEST_SKIP() << "built without CUDA";
    const std::vector<int> known = (*cuda)->architectures();
    if (known.empty()) GTEST_SKIP() << "NVRTC is not here";
    const CasePick pick = parse_pick(GetParam().variant);
    RunConfig config;
    config.kernel_source = [](std::string_view file) { return kernel_source(file); };
    const auto& types = pick.variant->types.empty() ? pick.suite->types : pick.variant->types;
    const Case timed = make_case(*pick.suite, *pick.variant,
                                 shapes_of(*pick.suite, *pick.variant).back(), types.front());
    std::vector<Case> cases{timed};
    // Odd sizes where those have a build of their own.
    const Case odd = with_shape(timed, pick.suite->check_shapes.back());
    if (odd.constants != timed.constants ||
        kernels_of(plan_of(odd)) != kernels_of(plan_of(timed))) {
        cases.push_back(odd);
    }
    for (const Case& c : cases) {
        for (const int architecture : generations()) {
            if (std::ranges::find(known, architecture) == known.end()) continue;
            if (architecture < GetParam().oldest || architecture > GetParam().newest) continue;
            const BuiltCase built = build_for(**cuda, architecture, c, config);
            ASSERT_EQ(built.outcome.status, Status::ok) << built.outcome.reason;
            const auto predictions = predictions_of(built);
            ASSERT_EQ(predictions.size(), built.kernels.size());
            for (std::size_t i = 0; i < predictions.size(); ++i) {
                const OccupancyPrediction& one = predictions[i];
                const Resources& needs = built.kernels[i].resources.value();
                fmt::print("{:20} {:12} {:5} {:3} registers, {} bytes spilled, {}\n",
                           GetParam().variant, one.kernel, built.capability,
                           one.registers.value_or(0), needs.spill_bytes.value(),
                           one.prediction_text());
                EXPECT_EQ(needs.spill_bytes, 0u) << one.kernel << " on " << architecture;
                EXPECT_EQ(needs.private_bytes, 0u) << one.kernel << " on " << architecture;
                EXPECT_GT(one.predicted.value().groups, 0u) << one.kernel << " on " << architecture;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Suites, NvrtcBestVariant, testing::ValuesIn(best), [](const auto& one) {
    std::string name = one.param.variant;
    std::ranges::replace(name, '/', '_');
    return name;
});

}  // namespace
}  // namespace parallax::best_variants_test
