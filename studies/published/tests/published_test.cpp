// The published figures: the table is whole, it speaks of variants that exist, and it is found.
#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/suite.hpp"
#include "studies/published/published_claims.hpp"

namespace parallax::published_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

bool has_member(const PublishedRow& row, const Published& p) {
    return std::ranges::any_of(row.members, [&](const RowMember& member) {
        return member.suite == p.suite &&
               (member.variants.empty() ||
                std::ranges::find(member.variants, p.variant) != member.variants.end());
    });
}

std::vector<double> values_of(const std::vector<const Published*>& figures) {
    std::vector<double> values;
    for (const Published* p : figures) values.push_back(p->value);
    return values;
}

TEST(Published, EveryFigureIsWhole) {
    for (const Published& p : published()) {
        const std::string what = p.suite + "/" + p.variant + p.row + " " + text_of(p);
        EXPECT_GT(p.value, 0) << what;
        ASSERT_NE(p.document, nullptr) << what;
        EXPECT_FALSE(p.document->author.empty() || p.document->title.empty()) << what;
        EXPECT_EQ(p.suite.empty(), p.variant.empty()) << what;
        EXPECT_EQ(p.suite.empty(), !p.row.empty()) << what;
        EXPECT_EQ(p.unit == Unit::times_slower, !p.against.empty()) << what;
        // Without a variant the figure says what it is of.
        EXPECT_FALSE(p.suite.empty() && p.figure.empty()) << what;
    }
}

TEST(Published, EveryFigureBelongsToARow) {
    for (const Published& p : published()) {
        EXPECT_TRUE(std::ranges::any_of(published_rows(),
                                        [&](const PublishedRow& row) {
                                            return p.suite.empty() ? row.name == p.row
                                                                   : has_member(row, p);
                                        }))
            << p.suite << "/" << p.variant << p.row;
    }
}

TEST(Published, NoFigureStandsTwice) {
    for (const Published& a : published()) {
        EXPECT_EQ(std::ranges::count_if(published(),
                                        [&](const Published& b) {
                                            return a.suite == b.suite && a.variant == b.variant &&
                                                   a.shape == b.shape && a.device == b.device &&
                                                   a.constants == b.constants &&
                                                   a.figure == b.figure;
                                        }),
                  1)
            << a.suite << "/" << a.variant << " " << text_of(a);
    }
}

TEST(Published, RowsHaveNamesAndCommands) {
    std::set<std::string> names;
    EXPECT_THAT(published_rows(), SizeIs(20));
    for (const PublishedRow& row : published_rows()) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_EQ(row.name.find(' '), std::string::npos) << row.name;
        EXPECT_FALSE(row.title.empty() || row.shows.empty()) << row.name;
        EXPECT_THAT(row.commands, Not(IsEmpty())) << row.name;
        for (const std::string& command : row.commands)
            EXPECT_THAT(command, StartsWith("parallax "));
    }
}

// What a figure names can be run as it was published.
TEST(PublishedInSuites, EveryFiguresCaseCanBeMade) {
    for (const Published& p : published()) {
        if (p.suite.empty()) continue;
        const auto suite = std::ranges::find(suites(), p.suite, &Suite::name);
        if (suite == suites().end()) {
            ADD_FAILURE() << "There is no suite " << p.suite << ".";
            continue;
        }
        const auto variant = std::ranges::find(suite->variants, p.variant, &Variant::name);
        if (variant == suite->variants.end()) {
            ADD_FAILURE() << "There is no variant " << p.suite << "/" << p.variant << ".";
            continue;
        }
        const Shape shape = p.shape.empty() ? suite->shapes.front() : Shape{p.shape};
        EXPECT_NO_THROW(make_case(*suite, *variant, shape, suite->types.front(), p.constants));
        EXPECT_NO_THROW(make_case(*suite, *variant, shape, suite->types.front(), p.against));
    }
}

TEST(PublishedInSuites, EveryMemberOfARowExists) {
    for (const PublishedRow& row : published_rows()) {
        for (const RowMember& member : row.members) {
            const auto suite = std::ranges::find(suites(), member.suite, &Suite::name);
            if (suite == suites().end()) {
                ADD_FAILURE() << row.name << ": there is no suite " << member.suite << ".";
                continue;
            }
            for (const std::string& name : member.variants) {
                EXPECT_NE(std::ranges::find(suite->variants, name, &Variant::name),
                          suite->variants.end())
                    << member.suite << "/" << name;
            }
        }
    }
}

/// Whether the case can be made as it is spoken of.
void expect_can_be(const ClaimedCase& c, const std::string& what) {
    const auto suite = std::ranges::find(suites(), c.suite, &Suite::name);
    ASSERT_NE(suite, suites().end()) << what;
    const auto variant = std::ranges::find(suite->variants, c.variant, &Variant::name);
    ASSERT_NE(variant, suite->variants.end()) << what << ": " << c.suite << "/" << c.variant;
    const Shape shape = c.shape.empty() ? suite->shapes.front() : Shape{c.shape};
    EXPECT_NO_THROW(make_case(*suite, *variant, shape, suite->types.front(), c.constants)) << what;
}

