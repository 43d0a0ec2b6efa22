// Tests captured results: an error in one element is detected whatever its neighbours are, rounding
// differences are accepted.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "common/tests/host_arrays.hpp"
#include "common/tests/thorough.hpp"
#include "measure/captured_variation.hpp"
#include "measure/compare.hpp"
#include "measure/element_scale.hpp"

namespace parallax::captured_answers_test {
namespace {

constexpr std::size_t count = 257;

template <class T>
HostArray array(const std::vector<T>& values) {
    HostArray made(element_type_of<T>(), values.size());
    std::ranges::copy(values, made.as<T>().begin());
    return made;
}

template <class T>
bool is_wrong(const std::vector<T>& got, const std::vector<T>& right, bool is_mixed = false) {
    return compare(array(got), {array(right), {}}, captured_tolerance(is_mixed))
        .mismatch.has_value();
}

/// Outputs of various kinds: by an element's index and a random number in [0, 1).
template <class T>
std::vector<std::vector<T>> outputs() {
    constexpr T largest = std::numeric_limits<T>::max(), none = std::numeric_limits<T>::quiet_NaN(),
                infinity = std::numeric_limits<T>::infinity();
    const std::vector<std::function<double(std::size_t, double)>> plain{
        [](std::size_t, double x) { return x + 1e-3; },
        [](std::size_t, double x) { return std::sqrt(-2 * std::log(1 - x)) - 1; },
        [](std::size_t, double x) { return std::exp2(60 * x - 30); },
        [](std::size_t i, double x) { return i % 3 == 0 ? 1e9 * (x + 1) : 1e-9 * (x + 1); },
        [](std::size_t i, double x) { return i % 2 == 0 ? 0 : x - 0.5; },
        [](std::size_t i, double) { return static_cast<double>(i); },
        [](std::size_t i, double x) { return std::pow(x, static_cast<double>(i % 9)); }};
    const std::vector<std::vector<T>> sentinels{{},
                                                {largest},
                                                {T{1e12F}},
                                                {infinity, -infinity, none},
                                                {largest, -largest, T{1e12F}, none}};
    std::vector<std::vector<T>> made;
    std::mt19937_64 engine(7);
    std::uniform_real_distribution<double> draw(0, 1);
    for (const auto& value : plain) {
        for (const std::vector<T>& some : sentinels) {
            for (const std::size_t every : {2, 50}) {
                std::vector<T>& one = made.emplace_back(count);
                for (std::size_t i = 0; i < count; ++i) {
                    const bool is_sentinel = !some.empty() && i % every == 1;
                    one[i] = is_sentinel ? some[i / every % some.size()]
                                         : static_cast<T>(value(i, draw(engine)));
                }
            }
        }
    }
    return made;
}

/// @param share  of an element, that counts as an error
template <class T>
void every_error_shows(double share) {
    std::size_t tried = 0;
    for (const std::vector<T>& right : outputs<T>()) {
        ASSERT_FALSE(is_wrong(right, right));
        const std::size_t step = test::is_thorough() ? 1 : 7;
        for (std::size_t i = 0; i < count; i += step) {
            const T value = right[i];
            const T others[] = {static_cast<T>(value * (1 + share)),
                                static_cast<T>(value * (1 - share)),
                                value * 2,
                                -value,
                                T{0},
                                right[(i + 1) % count],
                                std::numeric_limits<T>::quiet_NaN()};
            std::vector<T> got = right;
            for (const T other : others) {
                const bool same = other == value || (std::isnan(other) && std::isnan(value)) ||
                                  std::fabs(other - value) <= 0.95 * share * std::fabs(value);
                if (same || (std::isinf(value) && std::isinf(other))) continue;
                got[i] = other;
                ++tried;
                ASSERT_TRUE(is_wrong(got, right))
                    << "element " << i << ": " << other << " for " << value;
            }
            if (value == 0) {
                got[i] = static_cast<T>(1e-30);
                ASSERT_TRUE(is_wrong(got, right));
            }
        }
    }
    EXPECT_GT(tried, 7'000U);
}

TEST(CapturedAnswers, EveryErrorInOneElementShows) {
    every_error_shows<float>(0.011);
    every_error_shows<double>(1.1e-9);
}

TEST(CapturedAnswers, IntegersAreEqual) {
    std::vector<std::int64_t> right(count, std::int64_t{1} << 60), got = right;
    got[9] += 1;
    EXPECT_TRUE(is_wrong(got, right));
}

/// As where one kernel of a program has a name for buffers of either.
TEST(CapturedAnswers, IntegersThatLieInABufferOfFloatsAreEqual) {
    std::vector<float> right(count), got;
    for (std::size_t i = 0; i < count; ++i) {
        right[i] = std::bit_cast<float>(static_cast<std::int32_t>(i % 7 == 0 ? 0 : 90 * i) - 500);
    }
    for (std::size_t i = 0; i < count; ++i) {
        for (const std::int32_t by : {1, -1, 70}) {
            got = right;
            got[i] = std::bit_cast<float>(std::bit_cast<std::int32_t>(got[i]) + by);
            EXPECT_TRUE(is_wrong(got, right)) << i;
        }
    }
    EXPECT_FALSE(is_wrong(right, right));
    // A few that are so small are numbers, which a device may flush.
    EXPECT_FALSE(is_wrong(std::vector<float>{1, 0, 2}, std::vector<float>{1, 1e-40F, 2}));
}

TEST(CapturedAnswers, WhereManyIntegersVaryAnyOfThemMay) {
    EXPECT_TRUE(may_be_a_race(8, 2, 1000));
    EXPECT_FALSE(may_be_a_race(9, 2, 1000));
    EXPECT_TRUE(may_be_a_race(700, 20, 1000));
}

TEST(CapturedAnswers, WhatRoundingMakesIsRight) {
    std::mt19937 engine(5);
    std::normal_distribution<float> draw;
    for (int trial = 0; trial < 20; ++trial) {
        std::vector<float> fused(count), apart(count);
        for (std::size_t i = 0; i < count; ++i) {
            for (int k = 0; k < 64; ++k) {
                const float a = draw(engine), b = draw(engine);
                fused[i] = std::fma(a, b, fused[i]);
                const volatile float product = a * b;
                apart[i] += product;
            }
        }
        // A sentinel does not make the other elements wrong.
        for (std::vector<float>* one : {&fused, &apart})
            one->back() = std::numeric_limits<float>::max();
        EXPECT_FALSE(is_wrong(fused, apart)) << trial;
    }
}

TEST(CapturedAnswers, MixedTexelsMayBeAShareOfTheirNeighboursOff) {
    const std::vector<float> right{1, 0.5F, 0, 0.01F}, near{1.003F, 0.5F, 0.002F, 0.012F};
    EXPECT_TRUE(is_wrong(near, right));
    EXPECT_FALSE(is_wrong(near, right, true));
    EXPECT_TRUE(is_wrong({1, 0.6F, 0, 0.01F}, right, true));
}

TEST(CapturedAnswers, PlacesThatAtomicsGiveAreSeenInTheText) {
    for (const char* text : {"int at = atomic_inc(n); out[at] = i;", "out[atomic_add(n, 1)] = i;",
                             "int k = atom_inc(n);\nint at = base + k * 4; if (i) out[at + 1] = 3;",
                             "out[i] = atomic_inc(n);", "int take() { return atomic_inc(n); }",
                             "l[2] = 1; if (x == 1) at = atomic_sub(n, 1); q[at] = 0;"}) {
        EXPECT_TRUE(takes_places_by_atomics(text)) << text;
    }
    for (const char* text :
         {"atomic_inc(&bins[x]);", "if (x) atomic_add(n + i, 3);", "// at = atomic_inc(n); o[at]\n",
          "if (atomic_inc(n) == last) out[i] = 3;", "int old = atomic_max(n, 3); use(old);",
          "out[i] = in[i];"}) {
        EXPECT_FALSE(takes_places_by_atomics(text)) << text;
    }
}

}  // namespace
}  // namespace parallax::captured_answers_test
