// A diff as JSON.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/report.hpp"
#include "studies/diff/tests/kept.hpp"

namespace parallax::diff_json_test {
namespace {

using namespace test;

TEST(DiffJson, HasVerdictsAndDecisions) {
    Kept other;
    other.variant = "other";
    std::vector<Kept> a = runs_of({1e-3, 1e-3});
    a.push_back(other);
    const Json json = to_json(diff_of(a, runs_of({1e-3, 1e-3}, on_cuda()), {.max_slowdown = 0.05}));
    EXPECT_EQ(json["schema"], "parallax.diff");
    EXPECT_EQ(json["cases"][0]["verdict"], "SAME");
    EXPECT_EQ(json["cases"][0]["decision"], "pass");
    EXPECT_EQ(json["cases"][1]["verdict"], "NOT COMPARABLE");
    EXPECT_EQ(json["cases"][1]["b"]["status"], "missing");
    EXPECT_TRUE(json["cases"][1]["ratio"].is_null());
    EXPECT_EQ(json["summary"]["counts"]["SAME"], 1);
}

}  // namespace
}  // namespace parallax::diff_json_test
