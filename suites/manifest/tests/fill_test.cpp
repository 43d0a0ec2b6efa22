// Tests the contents of buffers: sorted numbers, permutations, sparse matrices, booleans.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/tests/thorough.hpp"
#include "measure/timed_inputs.hpp"
#include "measure/verification.hpp"
#include "suites/manifest/tests/loading.hpp"
#include "suites/tests/opened.hpp"

namespace parallax::fill_test {
namespace {

using testing::HasSubstr;

class Fill : public testing_manifest::Loading {
protected:
    Fill() {
        folder_.write(
            "fill.cl",
            "__kernel void fill(__global const int* rows, __global const ushort* columns, "
            "__global float* y, __global const bool* b) { y[0] = 1.0f; }");
        json_["source"] = "fill.cl";
        json_["kernel"] = "fill";
        json_["sizes"] = {{"names", {"n"}}, {"timed", {{1000}}}};
        json_["items"] = {1};
        json_["groups"] = {1};
        json_["arguments"] = Json::parse(R"([
            {"name": "rows", "type": "int", "elements": "n + 1",
             "fill": {"csr_offsets": ["5 * n", "n"]}},
            {"name": "columns", "type": "ushort", "elements": "5 * n",
             "fill": {"csr_columns": ["rows", "n"]}},
            {"name": "y", "type": "float", "elements": "n", "use": "in_out",
             "fill": {"sorted": [-10, 10]}},
            {"name": "b", "type": "bool", "elements": "n", "fill": "random"}])");
    }

