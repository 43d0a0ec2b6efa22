// Tests the suites that multiply: references of small cases, bounds, rejected requests, odd
// work-group sizes; and native sources with warp barriers replaced by work-group barriers.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/device/units.hpp"
#include "common/error.hpp"
#include "common/tests/thorough.hpp"
#include "measure/run_case.hpp"
#include "measure/verification.hpp"
#include "suites/case_words.hpp"
#include "suites/planted.hpp"
#include "suites/tests/opened.hpp"

namespace parallax::products_test {
namespace {

Case case_of(const char* suite, const char* variant, Shape shape,
             const std::vector<Constant>& defines = {}, ElementType type = ElementType::f32) {
    const Suite& s = suite_named(suite);
    return make_case(s, variant_named(s, variant), std::move(shape), type, defines);
}

std::vector<HostArray> floats(const std::vector<std::vector<float>>& lists) {
    std::vector<HostArray> arrays;
    for (const auto& list : lists) {
        arrays.emplace_back(ElementType::f32, list.size());
        std::ranges::copy(list, arrays.back().as<float>().begin());
    }
    return arrays;
}

std::vector<double> values_of(const Case& c, const std::vector<HostArray>& in) {
    return std::get<std::vector<double>>(c.suite->reference(c, in)[0].values);
}

TEST(Matvec, ReferenceOfHandWrittenInputs) {
    const Case c = case_of("matvec", "row_per_item", {{3, 2}});
    const auto in = floats({{1, 2, 3, 4, 5, -6}, {1, 10, 100}});
    EXPECT_EQ(values_of(c, in), (std::vector<double>{321, -546}));
    EXPECT_EQ(c.suite->reference(c, in)[0].magnitudes, (std::vector<double>{321, 654}));
}

TEST(Tensor, ReferenceOfHandWrittenInputs) {
    const Case c = case_of("tensor", "plain", {{1, 2, 8}});
    const auto in =
        floats({{1, 2, 3, 4, 5, 6, 7, 8}, {1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, -2, 3}});
    EXPECT_EQ(values_of(c, in), (std::vector<double>{36, 10}));
    EXPECT_EQ(c.suite->reference(c, in)[0].magnitudes, (std::vector<double>{36, 38}));
    // The same for halves.
    const Case of_halves = case_of("tensor", "half_plain", {{1, 2, 8}});
    std::vector<HostArray> halves;
    for (const HostArray& array : in) {
        halves.emplace_back(ElementType::f16, array.size());
        for (std::size_t i = 0; i < array.size(); ++i) {
            halves.back().as<Half>()[i] = Half(array.as<float>()[i]);
        }
    }
    EXPECT_EQ(values_of(of_halves, halves), (std::vector<double>{36, 10}));
}

TEST(Multiply, StripsThatNoWholeLoadsFillAreRefused) {
    const auto with_columns = [](std::int64_t columns, std::uint64_t n) {
        return case_of("multiply", "streamed", {{64, n, 64}}, {{"BLOCK", 64}, {"ACROSS", columns}});
    };
    EXPECT_NO_THROW(with_columns(128, 68)) << "64 items bring two rows of b at once";
    EXPECT_THROW(with_columns(128, 67), UsageError)
        << "and half a row where each brings one element";
    EXPECT_NO_THROW(case_of("multiply", "streamed", {{64, 67, 64}}));
}

TEST(Tensor, BlocksThatNoRoundsOfCopiesFillAreRefused) {
    const auto with_rows = [](std::int64_t rows) {
        return case_of("tensor", "warpgroup", {{128, 256, 64}}, {{"BLOCK", rows}});
    };
    for (const std::int64_t rows : {64, 128, 256}) EXPECT_NO_THROW(with_rows(rows)) << rows;
    EXPECT_THROW(with_rows(192), UsageError) << "240 of 256 rows of b would be there";
    EXPECT_NO_THROW(case_of("tensor", "warpgroup", {{128, 256, 64}}, {{"ACROSS", 128}}));
    EXPECT_THROW(case_of("tensor", "warpgroup", {{128, 256, 64}}, {{"ACROSS", 64}}), UsageError)
        << "no unit of that width is asked";
}

TEST(Tensor, AsksForTheUnitsOfItsType) {
    const auto needs = [](const char* variant) {
        return std::string(feature_for(variant_named(suite_named("tensor"), variant), "cuda"));
    };
    DeviceInfo ampere, hopper;
    ampere.compute_capability = "8.0";
    hopper.compute_capability = "9.0";
    add_units(ampere);
    add_units(hopper);
    for (const char* variant : {"warp", "half_warp"}) EXPECT_TRUE(ampere.has(needs(variant)));
    for (const char* variant : {"double_warp", "warpgroup", "half_small_warpgroup"}) {
        EXPECT_FALSE(ampere.has(needs(variant))) << variant;
        EXPECT_TRUE(hopper.has(needs(variant))) << variant;
    }
}

// The bound is for sums: it would be violated if the unit dropped bits of a factor.
TEST(Tensor, FloatsHaveNoMoreBitsThanTheUnitTakes) {
    const Case c = case_of("tensor", "plain", {{40, 50, 64}});
    for (const InputPattern& pattern : input_patterns_of(c)) {
        for (const HostArray& array : c.suite->inputs(c, pattern, 7)) {
            for (const float value : array.as<float>()) {
                if (!std::isfinite(value)) continue;
                int exponent = 0;
                const float bits = std::ldexp(std::frexp(value, &exponent), 11);
                ASSERT_EQ(bits, std::trunc(bits)) << value << " of " << pattern.name;
            }
        }
    }
}

/// A simple loop that the reference must match bitwise.
template <class Wide, class T>
void expect_in_order(const Case& c) {
    for (const InputPattern& pattern : input_patterns_of(c)) {
        const auto in = c.suite->inputs(c, pattern, 7);
        const std::span<const T> a = in[0].template as<T>(), b = in[1].template as<T>();
        const Expected found = std::move(c.suite->reference(c, in).front());
        const auto& values = std::get<std::vector<Wide>>(found.values);
        const std::uint64_t m = c.shape[0], n = c.shape[1], k = c.shape[2];
        std::uint64_t differing = 0;
        for (std::uint64_t at = 0; at < m * n; ++at) {
            Wide sum = 0;
            double magnitude = 0;
            for (std::uint64_t i = 0; i < k; ++i) {
                const auto left = static_cast<Wide>(a[at / n * k + i]);
                const auto right = static_cast<Wide>(b[i * n + at % n]);
                sum += left * right;
                magnitude +=
                    std::fabs(static_cast<double>(left)) * std::fabs(static_cast<double>(right));
            }
            const auto same = [](auto x, auto y) { return x == y || (x != x && y != y); };
            differing += !same(values[at], sum) || !same(found.magnitudes[at], magnitude);
        }
        EXPECT_EQ(differing, 0u) << c.title() << " " << pattern.name;
    }
}

TEST(Multiply, TheReferenceAddsTermAfterTerm) {
    // Several parts of the columns and of the depth, none of them whole.
    const Shape odd{{3, 517, 133}};
    expect_in_order<double, float>(case_of("multiply", "naive", odd));
    expect_in_order<long double, double>(case_of("multiply", "naive", odd, {}, ElementType::f64));
}

TEST(BankConflicts, TheReferenceIsTheSumOfWhatEachItemReads) {
    const Case c = case_of("bank_conflicts", "strided", {{5}},
                           {{"WORDS", 96}, {"STRIDE", 7}, {"ROUNDS", 250}});
    const auto in = c.suite->inputs(c, input_patterns_of(c)[1], 3);
    const Expected found = std::move(c.suite->reference(c, in).front());
    const auto from = in[0].as<float>();
    const auto group = static_cast<std::uint64_t>(c["GROUP"]);
    std::vector<float> right(5 * group);
    for (std::uint64_t i = 0; i < right.size(); ++i) {
        for (std::uint64_t r = 0; r < 250; ++r) {
            right[i] += from[i / group * 96 + (i % group * 7 + r) % 96];
        }
    }
    EXPECT_TRUE(std::ranges::equal(std::get<HostArray>(found.values).as<float>(), right));
}

TEST(Matvec, IntegersDoNotWrap) {
    for (const Shape& shape : {Shape{{1, 9}}, Shape{{1100, 7}}, Shape{{1u << 20, 2}}}) {
        const Case c = case_of("matvec", "row_per_item", shape, {}, ElementType::i32);
        for (const InputPattern& pattern : input_patterns_of(c)) {
            const auto in = c.suite->inputs(c, pattern, 5);
            const auto matrix = in[0].as<std::int32_t>(), x = in[1].as<std::int32_t>();
            for (std::uint64_t row = 0; row < shape[1]; ++row) {
                std::int64_t magnitude = 0;
                for (std::uint64_t i = 0; i < shape[0]; ++i) {
                    magnitude += std::abs(std::int64_t{matrix[row * shape[0] + i]} * x[i]);
                }
                EXPECT_GT(magnitude, 0);
                EXPECT_LE(magnitude, 2147483647) << to_string(shape) << pattern.name;
            }
        }
    }
}

TEST(Matvec, DepthIsThatOfTheWayToTheRow) {
    const auto depth = [](const char* name, std::uint64_t width) {
        const Case c = case_of("matvec", name, {{width, 10}});
        return c.variant->depth(c);
    };
    EXPECT_EQ(depth("row_per_item", 1100), 1100);
    EXPECT_EQ(depth("rows_strided", 7), 7);
    EXPECT_EQ(depth("group_serial", 1), 1);
    EXPECT_EQ(depth("group_serial", 5), 5);
    EXPECT_EQ(depth("group_serial", 1100), 3 + 511);
    EXPECT_EQ(depth("tree_interleaved", 1100), 3 + 9);
    EXPECT_EQ(depth("tree_sequential", 1024), 2 + 9);
    EXPECT_EQ(depth("warp", 1024), 2 + 5 + 4);
    EXPECT_EQ(depth("modern", 1100), 9 + 2 + 5);
    EXPECT_EQ(depth("modern", 1101), 35 + 5);
}

TEST(Matvec, LaunchesNoGroupThatFindsNothing) {
    const auto groups = [](const char* name, std::uint64_t height) {
        const Case c = case_of("matvec", name, {{1100, height}});
        const Plan plan = plan_of(c);
        return launches_of(plan)[0]->geometry.groups.x;
    };
    EXPECT_EQ(groups("row_per_item", 100000), 196u) << "as published";
    EXPECT_EQ(groups("rows_strided", 100000), 60u) << "as published";
    EXPECT_EQ(groups("rows_strided", 513), 2u);
    EXPECT_EQ(groups("tree_sequential", 100000), 1056u);
    EXPECT_EQ(groups("tree_sequential", 5), 5u);
    EXPECT_EQ(groups("modern", 33), 2u);
}

TEST(Matvec, ConstantsThatCannotBe) {
    const auto make = [](const char* variant, const std::vector<Constant>& constants) {
        return case_of("matvec", variant, {{100, 10}}, constants);
    };
    EXPECT_THROW(make("warp", {{"GROUP", 48}}), UsageError);
    EXPECT_NO_THROW(make("tree_sequential", {{"GROUP", 48}}));
    EXPECT_THROW(make("modern", {{"TEAM", 24}}), UsageError);
    EXPECT_THROW(make("modern", {{"GROUP", 1024}, {"ROWS", 16}}), UsageError);
    EXPECT_NO_THROW(make("warp", {{"TEAM", 24}, {"ROWS", 16}}));
    EXPECT_THROW(make("group_serial", {{"ALIGN", 12}}), UsageError);
}

TEST(MultiplyLadder, ReferenceStandsColumnAfterColumn) {
    // b is 2 x 3, c is 3 x 2, both column-major.
    const Case c = case_of("multiply_ladder", "plain", {{2, 2, 3}});
    const auto in = floats({{1, 2, 3, 4, 5, 6}, {1, 10, 100, 0, 0, -1}});
    EXPECT_EQ(values_of(c, in), (std::vector<double>{531, 642, -5, -6}));
    EXPECT_EQ(c.suite->reference(c, in)[0].magnitudes, (std::vector<double>{531, 642, 5, 6}));
}

TEST(MultiplyLadder, AgreesWithTheProductRowAfterRow) {
    const Case down = case_of("multiply_ladder", "plain", {{7, 5, 9}});
    const Case along = case_of("multiply", "naive", {{5, 7, 9}});
    const InputPattern random = input_patterns_of(down)[1];
    const auto in = down.suite->inputs(down, random, 3);
    std::vector<HostArray> swapped;
    swapped.push_back(in[1].copy());
    swapped.push_back(in[0].copy());
    EXPECT_EQ(values_of(down, in), values_of(along, swapped));
}

TEST(MultiplyLadder, GroupsCoverTheProduct) {
    const auto groups = [](const char* name, const std::vector<Constant>& constants = {}) {
        const Plan plan = plan_of(case_of("multiply_ladder", name, {{4096, 4095, 64}}, constants));
        const Size size = launches_of(plan)[0]->geometry.groups;
        return std::pair{size.x, size.y};
    };
    EXPECT_EQ(groups("plain", {{"GROUP", 32}}),
              (std::pair<std::uint64_t, std::uint64_t>{128, 4095}))
        << "128 x 4096 published";
    EXPECT_EQ(groups("two_rows"), (std::pair<std::uint64_t, std::uint64_t>{32, 4095}));
    EXPECT_EQ(groups("four_rows"), (std::pair<std::uint64_t, std::uint64_t>{16, 4095}));
    EXPECT_EQ(groups("two_columns"), (std::pair<std::uint64_t, std::uint64_t>{64, 2048}));
    EXPECT_EQ(groups("four_columns"), (std::pair<std::uint64_t, std::uint64_t>{64, 1024}));
    EXPECT_EQ(groups("plain", {{"ROWS", 8}}), (std::pair<std::uint64_t, std::uint64_t>{64, 4095}))
        << "its kernel does not read ROWS";
}

TEST(MultiplyLadder, TransfersLeadThereAndBack) {
    const auto plan = [](std::int64_t transfers) {
        return plan_of(case_of("multiply_ladder", "four_columns", {{70, 9, 40}},
                               {{"GROUP", 32}, {"TRANSFERS", transfers}}));
    };
    EXPECT_EQ(plan(0).steps.size(), 1u);
    EXPECT_TRUE(plan(0).is_plain());
    const Plan whole = plan(1);
    ASSERT_EQ(whole.steps.size(), 4u);
    EXPECT_FALSE(whole.is_plain());
    for (const std::size_t i : {0u, 1u, 3u}) {
        const CopyBuffer* copy = whole.steps[i].copy();
        ASSERT_NE(copy, nullptr) << i;
        const BufferSpec& from = whole.buffers[copy->source.index];
        const BufferSpec& to = whole.buffers[copy->target.index];
        EXPECT_EQ(from.bytes(), to.bytes()) << i;
        EXPECT_EQ(from.placement == Placement::pageable, i < 3) << i;
        EXPECT_EQ(to.placement == Placement::pageable, i == 3) << i;
    }
    EXPECT_EQ(launches_of(whole)[0]->geometry, launches_of(plan(0))[0]->geometry);
    EXPECT_THROW(plan(2), UsageError);
}

TEST(MultiplyLadder, GroupsAreWholeWarps) {
    EXPECT_THROW(case_of("multiply_ladder", "plain", {{64, 64, 64}}, {{"GROUP", 48}}), UsageError);
    EXPECT_THROW(case_of("multiply_ladder", "plain", {{64, 64, 64}}, {{"GROUP", 512}}), UsageError);
    EXPECT_NO_THROW(case_of("multiply_ladder", "plain", {{64, 64, 64}}, {{"GROUP", 96}}));
}

TEST(Reduction, WarpsAreFull) {
    EXPECT_THROW(case_of("reduction", "warp", {{100}}, {{"GROUP", 250}}), UsageError);
    EXPECT_NO_THROW(case_of("reduction", "sequential", {{100}}, {{"GROUP", 250}}));
    EXPECT_NO_THROW(case_of("reduction", "warp", {{100}}, {{"GROUP", 96}}));
}

/// Passes verification on `integers` of its own shape on every device here, as `edits` leave it.
void expect_right(const Case& c, const std::vector<SourceEdit>& edits = {}) {
    ReferenceCache references(std::uint64_t{1} << 28);
    for (Opened& one : opened_devices()) {
        Program program = program_of(c, one.entry.info.backend);
        // The edits are for OpenCL C.
        const bool is_cuda =
            program.language == Language::native && one.entry.info.backend != "opencl";
        if (!is_cuda) program.edits = edits;
        const Codes& codes = one.built(program, plan_of(c));
        VerificationResult checked;
        for (const InputPattern& pattern : input_patterns_of(c)) {
            Verifier{*one.device, references}.launch(c, codes, pattern, checked);
        }
        EXPECT_TRUE(checked.right()) << one.entry.info.id() << " " << c.title() << ": "
                                     << (checked.failure ? checked.failure->what : "");
    }
}

TEST(Multiply, NativeCopiesOfFourHaveRowsOfFours) {
    for (const char* variant : {"pipelined", "sliced"}) {
        const Plan odd = plan_of(case_of("multiply", variant, {{20, 131, 70}}));
        const auto launches = launches_of(odd);
        ASSERT_EQ(launches.size(), 2u);
        EXPECT_EQ(launches[0]->kernel, "pad_rows");
        EXPECT_EQ(launches[0]->geometry.groups, (Size{70, 1, 1}));
        const auto padded = std::get<BufferIndex>(launches[0]->arguments.at(1));
        EXPECT_EQ(odd.buffers.at(padded.index).elements, 70u * 132);
        EXPECT_EQ(std::get<BufferIndex>(launches[1]->arguments.at(1)), padded);
        EXPECT_EQ(launches[1]->arguments.back(), LaunchArgument(Scalar(std::uint64_t{132})));
        const Plan even = plan_of(case_of("multiply", variant, {{20, 132, 70}}));
        EXPECT_EQ(launches_of(even).size(), 1u);
        EXPECT_EQ(launches_of(even)[0]->arguments.at(1), LaunchArgument(BufferIndex{1}));
    }
}

TEST(Multiply, AConstantThatATextDoesNotNameMakesNoOtherText) {
    const auto of = [&](const char* variant, std::uint64_t n) {
        return program_of(case_of("multiply", variant, {{n, n, n}}));
    };
    EXPECT_EQ(of("blocked", 4096), of("blocked", 4095));
    EXPECT_NE(of("streamed", 4096), of("streamed", 4095));  // WHOLE_FOURS
    const std::vector<std::string> told = names(of("blocked", 4096).constants);
    EXPECT_EQ(std::ranges::count(told, "ACROSS"), 0);
    EXPECT_EQ(std::ranges::count(told, "BLOCK"), 1);
}

TEST(Groups, RowsAreRightForAnySize) {
    for (const std::int64_t group : test::every_nth<std::int64_t>({1, 3, 250}, 2)) {
        for (const char* name : {"row_per_item", "rows_strided", "group_serial", "tree_interleaved",
                                 "tree_sequential"}) {
            expect_right(case_of("matvec", name, {{307, 23}}, {{"GROUP", group}, {"GROUPS", 3}}));
        }
    }
    for (const std::int64_t team : test::every_nth<std::int64_t>({1, 3, 7, 21}, 2)) {
        for (const std::uint64_t width : {307u, 308u}) {
            expect_right(case_of("matvec", "modern", {{width, 23}},
                                 {{"GROUP", 21}, {"TEAM", team}, {"ROWS", 3}}));
        }
    }
}

TEST(Groups, LadderIsRightForOtherNumbersOfRowsAndColumns) {
    for (const std::int64_t each : {1, 3}) {
        expect_right(case_of("multiply_ladder", "two_rows", {{101, 10, 70}},
                             {{"ROWS", each}, {"GROUP", 32}}));
        expect_right(case_of("multiply_ladder", "four_columns", {{101, 10, 70}},
                             {{"GROUP", 32}, {"TRANSFERS", 1}}));
        expect_right(case_of("multiply_ladder", "two_columns", {{101, 10, 70}},
                             {{"COLUMNS", each}, {"GROUP", 96}}));
    }
}

// All work-items of a work-group reach the warp barriers, so work-group barriers can replace these
// where there are no warps: everything but the waiting itself is tested.
const std::vector<SourceEdit> groups_for_warps{
    {R"(asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");)", "barrier(CLK_LOCAL_MEM_FENCE);",
     "groups for warps"}};

