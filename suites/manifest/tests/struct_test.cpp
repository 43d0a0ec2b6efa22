// Tests structs in manifests: members against the kernel's source, arrays, nested structs.
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "measure/verification.hpp"
#include "suites/manifest/tests/loading.hpp"

namespace parallax::struct_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string body_text =
    "#define AXES 3\n"
    "typedef struct { float pos[AXES]; float4 box; uint tag; } Body;\n"
    "typedef struct { int n; float2 step; } World;\n"
    "__kernel void move(__global Body* b, const World w, __global float* y) {\n"
    "int i = get_global_id(0); if (i < w.n) y[i] = b[i].pos[0] * w.step.x; }\n";

class Structs : public testing_manifest::Loading {
protected:
    Structs() {
        folder_.write("scale.cl", body_text);
        json_["kernel"] = "move";
        json_["arguments"] = Json::parse(R"([
          {"name": "b", "type": "Body", "elements": "n", "use": "input", "members": [
            {"name": "pos", "type": "float[3]", "fill": {"value": 2}},
            {"name": "box", "type": "float4", "fill": "random"},
            {"name": "tag", "type": "uint", "fill": {"formula": "i"}}]},
          {"name": "w", "type": "World", "members": [
            {"name": "n", "type": "int", "value": "n"},
            {"name": "step", "type": "float2", "value": [0.5, 2]}]},
          {"name": "y", "type": "float", "elements": "n", "use": "output"}])");
    }
    /// The bytes of a struct passed by value, as launched.
    std::vector<std::byte> bytes_by_value(const std::string& declared, const Json& members) {
        folder_.write("scale.cl", declared +
                                      "__kernel void move(const World w, __global float* y) {"
                                      " y[get_global_id(0)] = 0; }\n");
        json_["arguments"] = {
            {{"name", "w"}, {"type", "World"}, {"members", members}},
            {{"name", "y"}, {"type", "float"}, {"elements", "n"}, {"use", "output"}}};
        const Suite suite = load();
        const Plan plan = plan_of(make_case(suite, suite.variants[0], {{4}}, suite.types.front()));
        return std::get<VectorValue>(std::get<Scalar>(launches_of(plan).front()->arguments.at(0)))
            .bytes;
    }
};

TEST_F(Structs, AreHeldAgainstTheText) {
    EXPECT_EQ(complaint(), "it loads");
    EXPECT_THAT(
        with("/arguments/0/members", {{{"name", "pos"}, {"type", "float[3]"}, {"fill", "random"}}}),
        AllOf(HasSubstr("$.arguments[0]: the struct Body has in the kernel float[3] pos, "
                        "float4 box, uint tag, and here it has float[3] pos"),
              HasSubstr("3 members")));
    EXPECT_THAT(with("/arguments/1/members/1/type", "float"), HasSubstr("write a"))
        << "its value is a list";
    EXPECT_THAT(with("/arguments/0/members/1/type", "float"),
                HasSubstr("$.arguments[0].members[1]: the struct Body has in the kernel"));
    EXPECT_THAT(with("/arguments/0/members/1/type", "float"), HasSubstr("write \"box\" as float4"));
    EXPECT_THAT(with("/arguments/0/members/0/type", "float[2]"),
                HasSubstr("write \"pos\" as float[3]"));
    EXPECT_THAT(with("/arguments/0/members/0/type", "float"),
                HasSubstr("write \"pos\" as float[3]"));
    EXPECT_THAT(with("/arguments/0/members/2/name", "label"), HasSubstr("write \"tag\" as uint"));
    EXPECT_EQ(with("/arguments/0/members/2/type", "int"), "it loads") << "the same bits";
    EXPECT_THAT(with("/arguments/0/members/0/type", "float[x]"), HasSubstr("an array as"));
    EXPECT_THAT(with("/arguments/1/members/1/value", {1}), HasSubstr("a list of 2 numbers"));
}

TEST_F(Structs, WhoseLayoutIsNoListAreRefused) {
    const auto said = [&](const std::string& declared) {
        folder_.write("scale.cl", declared +
                                      "__kernel void move(__global Body* b, const World w, "
                                      "__global float* y) {}\ntypedef int rest;");
        return complaint();
    };
    const std::string world = "typedef struct { int n; float2 step; } World;\n";
    const std::string members = "{ float pos[3]; float4 box; uint tag; }";
    EXPECT_EQ(said(world + "typedef struct " + members + " Body;\n"), "it loads");
    EXPECT_THAT(said(world + "typedef union " + members + " Body;\n"),
                HasSubstr("Body is a union in the kernel"));
    EXPECT_THAT(said(world + "typedef struct __attribute__((packed)) " + members + " Body;\n"),
                HasSubstr("Body is packed in the kernel"));
    EXPECT_THAT(said(world + "typedef struct { float pos[3]; float4 box; uint tag : 3; } Body;\n"),
                HasSubstr("one of bits"));
    EXPECT_EQ(said(world + "typedef struct { float pos[3]; float4 box;\n#ifdef A\nuint tag;\n"
                           "#endif\n} Body;\n"),
              "it loads")
        << "the branch is unknown here";
}

