// The published figures: the table is whole, it speaks of variants that exist, and it is found.
#include "suites/published.hpp"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/suite.hpp"

namespace parallax {
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
}  // namespace parallax
