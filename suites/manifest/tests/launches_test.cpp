// Tests several successive kernels, and sources that depend on the size.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/verification.hpp"
#include "suites/manifest/tests/loading.hpp"

namespace parallax::launches_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Launches : public testing_manifest::Loading {
protected:
    Launches() {
        folder_.write("two.cl",
                      "__kernel void partial(__global const float* in, __global float* parts, "
                      "__local float* tile) {}\n"
                      "__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void sum("
                      "__global const float* parts, __global float* total, uint count) {}\n");
        for (const char* key : {"kernel", "items", "groups"}) json_.erase(key);
        json_["source"] = "two.cl";
        json_["arguments"] = Json::parse(R"json([
            {"name": "count", "type": "uint", "value": "ceil(n / 64)"
        },
            {"name": "total", "type": "float", "elements": 1, "use": "output"},
            {"name": "x", "type": "float", "elements": "n", "fill": "random"},
            {"name": "parts", "type": "float", "elements": "groups_x", "use": "scratch"},
            {"name": "tile", "type": "float", "local": "items_x"}])json");
        json_["launches"] = Json::parse(R"json([
            {"kernel": "partial", "arguments": ["x", "parts", "tile"], "items": [64],
             "groups": ["ceil(n / 64)"]
        },
            {"kernel": "sum", "arguments": ["parts", "total", "count"], "items": [1],
             "groups": [1]}])json");
    }
};

TEST_F(Launches, ShareTheirBuffers) {
    const Suite suite = load();
    EXPECT_EQ(suite.variants.front().name, "partial");
    const Case c = make_case(suite, suite.variants.front(), {{1000}}, ElementType::f32);
    const Plan plan = plan_of(c);
    const auto launches = launches_of(plan);
    ASSERT_EQ(launches.size(), 2u);
    EXPECT_EQ(launches[0]->kernel, "partial");
    EXPECT_EQ(launches[0]->geometry, (Geometry{{16, 1, 1}, {64, 1, 1}}));
    EXPECT_EQ(launches[1]->geometry, (Geometry{{1, 1, 1}, {1, 1, 1}}));
    ASSERT_EQ(plan.buffers.size(), 3u) << "each once";
    const auto buffer = [&](std::size_t launch, std::size_t argument) {
        return plan.buffers.at(
            std::get<BufferIndex>(launches[launch]->arguments.at(argument)).index);
    };
    EXPECT_EQ(buffer(0, 0).name, "x");
    EXPECT_EQ(buffer(0, 1).name, "parts");
    EXPECT_EQ(buffer(0, 1).elements, 16u) << "the groups of the launch that has it first";
    EXPECT_EQ(buffer(1, 0).name, "parts");
    EXPECT_EQ(buffer(1, 1).name, "total");
    EXPECT_EQ(launches[0]->local_bytes(), 256u);
    EXPECT_EQ(std::get<std::uint32_t>(std::get<Scalar>(launches[1]->arguments[2])), 16u);
    const auto inputs = suite.inputs(c, input_patterns_of(c)[1], 1);
    ASSERT_EQ(inputs.size(), 1u);
    EXPECT_EQ(inputs[0].size(), 1000u);
}

TEST_F(Launches, HostileOnesAreRefused) {
    json_["constants"]["ITEMS"] = "n";
    expect_no_value_to_harm();
    json_["arguments"].at(0)["name"] = "../count";
    json_["launches"].at(1)["arguments"].at(2) = "../count";
    EXPECT_THAT(complaint(), HasSubstr("letters, digits and _"));
}

