// The published results: the table is complete, names existing variants, and is found.
#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/suite/suite.hpp"
#include "studies/published/then_and_now.hpp"

namespace parallax::published_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

std::vector<double> values_of(const std::vector<const Published*>& figures) {
    std::vector<double> values;
    for (const Published* p : figures) values.push_back(p->value);
    return values;
}

std::string name_of_figure(const Published& p) {
    return words_of(p.key) + " " + p.text;
}

/// Whether the case can be made as it is spoken of.
void expect_can_be(const CaseKey& c, const std::string& what) {
    const auto suite = std::ranges::find(suites(), c.suite, &Suite::name);
    ASSERT_NE(suite, suites().end()) << what;
    const auto variant = std::ranges::find(suite->variants, c.variant, &Variant::name);
    ASSERT_NE(variant, suite->variants.end()) << what << ": " << c.suite << "/" << c.variant;
    const Shape shape = c.shape.empty() ? suite->shapes.front() : Shape{c.shape};
    EXPECT_NO_THROW(make_case(*suite, *variant, shape, suite->types.front(), c.constants)) << what;
}

// Each is listed once, and can be run as it was published.
TEST(Published, EveryFigureIsWhole) {
    constexpr std::string_view against = "times slower than with ";
    for (const Published& p : published()) {
        const std::string what = name_of_figure(p);
        EXPECT_GT(p.value, 0) << what;
        EXPECT_FALSE(p.unit.empty() || p.document.empty()) << what;
        expect_can_be(p.key, what);
        if (p.unit.starts_with(against)) {
            expect_can_be(case_named(p.key.name() + " " + p.unit.substr(against.size())), what);
        }
        EXPECT_EQ(std::ranges::count_if(published(),
                                        [&](const Published& b) {
                                            return p.key == b.key && p.device == b.device &&
                                                   p.figure == b.figure;
                                        }),
                  1)
            << what;
    }
}

TEST(Published, CasesAreReadAndWritten) {
    for (const char* words : {"matvec/warp GROUP=512 GROUPS=60 1100x100000", "transpose/naive",
                              "smoothing/padded 1024x664"}) {
        EXPECT_EQ(words_of(case_named(words)), words);
    }
    EXPECT_EQ(case_named("reduction/items GROUP=64 2^26"),
              (CaseKey{"reduction", "items", "", {1u << 26}, {{"GROUP", 64}}}));
    EXPECT_THROW(case_named("reduction/items large"), UsageError);
}

const PublishedRow& row_named(std::string_view name) {
    const auto found = std::ranges::find(published_rows(), name, &PublishedRow::name);
    if (found == published_rows().end()) throw std::runtime_error("no such row");
    return *found;
}

const Claim& claim_named(const std::string& name) {
    for (const PublishedRow& row : published_rows()) {
        const auto found = std::ranges::find(row.claims, name, &Claim::name);
        if (found != row.claims.end()) return *found;
    }
    throw std::runtime_error("no claim " + name);
}

TEST(Published, EveryRowIsWhole) {
    std::set<std::string> names, claims;
    EXPECT_THAT(published_rows(), SizeIs(20));
    for (const PublishedRow& row : published_rows()) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_EQ(row.name.find(' '), std::string::npos) << row.name;
        EXPECT_FALSE(row.title.empty() || row.shows.empty() || row.commands.empty()) << row.name;
        EXPECT_THAT(row.commands, testing::Each(StartsWith("parallax ")));
        for (const Claim& claim : row.claims) {
            EXPECT_TRUE(claims.insert(claim.name).second) << claim.name;
            EXPECT_TRUE(claim.says.ends_with('.')) << claim.name;
            EXPECT_FALSE(claim.document.empty() || claim.steps.empty()) << claim.name;
            for (const PublishedStep& step : claim.steps) {
                expect_can_be(step.fast, claim.name);
                if (!step.compares()) continue;
                EXPECT_NE(step.slow, step.fast) << claim.name;
                expect_can_be(step.slow, claim.name);
                // Every claim is backed by a result, or by words.
                EXPECT_THAT(published_factors(claim, step), Not(IsEmpty())) << claim.name;
            }
        }
    }
}