TEST_F(Structs, ArraysAndStructsWithinHaveTheirPlaces) {
    const auto as_floats = [](const std::vector<std::byte>& bytes) {
        std::vector<float> all(bytes.size() / sizeof(float));
        std::memcpy(all.data(), bytes.data(), bytes.size());
        return all;
    };
    EXPECT_THAT(as_floats(bytes_by_value(
                    "typedef struct { float g[3]; float f; } World;\n",
                    Json::parse(R"([{"name": "g", "type": "float[3]", "value": [1, 2, "n"]},
                                    {"name": "f", "type": "float", "value": 5}])"))),
                ElementsAre(1, 2, 4, 5));
    EXPECT_THAT(as_floats(bytes_by_value(
                    "typedef struct { float a; struct In { float2 v; float s; } in; float m[2]; }"
                    " World;\n",
                    Json::parse(R"([{"name": "a", "type": "float", "value": 1},
                                    {"name": "in", "type": "In", "members": [
                                      {"name": "v", "type": "float2", "value": [2, 3]},
                                      {"name": "s", "type": "float", "value": 4}]},
                                    {"name": "m", "type": "float[2]", "value": 7}])"))),
                ElementsAre(1, 0, 2, 3, 4, 0, 7, 7))
        << "the inner one begins at, and ends in, whole eights of bytes";
}

TEST_F(Structs, AsBytesHaveTheTextsSize) {
    json_["arguments"][1] = {{"name", "w"},
                             {"hex",
                              "01000000"
                              "00000000"
                              "0000003f"
                              "00000040"}};
    EXPECT_EQ(complaint(), "it loads");
    json_["arguments"][1]["hex"] = "01000000";
    EXPECT_THAT(complaint(),
                HasSubstr("$.arguments[1]: 'hex' has 4 bytes, and the struct World of 'w' has 16"));
}

TEST_F(Structs, ElementsOfABufferAreFilled) {
    const Suite suite = load();
    const Case c = make_case(suite, suite.variants[0], {{3}}, suite.types.front());
    const auto inputs = suite.inputs(c, {}, 1);
    const auto bytes = inputs.front().bytes();
    ASSERT_EQ(bytes.size(), 3u * 48);
    const auto at = [&](std::size_t offset, auto value) {
        std::memcpy(&value, bytes.data() + offset, sizeof value);
        return value;
    };
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(at(i * 48, 0.0f), 2.0f);
        EXPECT_EQ(at(i * 48 + 8, 0.0f), 2.0f) << "the array's third";
        EXPECT_EQ(at(i * 48 + 12, 1.0f), 0.0f) << "before the vector";
        EXPECT_EQ(at(i * 48 + 32, 0u), i);
    }
}

TEST_F(Structs, AreWrittenByInit) {
    const std::string made = first_manifest({.file = "scale.cl", .source = body_text});
    json_ = Json::parse(made);
    const Json& arguments = json_.at("arguments");
    EXPECT_EQ(arguments.at(0).at("members").at(0).at("type"), "float[3]");
    EXPECT_EQ(arguments.at(1).at("members").at(0).at("value"), "n");
    EXPECT_EQ(arguments.at(1).at("members").at(1).at("value"), Json({1.5, 0.75}));
    EXPECT_EQ(complaint(), "it loads") << made;
}

TEST_F(Structs, AMemberThatGuardsIsTheSize) {
    for (const char* space : {"__constant", "__global const"}) {
        const std::string text =
            std::string(
                "typedef struct { float dt; int n; } P;\n__kernel void k(__global float* y, ") +
            space + " P* p) { int i = get_global_id(0); if (i >= p->n) return; y[i] *= p->dt; }\n";
        folder_.write("scale.cl", text);
        json_ = Json::parse(first_manifest({.file = "scale.cl", .source = text}));
        EXPECT_EQ(json_.at("sizes").at("names"), Json({"n"})) << space;
        EXPECT_EQ(json_.at("arguments").at(1).at("members").at(1).at("fill"),
                  Json({{"formula", "n"}}));
        EXPECT_EQ(complaint(), "it loads");
    }
}

TEST_F(Structs, WhatStandsUnderCheckIsAList) {
    json_["check"] = "x";
    EXPECT_THAT(complaint(), HasSubstr("$.check: found \"x\"; write a list of sentences"));
    json_["check"] = {1};
    EXPECT_THAT(complaint(), HasSubstr("$.check[0]"));
    json_["check"] = Json::array();
    EXPECT_EQ(complaint(), "it loads");
}

TEST_F(Structs, AllNullsAreNamedAtOnce) {
    EXPECT_THAT(with("/sizes/timed", Json::array({nullptr})),
                HasSubstr("$.sizes.timed[0] is null, since it is not known yet; write it there."));
    json_["arguments"][0]["elements"] = nullptr;
    json_["arguments"][1]["members"][0]["value"] = nullptr;
    json_["arguments"][1]["members"][0]["ask"] = "How many?";
    EXPECT_THAT(complaint(),
                AllOf(HasSubstr("$.arguments[0]: 'elements' of 'b' is null"),
                      HasSubstr("$.arguments[1].members[0]: 'value' of 'n' is null, since it is "
                                "not known yet: How many?; write them there.")));
}

}  // namespace
}  // namespace parallax::struct_test
