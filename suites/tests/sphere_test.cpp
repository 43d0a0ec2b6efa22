// Tests that the suite sphere uses the published generator, and that its volumes are right.
#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/verification.hpp"
#include "suites/philox.hpp"

namespace parallax::sphere_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The known answers of Random123 for ten rounds.
TEST(Philox, KnownAnswers) {
    EXPECT_THAT(philox({0, 0, 0, 0}, {0, 0}),
                ElementsAre(0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u));
    EXPECT_THAT(philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
                ElementsAre(0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu));
    EXPECT_THAT(
        philox({0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}, {0xa4093822u, 0x299f31d0u}),
        ElementsAre(0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u));
}

Case sphere(const char* variant, std::uint64_t n, std::int64_t dimension = 3) {
    const Suite& suite = suite_named("sphere");
    return make_case(suite, variant_named(suite, variant), {{n}}, ElementType::i32,
                     {{"DIMENSION", dimension}});
}

std::uint64_t inside_of(const Case& c, std::uint64_t seed) {
    const auto expected = c.suite->reference(c, c.suite->inputs(c, input_patterns_of(c)[1], seed));
    return std::get<HostArray>(expected[0].values).as<std::uint64_t>()[0];
}

TEST(Sphere, StreamStartsWithTheKnownAnswer) {
    const Case c = sphere("stream", 6);
    std::vector<HostArray> in;
    in.emplace_back(ElementType::u32, 4);
    std::ranges::fill(in[0].as<std::uint32_t>(), 0u);
    const auto expected = c.suite->reference(c, in);
    const auto second = philox({1, 0, 0, 0}, {0, 0});
    EXPECT_THAT(
        std::get<HostArray>(expected[0].values).as<std::uint32_t>(),
        ElementsAre(0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u, second[0], second[1]));
}

TEST(Sphere, VolumesAreWithinFiveStandardErrors) {
    constexpr std::uint64_t n = 1 << 15;
    for (const int dimension : {1, 2, 3, 4, 5, 8}) {
        const double right =
            std::pow(std::numbers::pi, dimension / 2.0) / std::tgamma(dimension / 2.0 + 1);
        const double share = right / std::exp2(dimension);
        const double deviation = std::sqrt(share * (1 - share) / n);
        std::set<std::uint64_t> counts;
        for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
            const std::uint64_t inside = inside_of(sphere("count_tree", n, dimension), seed);
            counts.insert(inside);
            EXPECT_LE(std::abs(static_cast<double>(inside) / n - share), 5 * deviation)
                << dimension << " " << seed;
        }
        EXPECT_EQ(counts.size() > 1, dimension > 1) << "other seeds, other points";
    }
}

TEST(Sphere, RemarkTellsTheVolume) {
    const Case c = sphere("count_tree", 1000, 2);
    std::vector<Expected> expected(1);
    HostArray inside(ElementType::u64, 1);
    inside.as<std::uint64_t>()[0] = 785;
    expected[0].values = std::move(inside);
    const std::string remark = c.suite->summarize(c, expected);
    EXPECT_THAT(remark, HasSubstr("3.14;"));
    EXPECT_THAT(remark, HasSubstr("3.14159:"));
    EXPECT_THAT(remark, HasSubstr("0.03 standard errors"));
    EXPECT_EQ(c.suite->summarize(sphere("stream", 1000), expected), "");
}

TEST(Sphere, AllPointsAreCountedOnce) {
    for (const std::uint64_t n : {1, 7, 16384, 16385, 1 << 20}) {
        EXPECT_EQ(inside_of(sphere("count_global", n, 1), 3), n) << "a line is its own ball";
    }
}

}  // namespace
}  // namespace parallax::sphere_test