    std::vector<HostArray> filled(std::uint64_t n, bool exact = false, std::uint64_t seed = 7,
                                  const std::string& name = "") {
        const Suite suite = load();
        const Case c = make_case(suite, suite.variants[0], {{n}}, ElementType::f32);
        return suite.inputs(c, {.name = name, .exact = exact}, seed);
    }
    std::vector<std::string> untried() {
        const Suite suite = load();
        return suite.untried(make_case(suite, suite.variants[0], {{9}}, ElementType::f32), {{{9}}});
    }
    std::vector<std::string> patterns() {
        const Suite suite = load();
        return names(
            input_patterns_of(make_case(suite, suite.variants[0], {{9}}, ElementType::f32)));
    }
};

TEST_F(Fill, AscendingNumbersAscend) {
    for (const bool exact : {false, true}) {
        const auto arrays = filled(1000, exact);
        const auto y = arrays[2].as<float>();
        EXPECT_TRUE(std::ranges::is_sorted(y));
        EXPECT_GE(y.front(), -10.0f);
        EXPECT_LT(y.front(), -9.0f);
        EXPECT_LT(y.back(), 10.0f);
        EXPECT_GE(y.back(), 9.0f);
        EXPECT_EQ(std::ranges::all_of(y, [](float one) { return one == std::floor(one); }), exact);
    }
    EXPECT_FALSE(std::ranges::equal(filled(1000)[2].bytes(), filled(1000, false, 8)[2].bytes()));
    json_["arguments"][0]["fill"] = {{"sorted", {0, "n"}}};
    json_["arguments"][1]["fill"] = "iota";
    const auto arrays = filled(1000);
    const auto whole = arrays[0].as<std::int32_t>();
    EXPECT_TRUE(std::ranges::is_sorted(whole));
    EXPECT_LT(whole.back(), 1000);
    EXPECT_THAT(with("/arguments/0/fill", "sorted"), HasSubstr("{\"sorted\": [low, high]}"));
}

TEST_F(Fill, RandomStaysFrom0UpTo1InEveryTrial) {
    json_["arguments"][2]["fill"] = "random";
    for (const bool exact : {false, true}) {
        const auto arrays = filled(60000, exact);
        const auto y = arrays[2].as<float>();
        EXPECT_GE(std::ranges::min(y), 0.0f);
        EXPECT_LT(std::ranges::max(y), 1.0f);
        EXPECT_EQ(std::ranges::all_of(y, [](float one) { return 8 * one == std::floor(8 * one); }),
                  exact);
        EXPECT_GE(std::set<float>(y.begin(), y.end()).size(), 7u);
    }
    // A number just below the end is rounded to it.
    json_["arguments"][2]["fill"] = {{"random", {16777215, 16777216}}};
    const auto arrays = filled(100);
    EXPECT_LT(std::ranges::max(arrays[2].as<float>()), 16777216.0f);
}

TEST_F(Fill, OfNumbersOnBothSidesOf0EachSideComesAlone) {
    EXPECT_EQ(patterns(), (std::vector<std::string>{"integers", "random"}));
    json_["arguments"][0]["fill"] = {{"random", {-1000000000, 1000000000}}};
    json_["arguments"][1]["fill"] = "iota";
    json_["arguments"][2]["fill"] = {{"random", {-0.5, 1}}};
    ASSERT_EQ(patterns(), (std::vector<std::string>{"integers", "random", "above 0"}));
    const auto ends = [&](bool exact, const std::string& name) {
        const auto arrays = filled(1000, exact, 7, name);
        const auto x = arrays[0].as<std::int32_t>();
        const auto y = arrays[2].as<float>();
        return std::array{static_cast<float>(std::ranges::min(x)),
                          static_cast<float>(std::ranges::max(x)), std::ranges::min(y),
                          std::ranges::max(y)};
    };
    const auto below = ends(true, "integers"), above = ends(true, "above 0"),
               all = ends(false, "random");
    EXPECT_LT(below[1], 0);
    EXPECT_LT(below[3], 0);
    EXPECT_GE(below[2], -0.5f);
    EXPECT_EQ(above[0], 1) << "0 would hide an accumulator that starts from it";
    EXPECT_EQ(above[2], 0.125f);
    EXPECT_LT(above[1], 8) << "whole numbers are small, so that they equal each other";
    EXPECT_LT(above[3], 1);
    EXPECT_TRUE(all[0] < 0 && all[1] > 0 && all[2] < 0 && all[3] > 0);
}

TEST_F(Fill, EachFillingHasNumbersOfItsOwn) {
    json_["arguments"][0]["fill"] = {{"random", {0, 16}}};
    json_["arguments"][1]["fill"] = "iota";
    EXPECT_FALSE(std::ranges::equal(filled(99, true)[0].bytes(), filled(99, false)[0].bytes()));
}

TEST_F(Fill, APermutationHasEachNumberOnce) {
    json_["arguments"][0]["fill"] = "permutation";
    json_["arguments"][1]["fill"] = "iota";
    for (const std::uint64_t n : {1, 2, 15, 16, 17, 1000, 100000}) {
        const auto arrays = filled(n);
        const auto all = arrays[0].as<std::int32_t>();
        const std::set<std::int32_t> seen(all.begin(), all.end());
        EXPECT_EQ(seen.size(), n + 1);
        EXPECT_EQ(*seen.begin(), 0);
        EXPECT_EQ(*seen.rbegin(), static_cast<std::int32_t>(n));
        EXPECT_TRUE(n < 100 || !std::ranges::is_sorted(all));
    }
    EXPECT_FALSE(std::ranges::equal(filled(99)[0].bytes(), filled(99, false, 8)[0].bytes()));
    json_["arguments"][1]["fill"] = "permutation";
    EXPECT_THAT([&] { filled(20000); }, testing::ThrowsMessage<UsageError>(HasSubstr(
                                            "ushort does not hold a permutation of 100000")));
}

TEST_F(Fill, RowsAndColumnsOfASparseMatrixFit) {
    for (const auto& [n, name] : {std::pair{5, ""},
                                  {6, ""},
                                  {1000, ""},
                                  {20000, ""},
                                  {5, with_extremes},
                                  {6, with_extremes},
                                  {1000, with_extremes}}) {
        const auto arrays = filled(n, false, 7, name);
        const auto rows = arrays[0].as<std::int32_t>();
        const auto columns = arrays[1].as<std::uint16_t>();
        EXPECT_EQ(rows.front(), 0);
        EXPECT_EQ(rows.back(), static_cast<std::int32_t>(columns.size()));
        std::set<std::int32_t> lengths;
        for (std::size_t row = 0; row + 1 < rows.size(); ++row) {
            ASSERT_LE(rows[row], rows[row + 1]);
            lengths.insert(rows[row + 1] - rows[row]);
            for (std::int32_t k = rows[row]; k < rows[row + 1]; ++k) {
                const auto at = static_cast<std::size_t>(k);
                ASSERT_LT(columns[at], n);
                ASSERT_TRUE(k == rows[row] || columns[at - 1] < columns[at]) << "each once";
            }
        }
        EXPECT_TRUE(n < 1000 || lengths.size() > 3) << "rows differ";
        if (n == 1000 && name != std::string()) {
            EXPECT_TRUE(lengths.contains(0) && lengths.contains(1));
            EXPECT_GT(*lengths.rbegin(), 600);
        }
    }
    EXPECT_THAT([&] { filled(4); }, testing::ThrowsMessage<UsageError>(HasSubstr(
                                        "no matrix of 4 rows (one less than the buffer's elements) "
                                        "and 4 columns has 20 elements")));
    // Rows may also begin at given offsets.
    json_["arguments"][0]["fill"] = {{"formula", "5 * i"}};
    EXPECT_LT(filled(1000)[1].as<std::uint16_t>()[4], 1000);
    json_["arguments"][0]["fill"] = {{"formula", "6 * i"}};
    EXPECT_THAT([&] { filled(1000); },
                testing::ThrowsMessage<UsageError>(HasSubstr("row 833 is from 4998 up to 5004")));
    EXPECT_THAT(with("/arguments/1/fill", Json{{"csr_columns", {"y", "n"}}}), "it loads");
    json_["arguments"][1]["fill"] = {{"csr_columns", {"y", "n"}}};
    EXPECT_THAT([&] { filled(1000); },
                testing::ThrowsMessage<UsageError>(HasSubstr("'y' is no buffer of whole numbers")));
    for (const char* name : {"rows", "columns", "nobody"}) {
        json_["arguments"][0]["fill"] = {{"csr_columns", {"columns", "n"}}};
        json_["arguments"][1]["fill"] = {{"csr_columns", {name, "n"}}};
        EXPECT_THAT([&] { filled(1000); },
                    testing::ThrowsMessage<UsageError>(HasSubstr("is no buffer of whole numbers")));
    }
    json_["arguments"][0]["elements"] = 1;
    json_["arguments"][0]["fill"] = {{"csr_offsets", {0, 1}}};
    EXPECT_THAT([&] { filled(1000); },
                testing::ThrowsMessage<UsageError>(HasSubstr("no matrix of 0 rows")));
    EXPECT_THAT(with("/arguments/2/fill", Json{{"csr_offsets", {1, 1}}}),
                HasSubstr("rows and columns are whole numbers"));
}

TEST_F(Fill, ColumnsStayBelowTheirCountHoweverManyThereAre) {
    folder_.write("fill.cl",
                  "__kernel void fill(__global const int* rows, __global const ulong* columns, "
                  "__global float* y, __global const bool* b) { y[0] = 1.0f; }");
    json_["arguments"][0]["fill"] = {{"formula", "5 * n * min(i, 1)"}};
    json_["arguments"][1]["type"] = "ulong";
    constexpr std::uint64_t count = std::uint64_t{1} << 53;
    json_["arguments"][1]["fill"] = {{"csr_columns", {"rows", count}}};
    const auto arrays = filled(1000);
    const auto columns = arrays[1].as<std::uint64_t>();
    EXPECT_TRUE(std::ranges::is_sorted(columns));
    EXPECT_LT(std::ranges::max(columns), count);
}

TEST_F(Fill, NumbersThatFollowTheSizeFitTheirType) {
    json_["arguments"][1]["fill"] = {{"random", {0, "n"}}};
    EXPECT_LT(std::ranges::max(filled(1000)[1].as<std::uint16_t>()), 1000);
    for (const Json& range : {Json{0, "100 * n"}, Json{"-n", 10}}) {
        for (const char* kind : {"random", "sorted"}) {
            json_["arguments"][1]["fill"] = {{kind, range}};
            EXPECT_THAT([&] { filled(1000); }, testing::ThrowsMessage<UsageError>(
                                                   HasSubstr("ushort does not hold numbers from")))
                << range << kind;
        }
    }
}

TEST_F(Fill, ExtremesAreTheEndsOfTheRangeAndNumbersOfEverySize) {
    const std::int64_t most = std::int64_t{1} << 31;
    json_["arguments"][0]["fill"] = {{"random", {-most, most}}};
    json_["arguments"][1]["fill"] = {{"random", {"n", "2 * n"}}};
    json_["arguments"][2]["fill"] = {{"random", {-10, 10}}};
    folder_.write(
        "fill.cl",
        "__kernel void fill(__global const int* rows, __global const ushort* columns, "
        "__global float* y, __global const bool* b) { if (rows[0] > 7654) y[0] = 1.0f; }");
    EXPECT_THAT(names(load().tried_once),
                testing::ElementsAre(with_extremes, with_high, with_low, drawn_again));
    const auto arrays = filled(5000, false, 7, with_extremes);
    const auto x = arrays[0].as<std::int32_t>();
    const std::set<std::int32_t> seen(x.begin(), x.end());
    for (const std::int64_t one :
         {-most, most - 1, std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{7653},
          std::int64_t{7654}, std::int64_t{7655}, std::int64_t{-7654}})
        EXPECT_TRUE(seen.contains(static_cast<std::int32_t>(one))) << one;
    for (int bits = 0; bits < 31; ++bits) {
        const auto from = seen.lower_bound(1 << bits);
        EXPECT_TRUE(from != seen.end() && *from / 2 < 1 << bits) << "none of " << bits << " bits";
    }
    EXPECT_EQ(x[0], 0);
    const auto leads = arrays[1].as<std::uint16_t>();
    EXPECT_EQ(std::ranges::min(leads), 5000);
    EXPECT_EQ(std::ranges::max(leads), 9999);
    const auto y = arrays[2].as<float>();
    EXPECT_EQ(std::ranges::min(y), -10);
    EXPECT_LT(std::ranges::max(y), 10);
    EXPECT_NEAR(static_cast<double>(std::ranges::count(y, 0.0f)), 1250, 200);
}

TEST_F(Fill, WhatIsOutsideOfARangeIsNotTried) {
    const auto outside = [&](const Json& of_rows, const Json& of_y) {
        json_["arguments"][0]["fill"] = of_rows;
        json_["arguments"][1]["fill"] = {{"random", {0, 65536}}};
        json_["arguments"][2]["fill"] = of_y;
        std::vector<std::string> found = untried();
        std::erase_if(found, [](const std::string& one) { return !one.starts_with("Numbers"); });
        return found;
    };
    const std::int64_t most = std::int64_t{1} << 31;
    const Json all{{"random", {-most, most}}};
    EXPECT_THAT(outside(all, {{"random", {-0.5, 1}}}),
                testing::ElementsAre("Numbers outside of -0.5 to 1 in 'y'."));
    EXPECT_THAT(outside(all, "random"), testing::ElementsAre("Numbers outside of 0 to 1 in 'y'."));
    EXPECT_THAT(outside({{"random", {0, "n"}}}, {{"random", {0, "n"}}}),
                testing::ElementsAre("Numbers outside of 0 to n in 'rows', 'y'."));
    EXPECT_THAT(outside("permutation", "zeros"),
                testing::ElementsAre("Numbers that repeat in 'rows', a permutation."));
}

TEST_F(Fill, NumbersOfTheSourceAreAtTheEndsAtSomeSize) {
    json_["arguments"][0]["fill"] = {{"random", {-128, 128}}};
    json_["arguments"][1]["fill"] = {{"random", {0, 100}}};
    json_["sizes"]["checked"] = {{20}, {30}, {40}};
    folder_.write("fill.cl",
                  "__kernel void fill(__global const int* rows, __global const ushort* columns, "
                  "__global float* y, __global const bool* b) {"
                  " if (columns[0] == 77 || rows[0] == '\\n') y[0] = 1.0f; }");
    std::set<int> ends;
    for (const std::int64_t size : {20, 30, 40}) {
        const auto arrays = filled(size, true);
        const auto columns = arrays[1].as<std::uint16_t>();
        EXPECT_EQ(columns.front(), columns.back());
        ends.insert(columns.front());
    }
    EXPECT_THAT(ends, testing::IsSupersetOf({10, 77}));
}

TEST_F(Fill, HighAndLowInputsAreOfOneEighthOfTheRange) {
    const std::int64_t most = std::int64_t{1} << 31;
    json_["arguments"][0]["fill"] = {{"random", {-most, most}}};
    json_["arguments"][1]["fill"] = {{"random", {0, 2}}};
    json_["arguments"][2]["fill"] = {{"random", {-0.5, 1}}};
    const auto high = filled(5000, false, 7, with_high), low = filled(5000, false, 7, with_low);
    EXPECT_GE(std::ranges::min(high[0].as<std::int32_t>()), most - most / 4);
    EXPECT_LT(std::ranges::max(low[0].as<std::int32_t>()), -most + most / 4);
    EXPECT_EQ(std::ranges::min(high[1].as<std::uint16_t>()), 1);
    EXPECT_EQ(std::ranges::max(low[1].as<std::uint16_t>()), 0);
    EXPECT_GE(std::ranges::min(high[2].as<float>()), 0.8125f);
    EXPECT_LT(std::ranges::max(high[2].as<float>()), 1);
    EXPECT_LT(std::ranges::max(low[2].as<float>()), -0.3125f);
}

TEST_F(Fill, SpecialValuesAreTriedWhereTheManifestSaysSo) {
    json_["arguments"][2]["fill"] = {{"random", {-10, 10}}};
    const auto has = [&](const auto& is) {
        const auto arrays = filled(5000, false, 7, with_special);
        return std::ranges::any_of(arrays[2].as<float>(), is);
    };
    const auto is_nan = [](float one) { return std::isnan(one); };
    EXPECT_FALSE(has(is_nan));
    EXPECT_THAT(untried(), testing::Contains(HasSubstr("NaN, infinities and denormals in 'y'")));
    json_["arguments"][2]["fill"]["special"] = true;
    EXPECT_THAT(names(load().tried_once), testing::Contains(with_special));
    EXPECT_THAT(untried(), testing::Not(testing::Contains(HasSubstr("NaN"))));
    EXPECT_TRUE(has(is_nan));
    EXPECT_TRUE(std::isnan(filled(5000, false, 7, with_special)[2].as<float>().back()));
    const auto few = filled(5000, false, 7, with_few_special);
    const auto special =
        std::ranges::count_if(few[2].as<float>(), [](float one) { return !std::isnormal(one); });
    EXPECT_GE(special, 3);
    EXPECT_LE(special, 30);
    EXPECT_TRUE(has([](float one) { return std::isinf(one) && one < 0; }));
    EXPECT_TRUE(has([](float one) { return one == 0 && std::signbit(one); }));
    EXPECT_TRUE(has([](float one) { return std::fpclassify(one) == FP_SUBNORMAL; }));
    const auto plain = filled(5000);
    EXPECT_TRUE(std::ranges::none_of(plain[2].as<float>(), is_nan)) << "in the other trials none";
    EXPECT_THAT(with("/arguments/2/fill/special", 1), HasSubstr("found 1; write true"));
    EXPECT_THAT(with("/arguments/2/fill", Json{{"sorted", {0, 1}}, {"special", true}}),
                HasSubstr("together with"));
    EXPECT_THAT(with("/arguments/1/fill", Json{{"random", {0, 9}}, {"special", true}}),
                HasSubstr("ushort has no NaN"));
}

TEST_F(Fill, HostileOnesAreRefused) {
    expect_no_value_to_harm();
}

TEST_F(Fill, TruthValuesAreZeroOrOne) {
    for (const char* word : {"random", "integers"}) {
        json_["arguments"][3]["fill"] = word;
        const auto arrays = filled(1000, true);
        const auto b = arrays[3].as<std::uint8_t>();
        EXPECT_EQ(std::set<int>(b.begin(), b.end()), (std::set<int>{0, 1}));
    }
    EXPECT_EQ(with("/arguments/3/fill", Json{{"random", {0, 2}}}), "it loads");
    EXPECT_THAT(with("/arguments/3/fill", Json{{"random", {0, 3}}}), HasSubstr("0 or 1"));
    json_["arguments"][3]["fill"] = {{"formula", "i % 3"}};
    EXPECT_THAT([&] { filled(1000); }, testing::ThrowsMessage<UsageError>(HasSubstr(
                                           "'i % 3' is 2 for i = 2, which bool does not hold")));
    EXPECT_THAT(with("/arguments/3/fill", Json{{"value", 2}}),
                HasSubstr("what bool holds, 0 or 1"));
    EXPECT_THAT(with("/arguments/3/fill", "iota"), HasSubstr("what bool holds, 0 or 1"));
    EXPECT_THAT(with("/arguments/3/type", "uchar"), HasSubstr("a buffer of bool"));
}

/// Devices draw the same values as the host.
class Drawn : public Fill {
protected:
    ReferenceCache references_{1 << 26};

