// Tests distances between outputs: signs, denormals, NaN, infinity, ends of the ranges.
#include "measure/result_distance.hpp"

#include <bit>
#include <limits>

#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/tests/host_arrays.hpp"

namespace parallax::answers_test {
namespace {

using Distance = AnswerDistances;

template <class T>
HostArray array_of(const std::vector<T>& values) {
    HostArray array(element_type_of<T>(), values.size());
    std::ranges::copy(values, array.template as<T>().begin());
    return array;
}

template <class T>
Distance between(const std::vector<T>& a, const std::vector<T>& b) {
    AnswerDistance answers;
    answers.add(array_of(a), array_of(b), 0);
    return answers.distance();
}

template <class T>
double ulp(T a, T b) {
    const double forth = between<T>({a}, {b}).largest_ulp;
    EXPECT_EQ(forth, between<T>({b}, {a}).largest_ulp) << a << " and " << b;
    return forth;
}

const float inf = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();
const double infinite = std::numeric_limits<double>::infinity();

TEST(Answers, Floats) {
    const float tiny = std::numeric_limits<float>::denorm_min();
    const float most = std::numeric_limits<float>::max();
    EXPECT_EQ(ulp(1.0f, 1.0f), 0);
    EXPECT_EQ(ulp(1.0f, std::nextafter(1.0f, 2.0f)), 1);
    EXPECT_EQ(ulp(1.0f, 2.0f), 8388608);
    EXPECT_EQ(ulp(0.0f, -0.0f), 1);
    EXPECT_EQ(ulp(0.0f, tiny), 1);
    EXPECT_EQ(ulp(-0.0f, -tiny), 1);
    EXPECT_EQ(ulp(-tiny, tiny), 3) << "across both zeros";
    EXPECT_EQ(ulp(tiny, 3 * tiny), 2);
    EXPECT_EQ(ulp(most, inf), 1);
    EXPECT_EQ(ulp(-most, -inf), 1);
    EXPECT_EQ(ulp(inf, -inf), 2.0 * 0x7f800000 + 1);
    EXPECT_EQ(ulp(inf, inf), 0);
}

TEST(Answers, Doubles) {
    const double tiny = std::numeric_limits<double>::denorm_min();
    EXPECT_EQ(ulp(1.0, std::nextafter(1.0, 2.0)), 1);
    EXPECT_EQ(ulp(0.0, -0.0), 1);
    EXPECT_EQ(ulp(-tiny, tiny), 3);
    EXPECT_EQ(ulp(1.0, 2.0), 0x1p52);
    EXPECT_EQ(ulp(infinite, -infinite), 2.0 * 0x1.ffcp62 + 1);
    EXPECT_EQ(ulp(1.0, std::numeric_limits<double>::quiet_NaN()), infinite);
}

TEST(Answers, Integers) {
    const std::int32_t least = std::numeric_limits<std::int32_t>::min();
    const std::int32_t most = std::numeric_limits<std::int32_t>::max();
    EXPECT_EQ(ulp(least, most), 4294967295.0);
    EXPECT_EQ(ulp(-1, 1), 2);
    EXPECT_EQ(ulp(least, 0), 2147483648.0);
    EXPECT_EQ(ulp(7, 7), 0);
}

TEST(Answers, NotANumber) {
    EXPECT_EQ(ulp(nan, 1.0f), infinite);
    EXPECT_EQ(ulp(nan, inf), infinite);
    const float other = std::bit_cast<float>(0xffc00001u);
    const Distance d = between<float>({nan, nan}, {nan, other});
    EXPECT_EQ(d.largest_ulp, 0) << "a NaN is equal to a NaN";
    EXPECT_EQ(d.differing, 1u) << "but the bits differ";
    EXPECT_EQ(d.first, 1u);
    AnswerDistance answers;
    answers.add(array_of<float>({nan}), array_of<float>({other}), 0);
    EXPECT_FALSE(answers.identical());
}

TEST(Answers, TheFirstThatDiffers) {
    const Distance d = between<float>({1, 2, 3, 4}, {1, 2.5f, 3, 5});
    EXPECT_EQ(d.elements, 4u);
    EXPECT_EQ(d.differing, 2u);
    EXPECT_EQ(d.first, 1u);
    EXPECT_NE(d.first_a.find("2 "), std::string::npos) << d.first_a;
    EXPECT_NE(d.first_b.find("2.5"), std::string::npos) << d.first_b;
}

TEST(Answers, Identical) {
    AnswerDistance answers;
    EXPECT_TRUE(answers.identical());
    answers.add_identical(5);
    answers.add(array_of<float>({1, nan}), array_of<float>({1, nan}), 5);
    EXPECT_TRUE(answers.identical());
    const Distance d = answers.distance();
    EXPECT_EQ(d.elements, 7u);
    EXPECT_EQ(d.differing, 0u);
    EXPECT_EQ(d.largest_ulp, 0);
    EXPECT_EQ(d.median_ulp, 0);
    EXPECT_TRUE(d.first_a.empty());
}

TEST(Answers, MediansAreOfThoseThatDiffer) {
    const std::vector<std::int32_t> zeros(5);
    EXPECT_EQ(between<std::int32_t>(zeros, {0, 0, 3, 7, 9}).median_ulp, 7);
    EXPECT_EQ(between<std::int32_t>(zeros, {0, 0, 0, 3, 7}).median_ulp, 3) << "the lower of two";
    EXPECT_EQ(between<std::int32_t>(zeros, {0, 0, 0, 0, 255}).median_ulp, 255) << "exact so far";
    EXPECT_EQ(between<std::int32_t>(zeros, {0, 0, 0, 0, 256}).median_ulp, 256);
    EXPECT_EQ(between<std::int32_t>(zeros, {0, 0, 0, 0, 1000}).median_ulp, 512)
        << "a power of two beyond";
    EXPECT_EQ(between<float>({1, 1, 1}, {nan, nan, 1.5f}).median_ulp, infinite);
    EXPECT_EQ(between<float>({1, 1, 1}, {1.5f, 2.0f, nan}).largest_ulp, infinite);
    EXPECT_EQ(between<double>({-infinite}, {infinite}).median_ulp, 0x1p63) << "the last power";
}

TEST(Answers, PartsEqualTheWhole) {
    const std::vector<float> a{1, 2, 3, 4, 5, 6, 7}, b{1, 2, 3.5f, 4, nan, 6, 8};
    const Distance whole = between(a, b);
    for (std::size_t cut = 0; cut <= a.size(); ++cut) {
        AnswerDistance parts;
        const auto part = [&](std::size_t from, std::size_t to) {
            const auto of = [&](const std::vector<float>& all) {
                return array_of(std::vector<float>(all.begin() + static_cast<std::ptrdiff_t>(from),
                                                   all.begin() + static_cast<std::ptrdiff_t>(to)));
            };
            parts.add(of(a), of(b), from);
        };
        part(0, cut);
        part(cut, a.size());
        const Distance d = parts.distance();
        EXPECT_EQ(d.elements, whole.elements);
        EXPECT_EQ(d.differing, whole.differing);
        EXPECT_EQ(d.largest_ulp, whole.largest_ulp);
        EXPECT_EQ(d.median_ulp, whole.median_ulp);
        EXPECT_EQ(d.first, whole.first);
        EXPECT_EQ(d.first_a, whole.first_a);
        EXPECT_EQ(d.first_b, whole.first_b);
    }
}

TEST(AscendingRows, AreTheSameWhateverTheOrderWas) {
    const auto sorted = [](const std::vector<float>& values, std::uint64_t row) {
        BufferSpec spec{.name = "y"};
        spec.row = row;
        const HostArray made = ascending_rows(array_of(values), spec);
        const auto all = made.as<float>();
        return std::vector<float>(all.begin(), all.end());
    };
    EXPECT_EQ(sorted({3, -1, 2, -0.0f}, 1), (std::vector<float>{-1, -0.0f, 2, 3}));
    EXPECT_EQ(sorted({3, 1, 2, 9, 2, 8}, 2), (std::vector<float>{2, 8, 2, 9, 3, 1}));
    const std::vector<float> with_nan = sorted({nan, 1, -nan, inf}, 1);
    EXPECT_EQ(with_nan[1], 1.0f) << "a NaN has a place, too";
}

TEST(Answers, OfOneKindOnly) {
    AnswerDistance answers;
    EXPECT_THROW(answers.add(array_of<float>({1}), array_of<std::int32_t>({1}), 0), Error);
    EXPECT_THROW(answers.add(array_of<float>({1}), array_of<float>({1, 2}), 0), Error);
}

TEST(Answers, EveryElementType) {
    EXPECT_EQ(
        between<std::uint64_t>({0, ~std::uint64_t{0} - 1}, {0, ~std::uint64_t{0}}).largest_ulp, 1);
    EXPECT_EQ(between<std::uint64_t>({(std::uint64_t{1} << 63) - 1}, {std::uint64_t{1} << 63})
                  .largest_ulp,
              1);
    EXPECT_EQ(between<std::uint8_t>({255}, {0}).largest_ulp, 255);
    EXPECT_EQ(between<Half>({Half::of_bits(0x3c00)}, {Half::of_bits(0x3c02)}).largest_ulp, 2);
    EXPECT_EQ(between<Half>({Half::of_bits(0x8000)}, {Half::of_bits(0x0000)}).largest_ulp, 1);
    EXPECT_EQ(between<Half>({Half::of_bits(0x7e00)}, {Half::of_bits(0x7e01)}).largest_ulp, 0)
        << "any NaN for a NaN";
}

}  // namespace
}  // namespace parallax::answers_test
