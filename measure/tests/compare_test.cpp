// Tests the comparison with the reference: which results pass, and which do not.
#include "measure/compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "common/tests/host_arrays.hpp"

namespace parallax::compare_test {
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

TEST(Compare, UnitsInTheLastPlaceAtEveryExponent) {
    for (int exponent = -140; exponent <= 127; ++exponent) {
        const double power = std::ldexp(1.0, exponent);
        // The step between floats at 1.5 * 2^e, and just below 2^e, where it is half of that at
        // 2^e.
        for (const double right : {1.5 * power, power * (1 - 0x1p-40)}) {
            const double unit = std::max(std::ldexp(1.0, std::ilogb(right) - 23), 0x1p-149);
            const auto got = static_cast<float>(right);
            const double expected = std::fabs(static_cast<double>(got) - right) / unit;
            const Comparison c = compare(array<float>({got}), {std::vector<double>{right}, {}},
                                         Tolerance::within_ulp(1));
            EXPECT_DOUBLE_EQ(c.worst_ulp, expected) << right;
            EXPECT_FALSE(c.mismatch) << right;
            const float far = std::nextafter(std::nextafter(got, 0.0f), 0.0f);
            if (far != 0.0f) {
                EXPECT_TRUE(exact({far}, {got}, Tolerance::within_ulp(0.9)).mismatch);
            }
        }
    }
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

TEST(Compare, UnitsInTheLastPlace) {
    const float two = std::nextafter(std::nextafter(1.0f, 2.0f), 2.0f);
    EXPECT_FALSE(exact({two}, {1}, Tolerance::within_ulp(2)).mismatch);
    EXPECT_TRUE(exact({two}, {1}, Tolerance::within_ulp(1.5)).mismatch);
    EXPECT_TRUE(exact({inf_f}, {1}, Tolerance::within_ulp(1e9)).mismatch);
    EXPECT_FALSE(exact({inf_f, nan_f}, {inf_f, nan_f}, Tolerance::within_ulp(0)).mismatch);
    const auto whole = [](std::int32_t got, std::int32_t right, double units) {
        return compare(array({got}), {array({right}), {}}, Tolerance::within_ulp(units));
    };
    EXPECT_FALSE(whole(7, 8, 1).mismatch);
    EXPECT_TRUE(whole(6, 8, 1).mismatch);
}

TEST(Compare, RelativeAndAbsoluteDifference) {
    EXPECT_FALSE(exact({101}, {100}, Tolerance::difference(0.01, 0)).mismatch);
    EXPECT_TRUE(exact({102}, {100}, Tolerance::difference(0.01, 0)).mismatch);
    EXPECT_FALSE(exact({102}, {100}, Tolerance::difference(0.01, 1)).mismatch);
    EXPECT_TRUE(exact({1e-6f}, {0}, Tolerance::difference(0.01, 0)).mismatch);
    EXPECT_FALSE(exact({1e-6f}, {0}, Tolerance::difference(0, 1e-5)).mismatch);
    EXPECT_TRUE(exact({nan_f}, {0}, Tolerance::difference(1, 1)).mismatch);
    EXPECT_TRUE(exact({-inf_f}, {inf_f}, Tolerance::difference(1, 1)).mismatch);
}

TEST(Compare, EveryElementType) {
    for (const ElementType type : all_scalar_types) {
        EXPECT_EQ(element_type_named(name_of(type)), type);
        visit_any_type(type, [&](auto zero) {
            using T = decltype(zero);
            EXPECT_EQ(size_of(type), sizeof(T)) << name_of(type);
            HostArray got(type, 3), right(type, 3);
            for (std::size_t i = 0; i < 3; ++i)
                got.as<T>()[i] = right.as<T>()[i] = static_cast<T>(100);
            const auto differ = [&](Tolerance tolerance) {
                return compare(got, {right.copy(), {}}, tolerance).mismatch;
            };
            EXPECT_FALSE(differ(Tolerance::exact()));
            got.as<T>()[1] = static_cast<T>(101);
            const auto found = differ(Tolerance::exact());
            ASSERT_TRUE(found) << name_of(type);
            EXPECT_EQ(found->index, 1u);
            EXPECT_TRUE(found->got.starts_with("101")) << found->got;
            EXPECT_TRUE(found->expected.starts_with("100")) << found->expected;
            EXPECT_FALSE(differ(Tolerance::difference(0, 1)));
            const Scalar three = static_cast<T>(3);
            EXPECT_EQ(type_name(three), name_of(type));
            EXPECT_EQ(to_string(three), "3");
            EXPECT_EQ(bytes_of(three).size(), sizeof(T));
        });
    }
}

/// `struct { float v; char tag; int c; }` twice, with padding between its members.
HostArray structs(std::initializer_list<std::pair<float, int>> values, int between) {
    HostArray made(ElementType::u8, values.size() * 12);
    std::byte* at = made.bytes().data();
    for (const auto& [v, c] : values) {
        std::memset(at, between, 12);
        std::memcpy(at, &v, 4);
        at[4] = std::byte{7};
        std::memcpy(at + 8, &c, 4);
        at += 12;
    }
    return made;
}

TEST(CompareStructs, NumbersAreHeldToTheToleranceOfTheirType) {
    BufferSpec spec{.name = "s"};
    spec.parts = {{0, ElementType::f32, 1}, {4, ElementType::i8, 1}, {8, ElementType::i32, 1}};
    spec.struct_bytes = 12;
    const Tolerance near = Tolerance::difference(1e-5, 0.01);
    const HostArray right = structs({{1, 5}, {2, 6}, {3, 1000}}, 0);
    EXPECT_FALSE(compare_structs(structs({{1.005f, 5}, {2, 6}, {3, 1000}}, 0xff), right, spec, near)
                     .mismatch)
        << "padding between members is not compared";
    const Comparison integer =
        compare_structs(structs({{1, 5}, {2.5f, 6}, {3, 1001}}, 0), right, spec, near);
    ASSERT_TRUE(integer.mismatch);
    EXPECT_EQ(integer.mismatch->count, 2u) << "an integer has no tolerance";
    EXPECT_EQ(integer.mismatch->index, 12u) << "the first of all";
    // A part of the output that begins within a struct.
    HostArray rest(ElementType::u8, 20);
    std::ranges::copy(structs({{1, 5}, {2, 6}, {4, 1000}}, 0).bytes().subspan(16),
                      rest.bytes().begin());
    const Comparison later = compare_structs(rest, right, spec, near, 16);
    ASSERT_TRUE(later.mismatch);
    EXPECT_EQ(later.mismatch->index, 24u);
    EXPECT_EQ(later.mismatch->count, 1u);
}

TEST(CompareStructs, PartsOfOneTypeKeepTheTolerance) {
    BufferSpec spec{.name = "three", .type = ElementType::u8};
    spec.parts = {{0, ElementType::u8, 3}};
    spec.struct_bytes = 4;
    const auto array = [](std::vector<std::uint8_t> values) {
        HostArray made(ElementType::u8, values.size());
        std::ranges::copy(values, made.as<std::uint8_t>().begin());
        return made;
    };
    const HostArray right = array({1, 2, 3, 0, 4, 5, 6, 0});
    const auto mismatch = [&](const HostArray& got, double allowed, std::uint64_t first = 0) {
        return compare_structs(got, right, spec, Tolerance::difference(0, allowed), first).mismatch;
    };
    EXPECT_FALSE(mismatch(array({2, 2, 3, 99, 4, 5, 7, 98}), 1)) << "the fourth is padding";
    const auto wrong = mismatch(array({1, 2, 3, 99, 4, 5, 8, 98}), 1);
    ASSERT_TRUE(wrong);
    EXPECT_EQ(wrong->index, 6u);
    EXPECT_EQ(wrong->count, 1u);
    const auto later = mismatch(array({99, 4, 9}), 1, 3);
    ASSERT_TRUE(later);
    EXPECT_EQ(later->index, 5u) << "a part of the output may begin anywhere";
}

TEST(Half, RoundsAsIeeeDoes) {
    EXPECT_EQ(Half(1.0).bits, 0x3c00);
    EXPECT_EQ(Half(-2.0).bits, 0xc000);
    EXPECT_EQ(Half(65504.0).bits, 0x7bff);
    EXPECT_EQ(Half(65519.9).bits, 0x7bff);
    EXPECT_EQ(Half(65520.0).bits, 0x7c00) << "infinite";
    EXPECT_EQ(Half(0x1p-24).bits, 0x0001) << "the smallest";
    EXPECT_EQ(Half(0x1p-25).bits, 0x0000) << "ties to even";
    EXPECT_EQ(Half(0x1.8p-24).bits, 0x0002) << "ties to even";
    EXPECT_EQ(Half(0x1.ffcp-15).bits, 0x03ff + 1) << "up to the smallest normal";
    EXPECT_EQ(Half(1 + 0x1p-11).bits, 0x3c00) << "ties to even";
    EXPECT_EQ(Half(2047.75).bits, Half(2048).bits) << "into the next power";
    EXPECT_EQ(Half(-0.0).bits, 0x8000);
    EXPECT_TRUE(std::isnan(static_cast<float>(Half(std::nan("")))));
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const Half half = Half::of_bits(static_cast<std::uint16_t>(bits));
        const auto value = static_cast<float>(half);
        if (std::isnan(value)) continue;
        ASSERT_EQ(Half(value).bits, bits) << value;
    }
}

}  // namespace
}  // namespace parallax::compare_test
