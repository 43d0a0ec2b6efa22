// Tests the suites that time instructions: arguments stay within the range of their bounds, and
// float rules are applied.
#include <bit>
#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "measure/run_case.hpp"
#include "measure/sizing.hpp"
#include "measure/verification.hpp"
#include "suites/planted.hpp"
#include "suites/tests/opened.hpp"

namespace parallax::instructions_test {
namespace {

using testing::Contains;
using testing::Not;

Case functions(const char* variant, std::int64_t function, std::int64_t repeat = 256) {
    const Suite& suite = suite_named("functions");
    return make_case(suite, variant_named(suite, variant), {{1021}}, ElementType::f32,
                     {{"FUNCTION", function}, {"REPEAT", repeat}});
}

/// The step in the plan's arguments.
std::uint32_t step_of(const Case& c) {
    const Plan plan = plan_of(c);
    return std::get<std::uint32_t>(std::get<Scalar>(launches_of(plan).front()->arguments.back()));
}

TEST(Functions, ArgumentsStayWhereTheBoundsHold) {
    const double most[] = {std::numbers::pi, std::numbers::pi, 12,      1 << 17,
                           1 << 17,          1 << 17,          1 << 17, 6};
    const double least[] = {0, 0, 0, 0x1p-16, 0x1p-16, 0x1p-16, 0, 0.25};
    for (std::int64_t function = 0; function < 8; ++function) {
        for (const std::int64_t repeat : {1, 3, 256, 65536}) {
            const Case c = functions("native", function, repeat);
            for (const InputPattern& pattern : input_patterns_of(c)) {
                const auto in = c.suite->inputs(c, pattern, 7);
                for (const float first : in[0].as<float>()) {
                    const auto last =
                        std::bit_cast<float>(std::bit_cast<std::uint32_t>(first) +
                                             step_of(c) * static_cast<std::uint32_t>(repeat - 1));
                    EXPECT_LT(std::abs(last), most[function]) << function;
                    EXPECT_GE(std::abs(first), least[function]) << function;
                    EXPECT_EQ(std::signbit(first), std::signbit(last));
                    EXPECT_TRUE(least[function] == 0 || first > 0);
                }
                if (function < 6) continue;
                for (const float with : in[1].as<float>()) {
                    EXPECT_LE(std::abs(with), 4);
                    EXPECT_TRUE(function != 6 || with >= 0.5F);
                }
            }
        }
    }
}

TEST(Functions, ReferenceIsThatOfTheLastArgument) {
    const Case c = functions("precise", 4, 2);
    std::vector<HostArray> in;
    for (int i = 0; i < 2; ++i) in.emplace_back(ElementType::f32, 1);
    in[0].as<float>()[0] = 4;
    in[1].as<float>()[0] = 1;
    // After half of 2^22 steps: a quarter more.
    const auto expected = c.suite->reference(c, in);
    EXPECT_DOUBLE_EQ(std::get<std::vector<double>>(expected[0].values)[0], std::sqrt(5.0));
}

TEST(Functions, FastOnesAreHeldToLess) {
    for (std::int64_t function = 0; function < 8; ++function) {
        const auto tolerance = [&](const char* variant) {
            const Case c = functions(variant, function);
            return c.suite->tolerance(c);
        };
        EXPECT_EQ(tolerance("precise").kind, Tolerance::Kind::ulp);
        EXPECT_LE(tolerance("precise").ulp, 16);
        for (const char* fast : {"native", "relaxed"}) {
            const Tolerance bound = tolerance(fast);
            EXPECT_GT(bound.ulp + bound.relative + bound.absolute, 0) << fast << function;
            EXPECT_LT(bound.relative + bound.absolute, 1e-3) << fast << function;
        }
    }
}

TEST(FloatRules, OfAVariantGoBeforeThoseOfTheRun) {
    RunConfig config;
    config.kernel_source = [](std::string_view file) { return kernel_source(file); };
    config.floats.rules.contract = true;
    EXPECT_EQ(program_of(functions("relaxed", 0), config).floats, FloatRules::fast());
    EXPECT_EQ(program_of(functions("precise", 0), config).floats, config.floats.rules);
    config.floats = {.as_shipped = true};
    EXPECT_EQ(program_of(functions("precise", 0), config, "opencl").floats,
              (FloatRules{.contract = true, .exact_division = false}));
    EXPECT_EQ(program_of(functions("precise", 0), config, "cuda").floats,
              FloatRules{.contract = true});
}

TEST(FloatRules, ReachTheCompilers) {
    for (Opened& one : opened_devices()) {
        if (one.entry.info.backend == "host") continue;  // exact results are always allowed
        const auto options = [&](const char* variant) {
            const Case c = functions(variant, 0);
            return one.built(program_of(c), plan_of(c)).begin()->second->options;
        };
        const char* option =
            one.entry.info.backend == "opencl" ? "-cl-fast-relaxed-math" : "--use_fast_math";
        EXPECT_THAT(options("relaxed"), Contains(option));
        EXPECT_THAT(options("precise"), Not(Contains(option)));
    }
}

TEST(Integers, ShiftsNeedAPowerOfTwo) {
    const Suite& suite = suite_named("integers");
    const auto make = [&](const char* variant, std::int64_t divisor) {
        return make_case(suite, variant_named(suite, variant), {{9}}, ElementType::i32,
                         {{"DIVISOR", divisor}});
    };
    EXPECT_THROW(make("shift", 7), UsageError);
    EXPECT_THROW(make("mask", 48), UsageError);
    EXPECT_NO_THROW(make("shift", 1));
    EXPECT_NO_THROW(make("divide_constant", 7));
}

TEST(Integers, VariantsOfOneQuestionHaveOneAnswer) {
    const Suite& suite = suite_named("integers");
    const auto answer = [&](const char* variant) {
        const Case c = make_case(suite, variant_named(suite, variant), {{5}}, ElementType::i32,
                                 {{"REPEAT", 2}});
        std::vector<HostArray> in;
        in.emplace_back(ElementType::u32, 5);
        const std::uint32_t values[] = {0, 63, 64, 1u << 31, ~0u};
        std::ranges::copy(values, in[0].as<std::uint32_t>().begin());
        const auto expected = c.suite->reference(c, in);
        const auto out = std::get<HostArray>(expected[0].values).as<std::uint32_t>();
        return std::vector(out.begin(), out.end());
    };
    constexpr std::uint32_t bump = 0x9e3779b1;
    EXPECT_EQ(answer("exclusive_or")[4], (((~0u ^ 64) + bump) ^ 64) + 2 * bump);
    EXPECT_EQ(answer("divide")[4], ((~0u >> 6) + bump) / 64 + 2 * bump);
    EXPECT_EQ(answer("divide"), answer("shift"));
    EXPECT_EQ(answer("modulo")[4], ((((~0u >> 8) % 64 + bump) >> 8) % 64) + 2 * bump);
    EXPECT_EQ(answer("modulo"), answer("mask"));
    EXPECT_EQ(answer("multiply"), answer("mad24"));
    EXPECT_NE(answer("divide_signed")[4], answer("divide")[4]) << "-1 / 64 is 0";
    EXPECT_EQ(answer("divide_signed")[0],
              static_cast<std::uint32_t>(static_cast<std::int32_t>(bump) / 64) + 2 * bump);
}

TEST(Integers, SizesFollowFromOperationsWithoutACeilingOfTheirs) {
    const Suite& suite = suite_named("integers");
    const Case c = make_case(suite, suite.variants.front(), {{1000}}, ElementType::i32);
    Ceiling ceiling;
    ceiling.bytes_per_second = 1e6;
    EXPECT_DOUBLE_EQ(least_seconds(c, ceiling), 1000 * 256 / 1e6) << "one counts as a byte";
    ceiling.operations_per_second = 1e9;
    EXPECT_DOUBLE_EQ(least_seconds(c, ceiling), 8 * 1000 / 1e6) << "the copy takes longer";

    Outcome o;
    o.the_case = c;
    o.work = suite.work(c);
    o.timing.emplace();
    o.timing->estimate.median = 1;
    o.ceiling.bytes_per_second = 1e6;
    EXPECT_FALSE(o.share()) << "what computes is no share of a copy";
    o.work.bytes = o.work.operations;
    ASSERT_TRUE(o.share());
    EXPECT_EQ(o.share()->second, "copy");
}

TEST(Conversions, AStrayDoubleChangesTheAnswer) {
    const Suite& suite = suite_named("conversions");
    const auto answer = [&](const char* variant) {
        const Case c = make_case(suite, variant_named(suite, variant), {{1021}}, ElementType::f32,
                                 {{"REPEAT", 1}});
        const auto in = c.suite->inputs(c, input_patterns_of(c)[1], 1);
        const auto expected = c.suite->reference(c, in);
        const auto out = std::get<HostArray>(expected[0].values).as<float>();
        return std::vector(out.begin(), out.end());
    };
    EXPECT_NE(answer("float_only"), answer("stray_double"));
}

TEST(Divergence, ItemsOrWarpsDiffer) {
    const Suite& suite = suite_named("divergence");
    const auto answer = [&](const char* variant) {
        const Case c = make_case(suite, variant_named(suite, variant), {{64}}, ElementType::f32,
                                 {{"PATHS", 2}, {"ROUNDS", 3}});
        auto in = c.suite->inputs(c, input_patterns_of(c)[0], 1);
        std::ranges::fill(in[0].as<float>(), 0.0F);
        const auto expected = c.suite->reference(c, in);
        const auto out = std::get<HostArray>(expected[0].values).as<float>();
        return std::vector(out.begin(), out.end());
    };
    // Path p adds p + 1 three times.
    EXPECT_EQ(answer("lanes")[0], 3);
    EXPECT_EQ(answer("lanes")[1], 6);
    EXPECT_EQ(answer("uniform")[31], 3);
    EXPECT_EQ(answer("uniform")[32], 6);
}

}  // namespace
}  // namespace parallax::instructions_test
