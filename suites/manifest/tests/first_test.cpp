// First manifests: they load as they are, and say what was guessed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "measure/gate.hpp"
#include "suites/manifest/manifest.hpp"
#include "suites/manifest/tests/folder.hpp"

namespace parallax::first_test {
namespace {

using testing::HasSubstr;

class FirstManifest : public testing::Test {
protected:
    testing_manifest::Folder folder_;

    Suite load(const std::string& source, std::span<const Define> defines = {}) {
        folder_.write("mine.cl", source);
        text_ = first_manifest("mine.cl", source, defines);
        return suite_from((folder_.path / "mine.json").string(), text_);
    }
    std::string text_;
};

TEST_F(FirstManifest, GuessesFromTheParameters) {
    const Suite suite = load(
        "__kernel void a(__global const float* x, __global float* y, __local float4* t, uint n, "
        "float f) { if (get_global_id(0) < n) y[get_global_id(0)] = f * x[get_global_id(0)]; }\n"
        "__kernel void b(__constant int* w, __global int* y, int width, int height) {}\n");
    ASSERT_EQ(suite.variants.size(), 2u);
    const Case c = make_case(suite, suite.variants[0], {{1000}}, ElementType::f32);
    const Plan plan = plan_of(c);
    EXPECT_EQ(plan.buffers[0].role, Role::input);
    EXPECT_EQ(plan.buffers[1].role, Role::in_out);
    const Launch& launch = *launches_of(plan).front();
    EXPECT_EQ(launch.geometry, (Geometry{{4, 1, 1}, {256, 1, 1}}));
    EXPECT_EQ(std::get<std::uint32_t>(std::get<Scalar>(launch.arguments[3])), 1000u);
    const Plan other = plan_of(make_case(suite, suite.variants[1], {{1000}}, ElementType::f32));
    const Launch& second = *launches_of(other).front();
    EXPECT_EQ(std::get<std::int32_t>(std::get<Scalar>(second.arguments[2])), 1000);
    EXPECT_EQ(std::get<std::int32_t>(std::get<Scalar>(second.arguments[3])), 1) << "one row";
    const Json json = Json::parse(text_);
    for (const char* guess : {"'x' of 'a'", "'y' of 'a'", "'t' of 'a'", "'n' of 'a'", "'f' of 'a'",
                              "'w' of 'b'", "'height' of 'b'", "tolerance", "no reference"}) {
        EXPECT_THAT(json["check"].dump(), HasSubstr(guess));
    }
}

TEST_F(FirstManifest, WithoutASizeGroupsAreWhole) {
    const Suite suite = load("__kernel void a(__global int* y) { y[get_global_id(0)] = 1; }");
    for (const Shape& shape : suite.check_shapes) EXPECT_EQ(shape[0] % 256, 0u);
    EXPECT_EQ(suite.tolerance({}).kind, Tolerance::Kind::value);
}

TEST_F(FirstManifest, KernelsThatCannotBeAreLeftOut) {
    const Suite suite = load(
        "typedef struct { int a; } S;\n"
        "__kernel void odd(__global S* s) {}\n"
        "__kernel void idle(int n) {}\n"
        "__kernel void good(__global REAL* y) { y[get_global_id(0)] = 1; }",
        std::vector<Define>{{"REAL", "double"}});
    ASSERT_EQ(suite.variants.size(), 1u);
    EXPECT_EQ(suite.types.front(), ElementType::f64);
    EXPECT_THAT(text_, HasSubstr("The kernel 'odd' is left out"));
    EXPECT_THAT(text_, HasSubstr("The kernel 'idle' is left out"));
    EXPECT_THROW(first_manifest("m.cl", "__kernel void idle(int n) {}"), UsageError);
    EXPECT_THROW(first_manifest("m.cl", "int x;"), UsageError);
}

TEST_F(FirstManifest, ItsNameIsNoSuites) {
    EXPECT_THAT(first_manifest("reduction.cl", "__kernel void a(__global int* y) {}"),
                HasSubstr("\"reduction_own\""));
    EXPECT_THAT(first_manifest("my kernel.cl", "__kernel void a(__global int* y) {}"),
                HasSubstr("\"my_kernel\""));
}

}  // namespace
}  // namespace parallax::first_test