TEST(Published, WhatIsSaidOfTheLadderIsWhatItsFiguresSay) {
    for (const int group : {32, 64, 128, 256}) {
        const auto gain = [&](std::string_view from, std::string_view to) -> std::optional<double> {
            double values[2] = {};
            for (const Published& p : published()) {
                const bool is_of = p.key.suite == "multiply_ladder" && p.figure == "kernel only" &&
                                   std::ranges::find(p.key.constants, Constant{"GROUP", group}) !=
                                       p.key.constants.end();
                if (is_of && p.key.variant == from) values[0] = p.value;
                if (is_of && p.key.variant == to) values[1] = p.value;
            }
            if (values[0] == 0 || values[1] == 0) return {};
            return values[1] / values[0];
        };
        const Claim& claim = claim_named(fmt::format("ladder, groups of {}", group));
        SCOPED_TRACE(claim.name);
        const auto says = [&](std::string_view words) {
            return claim.says.find(words) != claim.says.npos;
        };
        EXPECT_GT(gain("plain", "strip_of_c").value(), 1.1);
        const auto two = gain("strip_of_c", "two_rows"), four = gain("two_rows", "four_rows");
        const auto columns = gain("four_rows", "two_columns");
        EXPECT_EQ(says("two values of i gain again"), two.value_or(1) > 1.1);
        EXPECT_EQ(says("more values of i gain nothing"), two && *two < 1.05);
        EXPECT_LT(four.value_or(1), 1.05);
        EXPECT_EQ(says("every doubling of the values of j"), columns.has_value());
    }
}

// Nothing that was published is left out: every result is in the table of a row.
TEST(Published, EveryFigureIsShown) {
    std::string all;
    const Today none({});
    for (const PublishedRow& row : published_rows()) {
        const ThenAndNow view = then_and_now(row, none);
        EXPECT_THAT(view.places, IsEmpty());
        for (const ThenNowLine& line : view.lines) {
            for (std::size_t i = 0; i < line.then.size(); ++i) {
                all += fmt::format("[{}: {}]", view.sources[i], line.then[i].figure);
            }
        }
    }
    for (const Published& p : published()) {
        EXPECT_THAT(all, HasSubstr(fmt::format(
                             "[{}: {}]", p.device.empty() ? "GPU not named" : p.device, p.text)));
    }
}

std::vector<PublishedFactor> factors(const std::string& claim, std::size_t step) {
    return published_factors(claim_named(claim), claim_named(claim).steps.at(step));
}

TEST(PublishedFactors, AreThoseOfTheFigures) {
    const auto first = factors("transpose", 0);
    ASSERT_THAT(first, SizeIs(2));
    EXPECT_EQ(first[0].source, "GeForce GTX 280");
    EXPECT_NEAR(*first[0].factor, 24.8 / 1.1, 1e-9);
    EXPECT_NEAR(*first[1].factor, 13.3 / 0.4, 1e-9);
    EXPECT_NEAR(*factors("six kernels", 1)[0].factor, 135.5 / 99.7, 1e-9);
    EXPECT_NEAR(*factors("six kernels", 5)[0].factor, 135.9 / 21.7, 1e-9) << "the whole way";
    EXPECT_NEAR(*factors("ladder, groups of 32", 0)[0].factor, 29.8 / 24.2, 1e-9)
        << "of the kernel only";
    const auto offset = factors("offset", 0);
    ASSERT_THAT(offset, SizeIs(2));
    EXPECT_EQ(offset[0].text, "1.70x");
    EXPECT_EQ(offset[1].factor, 8);
    EXPECT_NEAR(*factors("link and card", 0)[0].factor, 141.0 / 8, 1e-9);
    const auto words = factors("stencil", 0);
    ASSERT_THAT(words, SizeIs(1));
    EXPECT_EQ(words[0].factor, std::nullopt);
}

