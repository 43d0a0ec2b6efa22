// The best variants of the suites as NVIDIA's compiler makes them for every architecture that it
// knows: none keeps values in memory that belong in registers. It takes no GPU.
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "studies/build/built_case.hpp"
#include "studies/occupancy/prediction.hpp"
#include "suites/case_words.hpp"

namespace parallax::best_variants_test {
namespace {

constexpr const char* best[] = {
    "reduction/vector", "scan/reduce_then_scan", "scan/look_back", "matvec/team_per_row",
    "transpose/wide",   "strided_copy/copy4",    "stencil1d/wide", "multiply/streamed",
    "smoothing/wide",   "pitched_rows/packed"};

class NvrtcBestVariant : public testing::TestWithParam<const char*> {};

TEST_P(NvrtcBestVariant, SpillsOnNoArchitecture) {
    const auto all = backends();
    const auto cuda =
        std::ranges::find_if(all, [](const auto& backend) { return backend->name() == "cuda"; });
    if (cuda == all.end()) GTEST_SKIP() << "built without CUDA";
    if ((*cuda)->architectures().empty()) GTEST_SKIP() << "NVRTC is not here";
    const CasePick pick = parse_pick(GetParam());
    RunContext context;
    context.kernel_text = [](std::string_view file) { return kernel_text(file); };
    for (const Shape& shape :
         {shapes_of(*pick.suite, *pick.variant).back(), pick.suite->check_shapes.back()}) {
        const Case c = make_case(*pick.suite, *pick.variant, shape, pick.suite->types.front());
        for (const int architecture : (*cuda)->architectures()) {
            const BuiltCase built = build_for(**cuda, architecture, c, context);
            ASSERT_EQ(built.outcome.status, Status::ok) << built.outcome.reason;
            const auto predictions = predictions_of(built);
            ASSERT_EQ(predictions.size(), built.kernels.size());
            for (std::size_t i = 0; i < predictions.size(); ++i) {
                const OccupancyPrediction& one = predictions[i];
                const Resources& needs = built.kernels[i].resources.value();
                fmt::print("{:20} {:12} {:5} {:3} registers, {} bytes spilled, {}\n", GetParam(),
                           one.kernel, built.capability, one.registers.value_or(0),
                           needs.spill_bytes.value(), one.prediction_text());
                EXPECT_EQ(needs.spill_bytes, 0u) << one.kernel << " on " << architecture;
                EXPECT_EQ(needs.private_bytes, 0u) << one.kernel << " on " << architecture;
                // What the calculator's tables do not have yet is held against spills alone.
                ASSERT_EQ(one.predicted.has_value(), limits_of(built.capability).has_value());
                if (one.predicted) EXPECT_GT(one.predicted->groups, 0u) << one.kernel;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Suites, NvrtcBestVariant, testing::ValuesIn(best), [](const auto& one) {
    std::string name = one.param;
    std::ranges::replace(name, '/', '_');
    return name;
});

}  // namespace
}  // namespace parallax::best_variants_test