    /// @param element  the type of `x`
    void fill_is(const std::string& element, const Json& fill, const Json& elements = "n") {
        folder_.write("fill.cl", "__kernel void fill(__global const " + element +
                                     "* x, __global float* y) { y[0] = 1.0f; }");
        json_["arguments"] = {
            {{"name", "x"}, {"type", element}, {"elements", elements}, {"fill", fill}},
            {{"name", "y"},
             {"type", "float"},
             {"elements", "n"},
             {"use", "in_out"},
             {"fill", "random"}}};
    }

    /// Holds the inputs of some keys against those of the host, on every device with doubles.
    void expect_the_same(const std::string& what) {
        const Suite suite = load();
        ASSERT_TRUE(suite.drawing) << what;
        RunConfig config;
        config.references = &references_;
        config.seed = 3;
        for (const std::uint64_t n : {1, 2, 1000}) {
            const Case c = make_case(suite, suite.variants[0], {{n}}, suite.types[0]);
            for (Opened& on : opened_devices()) {
                const Plan plan = plan_of(c);
                TimedInputs inputs(*on.device, c, plan, config);
                if (!inputs.by_batch()) continue;
                Binding binding(*on.device, plan, Binding::HostMemories());
                inputs.load(binding, 11, std::byte{0xff});
                for (const std::uint64_t key : {12u, 13u}) {
                    on.device->run(inputs.writes(binding, key));
                    const auto made = suite.inputs(c, inputs.pattern(key), inputs.seed(key));
                    for (std::size_t i = 0; i < made.size(); ++i) {
                        const HostArray drawn =
                            on.device->download(*binding.memory()[i], made[i].type());
                        EXPECT_TRUE(std::ranges::equal(drawn.bytes(), made[i].bytes()))
                            << what << ", buffer " << i << " of " << n << " on "
                            << on.entry.info.id();
                    }
                }
            }
        }
    }
};

TEST_F(Drawn, OfEveryTypeAreTheSameBitsOnEveryDevice) {
    unsigned which = 0;
    for (const std::string type : {"char", "uchar", "short", "ushort", "int", "uint", "long",
                                   "ulong", "half", "float", "double", "bool"}) {
        const bool is_signed = type != "bool" && !type.starts_with('u');
        std::vector<Json> fills{"random", "integers", "zeros", {{"value", 1}}};
        if (type != "bool") {
            const Json range{is_signed ? -100 : 0, 100};
            fills.insert(fills.end(), {{{"random", range}}, {{"sorted", range}}, "iota"});
        }
        if (type == "half" || type == "float") fills.push_back({{"random", {-1e-5, 3.1}}});
        if (type == "int" || type == "float") fills.emplace_back("permutation");
        for (const Json& fill : fills) {
            if (type == "char" && fill == Json("iota")) continue;  // it has no room for them
            // The sample has every type, every fill, and all of float.
            if (which++ % 6 != 0 && type != "float" && !test::is_thorough()) continue;
            fill_is(type, fill);
            if (complaint() == "it loads") expect_the_same(type + fill.dump());
        }
    }
}

TEST_F(Drawn, MatricesAndStructsAreToo) {
    json_["arguments"][1]["elements"] = "5 * n + 3";
    json_["arguments"][0]["fill"] = {{"csr_offsets", {"n", "n"}}};
    for (const char* type : {"int", "ulong"}) {
        json_["arguments"][0]["type"] = type;
        folder_.write("fill.cl", "__kernel void fill(__global const " + std::string(type) +
                                     "* rows, __global const ushort* columns, __global float* y, "
                                     "__global const bool* b) { y[0] = 1.0f; }");
        expect_the_same("rows");
    }
    folder_.write("fill.cl",
                  "typedef struct { float pos[3]; float4 box; uint tag; short s; } Body;\n"
                  "__kernel void fill(__global const Body* b, __global float* y) { y[0] = 1.0f; }");
    json_["arguments"] = Json::parse(R"([
        {"name": "b", "type": "Body", "elements": "n", "use": "input", "members": [
            {"name": "pos", "type": "float[3]", "fill": {"random": [-2, 7]}},
            {"name": "box", "type": "float4", "fill": "random"},
            {"name": "tag", "type": "uint", "fill": "permutation"},
            {"name": "s", "type": "short", "fill": {"value": -3}}]},
        {"name": "y", "type": "float", "elements": "n", "use": "output"}])");
    expect_the_same("struct");
    json_["arguments"][0]["members"][2]["fill"] = {{"formula", "n - i"}};
    expect_the_same("struct of which the host makes a member");
}

TEST_F(Drawn, WhatNoKernelMakesIsNamed) {
    fill_is("float", {{"formula", "i"}});
    const Suite suite = load();
    const Case c = make_case(suite, suite.variants[0], {{9}}, suite.types[0]);
    const std::vector<DrawnBuffer> drawing = suite.drawing(c);
    EXPECT_TRUE(drawing.at(0).has_rest);
    EXPECT_FALSE(drawing.at(0).varies());
    EXPECT_TRUE(drawing.at(1).varies());
    expect_the_same("a formula");
    json_["arguments"][1]["fill"] = "zeros";
    EXPECT_FALSE(load().drawing) << "nothing is drawn";
}

}  // namespace
}  // namespace parallax::fill_test
