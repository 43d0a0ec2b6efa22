// The comparison with the reference: what passes, and what does not.
#include "common/compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

namespace parallax {
namespace {

constexpr float nan_f = std::numeric_limits<float>::quiet_NaN();
constexpr float inf_f = std::numeric_limits<float>::infinity();

template <class T>
HostArray array(std::initializer_list<T> values) {
    HostArray made(element_type_of<T>(), values.size());
    std::copy(values.begin(), values.end(), made.as<T>().begin());
    return made;
}

Comparison exact(std::initializer_list<float> got, std::initializer_list<float> right,
                 Tolerance tolerance = Tolerance::exact()) {
    return compare(array(got), {array(right), {}}, tolerance);
}

TEST(Compare, EqualIsRight) {
    const Comparison c = exact({1, -2, 0}, {1, -2, 0});
    EXPECT_FALSE(c.mismatch);
    EXPECT_EQ(c.worst_share, 0);
    EXPECT_EQ(c.worst_ulp, 0);
}

TEST(Compare, OneUlpIsWrongWhereItMustBeExact) {
    const Comparison c = exact({1, std::nextafter(2.0f, 3.0f), 3}, {1, 2, 3});
    ASSERT_TRUE(c.mismatch);
    EXPECT_EQ(c.mismatch->index, 1u);
    EXPECT_EQ(c.mismatch->count, 1u);
    EXPECT_DOUBLE_EQ(c.worst_ulp, 1);
    EXPECT_NE(c.mismatch->got.find("0x40000001"), std::string::npos) << c.mismatch->got;
}

TEST(Compare, SignOfZeroMattersToBitsOnly) {
    EXPECT_FALSE(exact({-0.0f}, {0.0f}).mismatch);
    EXPECT_TRUE(exact({-0.0f}, {0.0f}, Tolerance::bits()).mismatch);
}

TEST(Compare, NanForNan) {
    EXPECT_FALSE(exact({nan_f}, {-nan_f}).mismatch);
    EXPECT_TRUE(exact({1}, {nan_f}).mismatch);
    EXPECT_TRUE(exact({nan_f}, {1}).mismatch);
    float other = nan_f;
    std::uint32_t bits = 0;
    std::memcpy(&bits, &other, 4);
    bits ^= 1;
    std::memcpy(&other, &bits, 4);
    EXPECT_TRUE(exact({other}, {nan_f}, Tolerance::bits()).mismatch) << "another payload";
}

TEST(Compare, InfinityOfItsSign) {
    EXPECT_FALSE(exact({inf_f}, {inf_f}).mismatch);
    EXPECT_TRUE(exact({-inf_f}, {inf_f}).mismatch);
    EXPECT_TRUE(exact({1e38f}, {inf_f}).mismatch);
    EXPECT_TRUE(exact({inf_f}, {1e38f}).mismatch);
}

TEST(Compare, RoundingHasABoundThatIsKept) {
    // depth 2, magnitude 8: 2 * 2^-24 * 8 = 2^-20
    const Expected expected{std::vector<double>{1.0}, {8.0}};
    const auto at = [&](double error) {
        return compare(array<float>({static_cast<float>(1.0 + error)}), expected,
                       Tolerance::rounding(2));
    };
    EXPECT_FALSE(at(0x1p-20).mismatch);
    EXPECT_DOUBLE_EQ(at(0x1p-20).worst_share, 1.0);
    EXPECT_FALSE(at(-0x1p-21).mismatch);
    EXPECT_TRUE(at(0x1p-20 + 0x1p-23).mismatch);
    EXPECT_TRUE(at(std::numeric_limits<double>::quiet_NaN()).mismatch);
}

TEST(Compare, DenormalsAreAllowedTheirRounding) {
    const Expected expected{std::vector<double>{0.0}, {0.0}};
    const float tiny = std::numeric_limits<float>::denorm_min();
    EXPECT_FALSE(compare(array<float>({tiny}), expected, Tolerance::rounding(1)).mismatch);
    EXPECT_TRUE(compare(array<float>({2 * tiny}), expected, Tolerance::rounding(1)).mismatch);
}

TEST(Compare, OverflowWithinTheBoundIsInfinity) {
    const double most = std::numeric_limits<float>::max();
    const Expected near{std::vector<double>{most}, {most}};
    EXPECT_FALSE(compare(array<float>({inf_f}), near, Tolerance::rounding(4)).mismatch);
    EXPECT_TRUE(compare(array<float>({-inf_f}), near, Tolerance::rounding(4)).mismatch);
    const Expected far{std::vector<double>{most / 2}, {most / 2}};
    EXPECT_TRUE(compare(array<float>({inf_f}), far, Tolerance::rounding(4)).mismatch);
}

TEST(Compare, WideReferenceOfDouble) {
    const long double third = 1.0L / 3;
    const Expected expected{std::vector<long double>{third}, {1.0}};
    EXPECT_FALSE(compare(array<double>({1.0 / 3}), expected, Tolerance::rounding(1)).mismatch);
    EXPECT_TRUE(
        compare(array<double>({1.0 / 3 + 1e-15}), expected, Tolerance::rounding(1)).mismatch);
}

TEST(Compare, Integers) {
    EXPECT_FALSE(
        compare(array<std::int32_t>({-5}), {array<std::int32_t>({-5}), {}}, Tolerance::exact())
            .mismatch);
    const Comparison c = compare(array<std::int32_t>({2147483647}),
                                 {array<std::int32_t>({-2147483647 - 1}), {}}, Tolerance::exact());
    ASSERT_TRUE(c.mismatch);
    EXPECT_EQ(c.worst_ulp, 4294967295.0);
}

TEST(Compare, FirstOfManyInLargeArrays) {
    constexpr std::size_t n = 1 << 18;
    HostArray got(ElementType::f32, n), right(ElementType::f32, n);
    std::ranges::fill(got.bytes(), std::byte{});
    std::ranges::fill(right.bytes(), std::byte{});
    got.as<float>()[200000] = 1;
    got.as<float>()[n - 1] = 1;
    const Expected expected{std::move(right), {}};
    const Comparison c = compare(got, expected, Tolerance::exact());
    ASSERT_TRUE(c.mismatch);
    EXPECT_EQ(c.mismatch->index, 200000u);
    EXPECT_EQ(c.mismatch->count, 2u);
    // The same in two parts.
    HostArray rest(ElementType::f32, 2);
    rest.as<float>()[0] = 0;
    rest.as<float>()[1] = 1;
    Comparison parts = compare(rest, expected, Tolerance::exact(), n - 2);
    ASSERT_TRUE(parts.mismatch);
    EXPECT_EQ(parts.mismatch->index, n - 1);
    parts.add(c);
    EXPECT_EQ(parts.mismatch->count, 3u);
    EXPECT_ANY_THROW(compare(rest, expected, Tolerance::exact(), n - 1));
}

TEST(Compare, LengthsMustAgree) {
    EXPECT_ANY_THROW(compare(array<float>({1, 2}), {array<float>({1}), {}}, Tolerance::exact()));
    EXPECT_EQ(size_of(Expected{std::vector<double>{1, 2}, {}}), 2u);
    EXPECT_ANY_THROW(
        compare(array<float>({1}), {array<std::int32_t>({1}), {}}, Tolerance::exact()));
}

}  // namespace
}  // namespace parallax