TEST(Claims, AreWhole) {
    std::set<std::string> names;
    for (const Claim& claim : claims()) {
        EXPECT_TRUE(names.insert(claim.name).second) << claim.name;
        EXPECT_NE(std::ranges::find(published_rows(), claim.row, &PublishedRow::name),
                  published_rows().end())
            << claim.name;
        EXPECT_TRUE(claim.says.ends_with('.')) << claim.name;
        EXPECT_NE(claim.document, nullptr) << claim.name;
        EXPECT_THAT(claim.steps, Not(IsEmpty())) << claim.name;
        for (const ClaimStep& step : claim.steps) {
            EXPECT_NE(step.slow, step.fast) << claim.name;
            expect_can_be(step.slow, claim.name);
            expect_can_be(step.fast, claim.name);
            // What is said is found in the table of figures, or in words.
            EXPECT_THAT(published_factors(step), Not(IsEmpty())) << claim.name;
        }
    }
}

bool speaks_of(const ClaimedCase& c, const Published& p) {
    return c.suite == p.suite && c.variant == p.variant && c.shape == p.shape &&
           std::ranges::all_of(p.constants, [&](const Constant& constant) {
               return std::ranges::find(c.constants, constant) != c.constants.end();
           });
}

// Every figure of a variant takes part in a claim: nothing that was published goes unjudged.
TEST(Claims, CoverEveryFigureOfAVariant) {
    for (const Published& p : published()) {
        // Transfers are not what the ladder is about; the theoretical figure was not measured.
        if (p.suite.empty() || p.figure == "overall" || p.figure == "theoretical") continue;
        std::size_t steps = 0;
        for (const Claim& claim : claims()) {
            steps += static_cast<std::size_t>(
                std::ranges::count_if(claim.steps, [&](const ClaimStep& step) {
                    return speaks_of(step.slow, p) || speaks_of(step.fast, p);
                }));
        }
        EXPECT_GT(steps, 0u) << p.suite << "/" << p.variant << " " << text_of(p);
    }
}

const Claim& claim_named(const std::string& name) {
    const auto found = std::ranges::find(claims(), name, &Claim::name);
    if (found == claims().end()) throw std::runtime_error("no claim " + name);
    return *found;
}

TEST(PublishedFactors, AreThoseOfTheFigures) {
    const auto first = published_factors(claim_named("transpose").steps[0]);
    ASSERT_THAT(first, SizeIs(2));
    EXPECT_EQ(first[0].source, "GeForce GTX 280");
    EXPECT_NEAR(*first[0].factor, 24.8 / 1.1, 1e-9);
    EXPECT_NEAR(*first[1].factor, 13.3 / 0.4, 1e-9);
    EXPECT_NEAR(*published_factors(claim_named("six kernels").steps[1])[0].factor, 135.5 / 99.7,
                1e-9);
    EXPECT_NEAR(*published_factors(claim_named("ladder, groups of 32").steps[0])[0].factor,
                29.8 / 24.2, 1e-9)
        << "of the kernel only";
    const auto offset = published_factors(claim_named("offset").steps[0]);
    ASSERT_THAT(offset, SizeIs(2));
    EXPECT_EQ(offset[0].text, "1.70x");
    EXPECT_EQ(offset[1].factor, 8);
    EXPECT_NEAR(*published_factors(claim_named("link and card").steps[0])[0].factor, 141.0 / 8,
                1e-9);
    const auto words = published_factors(claim_named("stencil").steps[0]);
    ASSERT_THAT(words, SizeIs(1));
    EXPECT_EQ(words[0].factor, std::nullopt);
}

TEST(PublishedFactors, OfTheWholeWay) {
    const auto whole = all_steps(claim_named("six kernels"));
    ASSERT_TRUE(whole);
    EXPECT_NEAR(*published_factors(*whole)[0].factor, 135.9 / 21.7, 1e-9);
    EXPECT_FALSE(all_steps(claim_named("offset"))) << "one step";
    EXPECT_FALSE(all_steps(claim_named("smoothing"))) << "no chain";
    EXPECT_FALSE(all_steps(claim_named("trees"))) << "factors in words do not multiply";
}

TEST(Judge, OfAGain) {
    using enum ShapeVerdict;
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
    using enum ShapeVerdict;
    EXPECT_EQ(judge(1, 1.04), kept);
    EXPECT_EQ(judge(1.01, 1.2), gain);
    EXPECT_EQ(judge(0.99, 0.8), loss);
    EXPECT_EQ(judge(0.5, 0.5), kept);
    EXPECT_EQ(judge(0.5, 2), reversed);
    EXPECT_EQ(judge(0.5, 1), gone);
}

TEST(Judge, TheSmallestPublishedGainCounts) {
    const std::vector<PublishedFactor> factors{{"a", 8, ""}, {"b", 1.7, ""}};
    EXPECT_EQ(judge(factors, 1.4), ShapeVerdict::kept);
    EXPECT_EQ(judge(std::vector<PublishedFactor>{{"a", 8, ""}}, 1.4), ShapeVerdict::smaller);
    EXPECT_EQ(judge(std::vector<PublishedFactor>{{"in words", {}, ""}}, 1.4), ShapeVerdict::kept);
}

