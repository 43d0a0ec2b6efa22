// A diff as JSON.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/json_text.hpp"
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

TEST(CsvLine, WhatASpreadsheetWouldRunIsAText) {
    for (const std::string sign : {"=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20"}) {
        for (const std::string blank : {"", " ", "\u00a0", "\u3000 \ufeff", "\v"}) {
            const std::string cell = blank + sign + "1";
            EXPECT_TRUE(report::csv_line({cell}).starts_with("'")) << cell;
            EXPECT_EQ(report::csv_line({"a" + cell})[0], 'a');
        }
    }
    EXPECT_EQ(report::csv_line({"\tx", "\rx", "\nx"}), "'\tx,\"'\\rx\",\"'\nx\"\r\n");
    EXPECT_EQ(report::csv_line({-0.5, 1e-5, 3, Json(), true, "a \"b\", c", "\x1b"}),
              "-0.5,1e-05,3,,true,\"a \"\"b\"\", c\",\\x1b\r\n");
}

}  // namespace
}  // namespace parallax::diff_json_test