TEST(Judge, OfAGain) {
    using enum Kept;
    EXPECT_EQ(judge(2, 2.0), kept);
    EXPECT_EQ(judge(2, 1.5), kept);
    EXPECT_EQ(judge(2, 1.49), smaller);
    EXPECT_EQ(judge(2, 1.051), smaller);
    EXPECT_EQ(judge(2, 1.05), gone);
    EXPECT_EQ(judge(2, 0.96), gone);
    EXPECT_EQ(judge(2, 0.95), reversed);
    EXPECT_EQ(judge(1.1, 1.055), kept) << "half of a tenth";
    EXPECT_EQ(judge(1.1, 1.045), gone) << "nearer to 1 than counts";
    EXPECT_EQ(judge(std::nullopt, 1.06), kept);
    EXPECT_EQ(judge(std::nullopt, 1.0), gone);
    EXPECT_EQ(judge(std::nullopt, 0.5), reversed);
}

TEST(Judge, OfNoDifferenceAndOfALoss) {
    using enum Kept;
    EXPECT_EQ(judge(1, 1.04), kept);
    EXPECT_EQ(judge(1.01, 1.2), gain);
    EXPECT_EQ(judge(0.99, 0.8), loss);
    EXPECT_EQ(judge(0.5, 0.5), kept);
    EXPECT_EQ(judge(0.5, 2), reversed);
    EXPECT_EQ(judge(0.5, 1), gone);
}

TEST(PublishedFor, ConstantsThatTheFigureNamesMustAgree) {
    const auto of_ladder = [](Constants constants) {
        return published_for({.suite = "multiply_ladder",
                              .variant = "four_columns",
                              .constants = std::move(constants)});
    };
    EXPECT_THAT(values_of(of_ladder({{"GROUP", 128}, {"ALIGN", 16}})), ElementsAre(134.6, 169.1));
    EXPECT_THAT(of_ladder({{"GROUP", 256}}), IsEmpty());
    EXPECT_THAT(of_ladder({}), IsEmpty());
    EXPECT_THAT(values_of(published_for(case_named("strided_copy/offset OFFSET=1"))),
                ElementsAre(1.7, 8));
}

TEST(PublishedFor, TheShapeMustAgreeWhereItIsSaid) {
    const std::string warp = "matvec/warp GROUP=512 GROUPS=60";
    EXPECT_THAT(values_of(published_for(case_named(warp + " 1100x100000"))), ElementsAre(21.7));
    EXPECT_THAT(values_of(published_for(case_named(warp))), ElementsAre(21.7));
    EXPECT_THAT(published_for(case_named(warp + " 1100x1000")), IsEmpty());
    EXPECT_THAT(values_of(published_for(case_named("smoothing/padded 1024x664"))), ElementsAre(13));
    EXPECT_THAT(values_of(published_for(case_named("transpose/naive 5x7"))), ElementsAre(1.1, 0.4));
}

TEST(PublishedFor, WhatWasNotPublishedIsNotFound) {
    EXPECT_THAT(published_for(case_named("reduction/vector")), IsEmpty());
    EXPECT_THAT(published_for({}), IsEmpty());
}

/// A record of a transpose on a device.
Record record(const char* variant, double seconds, const char* device = "Card",
              const char* backend = "cuda") {
    Record record{.key = {"transpose", variant, "float", {1024, 1024}},
                  .status = Status::ok,
                  .where = {.name = device, .backend = backend},
                  .run = {.started = "2026-01-01T00:00:00Z"},
                  .timing = Timing{.estimate = {.median = seconds}},
                  .work = {.bytes = 8e6}};
    return record;
}