TEST_F(Launches, AreHeldAgainstTheirKernels) {
    EXPECT_EQ(complaint(), "it loads");
    EXPECT_THAT(with("/launches/1/kernel", "other"),
                AllOf(HasSubstr("$.launches[1].kernel: "), HasSubstr("has no kernel 'other'")));
    EXPECT_THAT(with("/launches/1/arguments/0", "partz"), HasSubstr("one of the 'arguments'"));
    EXPECT_THAT(with("/launches/1/arguments", {"parts", "total", "count", "count"}),
                HasSubstr("4 argument(s), and 'sum' has 3"));
    EXPECT_THAT(with("/launches/1/arguments", {"parts", "count", "total"}),
                HasSubstr("'total' is a buffer of float in the kernel"));
    EXPECT_THAT(with("/launches/1/items", {2}),
                AllOf(HasSubstr("$.launches[1].items"), HasSubstr("groups of 1 x 1 x 1")));
    EXPECT_THAT(
        with("/launches/0/arguments", {"x", "tile", "parts"}),
        HasSubstr("'parts' is a buffer of float in the kernel: write 'elements', and not 'local'"));
    EXPECT_THAT(with("/kernel", "sum"), HasSubstr("'kernel' is next to 'launches'"));
    EXPECT_THAT(with("/launches/0/offset", {1}), HasSubstr("the key 'offset' is not known"));
    EXPECT_THAT(with("/arguments/2/use", "output"), HasSubstr("'x' points to const in the kernel"));
    EXPECT_THAT(with("/launches", Json::array()), HasSubstr("one object or more"));
    json_["arguments"].push_back({{"name", "more"}, {"type", "uint"}, {"value", 1}});
    EXPECT_THAT(complaint(), HasSubstr("no launch has the argument 'more'"));
    json_["arguments"].at(5) = {{"same_as", 1}};
    EXPECT_THAT(complaint(), HasSubstr("none has 'same_as'"));
}

class Following : public testing_manifest::Loading {
protected:
    Following() { json_["constants"] = {{"ITEMS", "2 * n + BASE"}, {"BASE", 1}}; }
};

TEST_F(Following, ConstantsHaveAValueForEachSize) {
    const Suite suite = load();
    const Variant& variant = suite.variants.front();
    const Case c = make_case(suite, variant, {{1000}}, ElementType::f32);
    EXPECT_EQ(c["ITEMS"], 2001);
    EXPECT_EQ(with_shape(c, {{10}})["ITEMS"], 21);
    EXPECT_EQ(make_case(suite, variant, {{10}}, ElementType::f32, {{"BASE", 5}})["ITEMS"], 25);
    EXPECT_EQ(make_case(suite, variant, {{10}}, ElementType::f32, {{"ITEMS", 21}})["ITEMS"], 21)
        << "what it is can be said";
    EXPECT_THAT(
        [&] {
            make_case(suite, variant, {{10}}, ElementType::f32, {{"ITEMS", 22}});
        },
        testing::ThrowsMessage<UsageError>(
            HasSubstr("ITEMS follows from the size, and is 21 for 10")));
    EXPECT_EQ(with_constants(c, {{"BASE", 5}})["ITEMS"], 2005) << "as a knob changes it";
    for (const VerificationTrial& trial : trials_of(c, false, true)) {
        EXPECT_EQ(trial.the_case["ITEMS"],
                  2 * static_cast<std::int64_t>(trial.the_case.shape[0]) + 1);
    }
}

TEST_F(Following, WrongFormulasAreNamed) {
    EXPECT_EQ(complaint(), "it loads");
    EXPECT_THAT(with("/constants/ITEMS", "n / 2"),
                AllOf(HasSubstr("$.constants.ITEMS: "), HasSubstr("(with n = ")));
    EXPECT_THAT(with("/constants/BASE", "ITEMS"), HasSubstr("the names here are n"))
        << "of those that stay only";
    Json variant{{"kernel", "scale"}, {"arguments", json_["arguments"]}, {"items", {64}}};
    variant["groups"] = {"ceil(n / 64)"};
    variant["constants"] = {{"ITEMS", 3}};
    for (const char* key : {"kernel", "arguments", "items", "groups"}) json_.erase(key);
    json_["variants"] = {variant};
    EXPECT_THAT(complaint(), HasSubstr("'ITEMS' follows from the size"));
}

}  // namespace
}  // namespace parallax::launches_test