TEST(Native, ReductionOfWarpsIsRightWithGroupsInTheirPlace) {
    const std::pair<std::int64_t, std::int64_t> groups_and_operations[] = {
        {32, 0}, {96, 1}, {1024, 2}, {1024, 0}};
    for (const auto& [group, operation] : groups_and_operations) {
        for (const std::uint64_t n : {1u, 4099u}) {
            expect_right(case_of("reduction", "warp", {{n}}, {{"GROUP", group}, {"OP", operation}}),
                         groups_for_warps);
        }
    }
    for (const ElementType type : {ElementType::f64, ElementType::i32}) {
        expect_right(case_of("reduction", "warp", {{70001}}, {}, type), groups_for_warps);
    }
}

TEST(Native, RowsOfWarpsAreRightWithGroupsInTheirPlace) {
    for (const std::int64_t group : test::every_nth<std::int64_t>({32, 96, 1024}, 2)) {
        for (const std::uint64_t width : {1u, 31u, 513u, 1031u}) {
            expect_right(
                case_of("matvec", "warp", {{width, 17}}, {{"GROUP", group}, {"GROUPS", 3}}),
                groups_for_warps);
        }
    }
    for (const ElementType type : {ElementType::f64, ElementType::i32}) {
        expect_right(case_of("matvec", "warp", {{1031, 67}}, {{"GROUPS", 8}}, type),
                     groups_for_warps);
    }
}

TEST(Native, ReductionsAndRowsOfWarpsNeedTheirBarriersOnTheHost) {
    ReferenceCache references(std::uint64_t{1} << 28);
    for (Opened& one : opened_devices()) {
        if (!one.entry.info.only_checks) continue;
        for (const Case& c :
             {case_of("matvec", "warp", {{1031, 7}}, {{"GROUP", 96}, {"GROUPS", 3}}),
              case_of("reduction", "warp", {{2051}}, {{"GROUP", 256}})}) {
            Program program = program_of(c, one.entry.info.backend);
            for (const char* barrier : {"    __syncwarp();\n", "        __syncthreads();\n"}) {
                program.edits = {{barrier, "", "no barrier"}};
                const Codes& codes = one.built(program, plan_of(c));
                Verifier verifier{*one.device, references};
                EXPECT_FALSE(verifier.verify(c, program, codes).right())
                    << c.title() << " without " << barrier;
            }
        }
    }
}

}  // namespace
}  // namespace parallax::products_test