ThenAndNow view_of(const char* row, const std::vector<Record>& records) {
    return then_and_now(row_named(row), Today(records));
}

const ThenNowLine& line_of(const ThenAndNow& view, const std::string& what) {
    const auto found = std::ranges::find(view.lines, what, &ThenNowLine::what);
    if (found == view.lines.end()) throw std::runtime_error(what);
    return *found;
}

TEST(ThenAndNow, FiguresFactorsAndVerdictsStandInOneLine) {
    const ThenAndNow view = view_of(
        "transpose", {record("naive", 12e-3), record("tiled", 3e-3), record("padded", 2.9e-3),
                      record("naive", 4e-3, "Card", "opencl"), record("tiled", 4e-3, "A", "cuda")});
    EXPECT_THAT(view.sources, ElementsAre("GeForce GTX 280", "Quadro FX 5600"));
    ASSERT_THAT(view.places, SizeIs(3));
    EXPECT_EQ(view.places[1].title(), "Card, opencl") << "by device, OpenCL first";
    const ThenNowLine& tiled = line_of(view, "naive -> tiled");
    EXPECT_EQ(tiled.then[0].figure, "24.8 GB/s");
    EXPECT_EQ(tiled.then[0].factor, "22.5x");
    EXPECT_EQ(tiled.now[2].figure, "3.00 ms, 2.67 GB/s, size 1024x1024");
    EXPECT_EQ(tiled.now[2].factor, "4.00x");
    EXPECT_EQ(tiled.now[2].kept, Kept::smaller);
    EXPECT_EQ(tiled.now[1].figure, "") << "never measured by this API";
    EXPECT_EQ(tiled.now[0].kept, std::nullopt) << "what it is compared with was never measured";
    EXPECT_EQ(line_of(view, "tiled -> padded").now[2].kept, Kept::gone);
    EXPECT_EQ(view.outcome(*tiled.claim, view.places[2]), "2 smaller; 1 gone");
    EXPECT_EQ(view.outcome(*tiled.claim, view.places[0]), "");
}

TEST(ThenAndNow, OfSeveralCardsTheSmallestGainCounts) {
    Record slow = record("offset", 1.4e-3), fast = record("offset", 1e-3);
    slow.key.suite = fast.key.suite = "strided_copy";
    slow.key.shape = fast.key.shape = {1 << 20};
    slow.key.constants = {{"OFFSET", 1}};
    fast.key.constants = {{"OFFSET", 0}};
    // 1.7x and 8x were published; 1.4x is more than half of what 1.7x gains.
    EXPECT_EQ(
        line_of(view_of("strided_copy", {slow, fast}), "strided_copy/offset OFFSET=1 -> OFFSET=0")
            .now.at(0)
            .kept,
        Kept::kept);
}

TEST(ThenAndNow, SizesAndConstantsThatDifferAreNotCompared) {
    Record tiled = record("tiled", 3e-3);
    tiled.key.shape = {2048, 2048};
    EXPECT_EQ(line_of(view_of("transpose", {record("naive", 1e-3), tiled}), "naive -> tiled")
                  .now.at(0)
                  .kept,
              std::nullopt);
    tiled.key.shape = {1024, 1024};
    tiled.key.constants = {{"TILE", 8}};
    const ThenAndNow view = view_of("transpose", {record("padded", 1e-3), tiled});
    Record edited = record("tiled", 1e-3);
    edited.program.edits = {"an edit"};
    EXPECT_THAT(line_of(view, "naive -> tiled").now.at(0).figure, HasSubstr("TILE=8"));
    EXPECT_THAT(view_of("transpose", {edited}).places, IsEmpty()) << "another kernel";
}

TEST(ThenAndNow, OccupancyIsWorkedOut) {
    EXPECT_THAT(view_of("occupancy", {}).also,
                testing::AllOf(SizeIs(5), testing::Each(testing::EndsWith(": kept"))));
}

}  // namespace
}  // namespace parallax::published_test