TEST(Experiments, AreWhole) {
    for (const Experiment& e : experiments()) {
        EXPECT_TRUE(e.question.ends_with('?')) << e.question;
        EXPECT_THAT(e.command, StartsWith("parallax ")) << e.question;
        EXPECT_THAT(e.claims, Not(IsEmpty())) << e.question;
        for (const std::string& name : e.claims) EXPECT_NO_THROW(claim_named(name));
        EXPECT_THAT(e.evidence, Not(IsEmpty())) << e.question;
        for (const Evidence& evidence : e.evidence) {
            using enum Evidence::Kind;
            expect_can_be(evidence.of, e.question);
            EXPECT_EQ(evidence.kind == step, !evidence.fast.suite.empty()) << e.question;
            if (evidence.kind == step) expect_can_be(evidence.fast, e.question);
            EXPECT_EQ(evidence.kind == asked, evidence.per_byte + evidence.per_operation > 0)
                << e.question;
            EXPECT_EQ(evidence.kind == launches, evidence.count > 0) << e.question;
            // A number of bytes wants a reason, and the suite's command makes the record.
            EXPECT_FALSE(evidence.kind == asked && evidence.because.empty()) << e.question;
            EXPECT_THAT(e.command, HasSubstr(evidence.of.suite)) << e.question;
        }
    }
}

TEST(PublishedFor, ConstantsThatTheFigureNamesMustAgree) {
    const std::vector<Constant> as_published{{"GROUP", 128}, {"ALIGN", 16}};
    EXPECT_THAT(values_of(published_for("multiply_ladder", "four_columns", as_published)),
                ElementsAre(134.6, 169.1));
    EXPECT_THAT(published_for("multiply_ladder", "four_columns", {{"GROUP", 256}}), IsEmpty());
    EXPECT_THAT(published_for("multiply_ladder", "four_columns", {}), IsEmpty());
    EXPECT_THAT(values_of(published_for("strided_copy", "offset", {{"OFFSET", 1}})),
                ElementsAre(1.7, 8));
}

TEST(PublishedFor, TheShapeMustAgreeWhereItIsSaid) {
    const std::vector<Constant> constants{{"GROUP", 512}, {"GROUPS", 60}};
    EXPECT_THAT(values_of(published_for("matvec", "warp", constants, {1100, 100'000})),
                ElementsAre(21.7));
    EXPECT_THAT(values_of(published_for("matvec", "warp", constants)), ElementsAre(21.7));
    EXPECT_THAT(published_for("matvec", "warp", constants, {1100, 1000}), IsEmpty());
    EXPECT_THAT(values_of(published_for("smoothing", "padded", {}, {1024, 664})), ElementsAre(13));
    EXPECT_THAT(values_of(published_for("transpose", "naive", {}, {5, 7})), ElementsAre(1.1, 0.4));
}

TEST(PublishedFor, WhatWasNotPublishedIsNotFound) {
    EXPECT_THAT(published_for("reduction", "vector", {}), IsEmpty());
    EXPECT_THAT(published_for("", "", {}), IsEmpty());
}

TEST(PublishedSentences, AreGroupedByDeviceAndSaidOnce) {
    const std::vector<ReportedCase> cases{{"transpose", "naive", {}, {8, 8}},
                                          {"transpose", "naive", {}, {16, 16}},
                                          {"transpose", "padded", {}, {8, 8}},
                                          {"reduction", "vector", {}, {8}}};
    EXPECT_THAT(published_sentences(cases),
                ElementsAre("transpose: naive 1.1 GB/s, padded 30.3 GB/s on GeForce GTX 280 "
                            "(NVIDIA, \"OpenCL Optimization\", no date).",
                            "transpose: naive 0.4 GB/s, padded 15.6 GB/s on Quadro FX 5600 "
                            "(NVIDIA, \"OpenCL Optimization\", no date)."));
    EXPECT_THAT(published_sentences({}), IsEmpty());
}

TEST(PublishedSentences, SayTheCircumstances) {
    const auto sentences =
        published_sentences({{"multiply_ladder", "plain", {{"GROUP", 64}}, {4096, 4096, 4096}},
                             {"strided_copy", "offset", {{"OFFSET", 1}}, {100}}});
    ASSERT_THAT(sentences, SizeIs(4));
    EXPECT_EQ(sentences[0],
              "multiply_ladder: plain 26.0 GFLOP/s, overall with 4096x4096x4096, GROUP=64 on a GPU "
              "that is not named (V. Kindratenko, The American University in Cairo, "
              "\"Introduction to GPU Programming (part IV)\", December 2010).");
    EXPECT_THAT(sentences[2], HasSubstr("1.7 times slower than with OFFSET=0 with OFFSET=1"));
}

}  // namespace
}  // namespace parallax::published_test
