// Which constants are axes of which variant, and which choices are candidates.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "studies/sweep/sweep_points.hpp"
#include "suites/case_words.hpp"

namespace parallax::space_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

std::string text_of(std::string_view file) {
    return kernel_source(file, std::nullopt);
}

SweepRequest request_for(const char* word) {
    SweepRequest request;
    request.pick = parse_pick(word);
    request.type = request.pick.suite->types.front();
    return request;
}

std::vector<std::string> axes_of(const char* word) {
    return names(tune_points(request_for(word), text_of).axes);
}

TEST(TuneSpaceOf, OnlyConstantsThatAVariantUsesAreAxes) {
    EXPECT_THAT(axes_of("multiply/staged_ab"), ElementsAre("TILE"));
    EXPECT_THAT(axes_of("multiply/blocked"), ElementsAre("BLOCK", "DEPTH", "EACH", "SPARE"));
    EXPECT_THAT(axes_of("multiply/streamed"), Not(Contains("TILE")));
    EXPECT_THAT(axes_of("multiply/streamed"), Contains("UNROLL"));
    EXPECT_THAT(axes_of("reduction/sequential"), ElementsAre("GROUP"));
    EXPECT_THAT(axes_of("reduction/items"), ElementsAre("GROUP", "ITEMS"));
    EXPECT_THAT(axes_of("transpose/naive"), Not(Contains("PAD")));
    EXPECT_THAT(axes_of("transpose/tiled"), UnorderedElementsAre("TILE", "ROWS", "PAD"));
    EXPECT_THAT(axes_of("matvec/modern"), UnorderedElementsAre("GROUP", "TEAM", "ROWS"));
}

TEST(TuneSpaceOf, EverySuiteThatDeclaresValuesHasCandidates) {
    for (const Suite& suite : suites()) {
        const bool any = std::ranges::any_of(
            suite.constants, [](const ConstantSpec& spec) { return !spec.tuning_values.empty(); });
        if (!any) continue;
        for (const ConstantSpec& spec : suite.constants) {
            EXPECT_FALSE(!spec.tuning_values.empty() && spec.changes_answer)
                << suite.name << spec.name;
            for (const std::int64_t value : spec.tuning_values) {
                EXPECT_GE(value, spec.least) << suite.name << " " << spec.name;
                EXPECT_LE(value, spec.most) << suite.name << " " << spec.name;
            }
        }
        for (const Variant& variant : suite.variants) {
            SweepRequest request;
            request.pick = {&suite, &variant};
            request.type = suite.types.front();
            try {
                const SweepPoints space = tune_points(request, text_of);
                EXPECT_TRUE(space.own) << suite.name << "/" << variant.name;
                EXPECT_GT(space.points.size(), 1u) << suite.name << "/" << variant.name;
            } catch (const UsageError&) {
                // A variant that uses none of them has nothing to tune.
            }
        }
    }
}

TEST(TuneSpaceOf, WhatTheSuiteRefusesIsNoCandidate) {
    SweepRequest request = request_for("transpose/tiled");
    request.over = {"TILE=24,32", "ROWS=5,8,16"};
    request.defines = {{"PAD", 0}};
    const SweepPoints space = tune_points(request, text_of);
    EXPECT_EQ(space.points.size(), 3u) << "24: 8; 32: 8 and 16";
    EXPECT_EQ(space.refused, 3u);
    for (const Point& point : space.points) {
        EXPECT_EQ(point.values[0] % point.values[1], 0);
    }
    ASSERT_TRUE(space.own);
    EXPECT_EQ(space.label(space.points[*space.own]), "TILE=32 ROWS=8");
}

TEST(TuneSpaceOf, OverTakesTheDeclaredValuesPlace) {
    SweepRequest request = request_for("reduction/items");
    request.over = {"GROUP=96,160"};
    const SweepPoints space = tune_points(request, text_of);
    ASSERT_EQ(space.axes.size(), 2u);
    EXPECT_THAT(space.axes[0].values, ElementsAre(96, 160));
    EXPECT_FALSE(space.own) << "256 is not among them";
    request.over = {};
    request.defines = {{"ITEMS", 8}};
    EXPECT_THAT(names(tune_points(request, text_of).axes), ElementsAre("GROUP"));
}

TEST(TuneSpaceOf, WhatCannotBeIsRefused) {
    const auto refuses = [](const char* word, std::vector<std::string> over) {
        SweepRequest request = request_for(word);
        request.over = std::move(over);
        EXPECT_THROW(tune_points(request, text_of), UsageError) << word;
    };
    refuses("reduction/items", {"GROUP=32", "GROUP=64"});
    refuses("reduction/items", {"GROUP=1", "ITEMS=3"});
    refuses("multiply/streamed", {"WHOLE_FOURS=0,1"});
    refuses("reduction/items", {"GROUP=1..1000+1", "ITEMS=4..4096+4"});
}

}  // namespace
}  // namespace parallax::space_test
