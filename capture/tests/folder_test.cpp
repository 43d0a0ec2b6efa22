// Tests reading captured folders: edited, untrusted, and as reported by a diff.
#include "suites/manifest/tests/folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include "common/device/build_options.hpp"
#include "common/error.hpp"
#include "common/profile.hpp"
#include "measure/element_scale.hpp"
#include "records/capture.hpp"
#include "report/capture/capture_text.hpp"
#include "studies/capture/program_verdict.hpp"
#include "studies/diff/diff.hpp"
#include "suites/manifest/captured.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::folder_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_manifest::Folder;

TEST(BuildOptions, BecomeMacrosFoldersAndFloatRules) {
    const BuildOptions options = parse_build_options(
        "-D A -DB=\"x y\" -DF(x)=x+1 -I inc -I\"a b\" -cl-std=CL2.0 -cl-denorms-are-zero -U A -w");
    EXPECT_THAT(options.defines, ElementsAre(Define{"B", "x y"}, Define{"F(x)", "x+1"}));
    EXPECT_THAT(options.folders, ElementsAre("inc", "a b"));
    EXPECT_EQ(options.standard, "CL2.0");
    EXPECT_EQ(options.floats,
              (FloatRules{.contract = true, .exact_division = false, .flush_denormals = true}));
    EXPECT_TRUE(parse_build_options("-cl-fast-relaxed-math").floats.relaxed);
    EXPECT_THAT(parse_build_options("-cl-single-precision-constant").without_counterpart,
                ElementsAre("-cl-single-precision-constant"));
}

Json captured_manifest() {
    return Json::parse(R"json({"parallax": "manifest", "version": 1, "name": "f", "source": "f.cl",
        "options": "-DBY=2", "expand": true, "sizes": {"names": ["items"], "timed": [[4]]},
        "kernel": "f", "items": [2], "global": [4], "offset": [8],
        "arguments": [{"hex": "03000000"}, {"bytes": 64, "fill": {"file": "before.bin"}, "after": "after.bin"},
                      {"same_as": 1}]})json");
}

class CapturedFolder : public testing::Test {
protected:
    Folder folder;
    CapturedFolder() {
        folder.write("capture.json", R"({"parallax": "capture", "version": 1})");
        folder.write(
            "f.cl",
            "__kernel void f(int a, __global const float* x, __global float* y) {\n"
            "    y[get_global_id(0)] = x[get_global_id(0)] + a * BY + get_work_dim();\n}\n");
        folder.write("before.bin", std::string(64, '\0'));
        folder.write("after.bin", std::string(64, '\1'));
    }
    CapturedSuite read(const Json& json, const ManifestPermissions& permissions = {}) const {
        folder.write("f.json", json.dump());
        return captured_suite(folder.path.string(), permissions);
    }
    std::string complaint(const Json& json, const ManifestPermissions& permissions = {}) const {
        try {
            read(json, permissions);
        } catch (const UsageError& error) {
            return error.what();
        }
        return "none";
    }
};

TEST_F(CapturedFolder, TakesNamesAndTypesFromTheText) {
    const CapturedSuite captured = read(captured_manifest());
    const Suite& suite = captured.suite;
    ASSERT_EQ(suite.variants.size(), 1U);
    const Variant& variant = suite.variants.front();
    EXPECT_EQ(variant.name, "f");
    EXPECT_EQ(variant.floats, (FloatRules{.contract = true, .exact_division = false}));
    const Case c = make_case(suite, variant, variant.shapes.front(), suite.types.front());
    const Plan plan = variant.plan(c);
    ASSERT_EQ(plan.buffers.size(), 1U);
    EXPECT_EQ(plan.buffers.front().name, "x");
    EXPECT_EQ(plan.buffers.front().type, ElementType::f32);
    EXPECT_EQ(plan.buffers.front().elements, 16U);
    EXPECT_EQ(plan.buffers.front().role, Role::in_out) << "the argument that is the same writes it";
    const Launch& launch = *plan.steps.front().launch();
    EXPECT_EQ(launch.geometry.groups.x, 2U);
    EXPECT_EQ(std::get<Scalar>(launch.arguments.at(0)), Scalar(std::int32_t{3}));
    EXPECT_EQ(std::get<BufferIndex>(launch.arguments.at(2)).index, 0U);
    const std::string text = suite.text(variant.source);
    EXPECT_THAT(text, HasSubstr("8ul")) << "the offset stands in the text of both sides";
    EXPECT_THAT(text, HasSubstr("1u"));
    EXPECT_EQ(suite.inputs(c, {}, 0).at(0).bytes()[5], std::byte{0});
    EXPECT_EQ(std::get<HostArray>(suite.reference(c, {}).at(0).values).bytes()[5], std::byte{1});
    EXPECT_TRUE(is_captured_tolerance(suite.tolerance(c)));
}

TEST_F(CapturedFolder, StructsAreComparedFieldByField) {
    folder.write("f.cl",
                 "typedef struct { float x; short id; struct { int a; double b; } in[2]; } Body;\n"
                 "typedef union { struct { float x, y; }; float2 both; } Complex;\n"
                 "typedef union { float x; int bits; } Either;\n"
                 "__kernel void f(__global Body* all, __global Complex* c, __global Either* e) {\n"
                 "    all[0].x = 1; c[0].x = 2; e[0].x = 3;\n}\n");
    Json json = captured_manifest();
    for (int i = 0; i < 3; ++i) json["arguments"][i] = captured_manifest()["arguments"][1];
    json["arguments"][0]["bytes"] = 80;
    const Suite suite = read(json).suite;
    const Variant& variant = suite.variants.front();
    const Plan plan =
        variant.plan(make_case(suite, variant, variant.shapes.front(), suite.types.front()));
    ASSERT_EQ(plan.buffers.size(), 3U);
    EXPECT_EQ(plan.buffers[0].struct_bytes, 40U);
    EXPECT_EQ(plan.buffers[0].parts, (std::vector<StructPart>{{0, ElementType::f32, 1},
                                                              {4, ElementType::i16, 1},
                                                              {8, ElementType::i32, 1},
                                                              {16, ElementType::f64, 1},
                                                              {24, ElementType::i32, 1},
                                                              {32, ElementType::f64, 1}}));
    EXPECT_EQ(plan.buffers[1].type, ElementType::f32) << "numbers of one type alone";
    EXPECT_EQ(plan.buffers[1].elements, 16U);
    EXPECT_EQ(plan.buffers[2].type, ElementType::u8) << "of which type the bytes are is not known";
}

/// The number of entries of a phase.
unsigned times_of(const Profile& profile, std::string_view detail) {
    unsigned count = 0;
    for (const PhaseTime& one : profile.times(0)) count += one.detail == detail ? one.count : 0;
    return count;
}

/// The text compressed by zstd, as several frames followed by a table.
std::string packed(const std::string& text, std::size_t frame_bytes) {
    std::string all, table;
    const auto add = [](std::string& to, std::uint32_t word) {
        for (int shift = 0; shift < 32; shift += 8) to += static_cast<char>(word >> shift);
    };
    std::uint32_t frames = 0;
    for (std::size_t at = 0; at < text.size(); at += frame_bytes, ++frames) {
        const std::string_view part = std::string_view(text).substr(at, frame_bytes);
        std::string frame(ZSTD_compressBound(part.size()), '\0');
        frame.resize(ZSTD_compress(frame.data(), frame.size(), part.data(), part.size(), 1));
        add(table, static_cast<std::uint32_t>(frame.size()));
        add(table, static_cast<std::uint32_t>(part.size()));
        all += frame;
    }
    add(all, 0x184D2A5E);
    add(all, static_cast<std::uint32_t>(table.size() + 9));
    all += table;
    add(all, frames);
    all += '\0';
    add(all, 0x8F92EAB1);
    return all;
}

TEST_F(CapturedFolder, IsReadOnceForAllItsLaunches) {
    folder.write("shared.zst", packed(std::string(64, '\2'), 64));
    Json json = captured_manifest();
    json["arguments"][1]["fill"]["file"] = "shared.zst";
    for (const char* name : {"f-2.json", "f-3.json"}) folder.write(name, json.dump());
    Json other = json;
    other["options"] = "-DBY=3";
    folder.write("g.json", other.dump());
    Profile profile;
    const Profiled profiled(&profile);
    const Suite suite = read(json).suite;
    ASSERT_EQ(suite.variants.size(), 4U);
    EXPECT_EQ(times_of(profile, "expanding"), 2U) << "three launches of one text, one of another";
    for (const Variant& variant : suite.variants) {
        EXPECT_EQ(variant.source, variant.name == "g" ? "g.cl" : "f.cl") << "built once";
    }
    std::vector<std::vector<HostArray>> inputs;
    for (const Variant& variant : suite.variants) {
        const Case c = make_case(suite, variant, variant.shapes.front(), suite.types.front());
        inputs.push_back(suite.inputs(c, {}, 0));
        EXPECT_EQ(inputs.back().at(0).bytes()[63], std::byte{2});
    }
    EXPECT_EQ(times_of(profile, "unpacking"), 1U) << "four launches of one content";
}

TEST_F(CapturedFolder, ContentsInFramesAreReadByTheirTable) {
    std::string content(64, '\0');
    for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>(i);
    Json json = captured_manifest();
    json["arguments"][1]["fill"]["file"] = "frames.zst";
    const auto read_back = [&](const std::string& file) -> std::string {
        folder.write("frames.zst", file);
        const Suite suite = read(json).suite;
        const Case c = make_case(suite, suite.variants[0], suite.variants[0].shapes.front(),
                                 suite.types.front());
        try {
            const HostArray made = std::move(suite.inputs(c, {}, 0).at(0));
            return {reinterpret_cast<const char*>(made.bytes().data()), made.bytes().size()};
        } catch (const UsageError&) {
            return "it is the data's fault, and not the request's";
        } catch (const Error& error) {
            return error.what();
        }
    };
    const std::string right = packed(content, 10);
    EXPECT_EQ(read_back(right), content);
    EXPECT_EQ(read_back(packed(content, 64)), content);
    EXPECT_THAT(read_back(packed(content + "more", 10)), HasSubstr("holds more than"));
    EXPECT_THAT(read_back(packed(content.substr(1), 10)), HasSubstr("unpacked it has 63 bytes"));
    // A table that does not match the frames is ignored, or detected.
    for (std::size_t i = 1; i <= 9 + 8 * 7 + 8; ++i) {
        std::string wrong = right;
        wrong[wrong.size() - i] = static_cast<char>(wrong[wrong.size() - i] ^ 1);
        const std::string got = read_back(wrong);
        EXPECT_TRUE(got == content || got.find("zstd") != got.npos) << i << ": " << got;
    }
}

TEST_F(CapturedFolder, OfATextWhatAllVariantsLaunchStays) {
    folder.write("f.cl",
                 "__kernel void f(__global float* x) { x[0] = 1; }\n"
                 "__kernel void g(__global float* x) { x[0] = 1; }\n"
                 "__kernel void h(__global float* x) { x[0] = 1; }\n");
    Json json = captured_manifest(), variant;
    json.erase("offset");
    for (const char* key : {"kernel", "items", "global", "arguments"}) {
        variant[key] = json[key];
        json.erase(key);
    }
    variant["arguments"] = Json::array({variant["arguments"][1]});
    json["variants"] = {variant, variant};
    json["variants"][1]["kernel"] = "g";
    const Suite suite = suite_from((folder.path / "v.json").string(), json.dump());
    const std::string text = suite.text("f.cl");
    EXPECT_THAT(text, HasSubstr("void f"));
    EXPECT_THAT(text, HasSubstr("void g"));
    EXPECT_THAT(text, testing::Not(HasSubstr("void h")));
}

TEST_F(CapturedFolder, LeavesOutWhatCannotBeRead) {
    folder.write("g.json", "{}");
    const CapturedSuite captured = read(captured_manifest());
    EXPECT_EQ(captured.suite.variants.size(), 1U);
    ASSERT_EQ(captured.refused.size(), 1U);
    EXPECT_EQ(captured.refused.front().name, "g");
}

TEST_F(CapturedFolder, SaysWhatAFolderLacks) {
    EXPECT_THAT(
        [&] { captured_suite(folder.path.string()); },
        testing::ThrowsMessage<UsageError>(HasSubstr("with --timeline, which keeps no contents")));
    folder.write("capture.json",
                 R"({"parallax": "capture", "version": 1, "contents": true, "launches": 0})");
    EXPECT_THAT([&] { captured_suite(folder.path.string()); },
                testing::ThrowsMessage<UsageError>(HasSubstr("made no launch")));
    folder.write("capture.json", "{");
    EXPECT_THAT([&] { captured_suite(folder.path.string()); },
                testing::ThrowsMessage<UsageError>(HasSubstr("no JSON that can be read")));
    std::filesystem::remove(folder.path / "capture.json");
    const std::string word = folder.path.string() + "/";
    ASSERT_EQ(manifest_length(word), word.size() - 1);
    EXPECT_EQ(manifest_length(word + "kernel"), word.size() - 1);
    EXPECT_THAT([&] { manifest_suite(word); },
                testing::ThrowsMessage<UsageError>(HasSubstr("a folder without capture.json")));
}

TEST_F(CapturedFolder, RunsNobodysCommand) {
    Json json = captured_manifest();
    json["reference"] = {{"command", {"rm", "-r", "."}}};
    for (const CommandUse use : {CommandUse::allowed, CommandUse::refused}) {
        EXPECT_THAT(complaint(json, {.commands = use}),
                    HasSubstr("'reference', which no capture writes"));
    }
}

TEST_F(CapturedFolder, WhatTheLayerChoseIsSaid) {
    Json json = captured_manifest();
    const auto remark = [&] {
        const CapturedSuite captured = read(json);
        const Variant& variant = captured.suite.variants.front();
        const Case c = make_case(captured.suite, variant, variant.shapes.front(),
                                 captured.suite.types.front());
        return captured.suite.summarize(c, {});
    };
    EXPECT_EQ(remark(), "");
    json["check"] = {"Is it so?"};
    EXPECT_EQ(remark(), "Is it so?") << "the layer asks, and nothing is suspicious";
}

TEST_F(CapturedFolder, NamesDoNotLeaveTheFolder) {
    Json json = captured_manifest();
    json["source"] = "../../etc/hostname";
    EXPECT_THAT(complaint(json), HasSubstr("outside the folder that may be read"));
    json = captured_manifest();
    json["arguments"][1]["after"] = "/etc/hostname";
    const CapturedSuite captured = read(json);
    const Variant& variant = captured.suite.variants.front();
    const Case c = make_case(captured.suite, variant, variant.shapes.front(), ElementType::f32);
    try {
        captured.suite.reference(c, {});
        ADD_FAILURE() << "it was read";
    } catch (const UsageError& error) {
        ADD_FAILURE() << "it is the data's fault, and not the request's: " << error.what();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("outside the folder that may be read"));
    }
}

TEST_F(CapturedFolder, RefusesWhatCannotBe) {
    const auto with = [](auto change) {
        Json json = captured_manifest();
        change(json);
        return json;
    };
    EXPECT_THAT(complaint(with([](Json& j) { j["arguments"][0]["hex"] = "03zz0000"; })),
                HasSubstr("hexadecimal"));
    EXPECT_THAT(complaint(with([](Json& j) { j["arguments"][2]["same_as"] = 2; })),
                HasSubstr("a buffer before"));
    EXPECT_THAT(complaint(with([](Json& j) { j["arguments"][0]["bytes"] = 4; })),
                HasSubstr("is next to"));
    EXPECT_THAT(complaint(with([](Json& j) { j["options"] = "-cl-single-precision-constant"; })),
                HasSubstr("CUDA has nothing like it"));
    EXPECT_THAT(complaint(with([](Json& j) { j["expand"] = false; })), HasSubstr("'offset' needs"));
    EXPECT_THAT(complaint(with([](Json& j) { j["options"] = "-DA;B=1"; })), HasSubstr("no macro"));
}

TEST_F(CapturedFolder, ImagesAndSamplersThatCannotBe) {
    folder.write(
        "f.cl",
        "__kernel void f(__read_only image2d_t in, sampler_t how, __global float4* out) {\n"
        "    out[0] = read_imagef(in, how, (float2)(0.5f, 0.5f));\n}\n");
    folder.write("after.bin", std::string(16, '\1'));
    Json json = captured_manifest();
    json.erase("options");
    json["arguments"] = Json::parse(R"json([
        {"image": {"width": 4, "height": 4, "channels": 4, "format": "uchar normalized"},
         "fill": {"file": "before.bin"}, "after": "before.bin"},
        {"sampler": {"normalized": "no", "address": "edge", "filter": "linear"}},
        {"bytes": 16, "fill": {"file": "after.bin"}, "after": "after.bin"}])json");
    EXPECT_EQ(complaint(json), "none");
    const auto with = [&](const char* pointer, const Json& value) {
        Json changed = json;
        changed[Json::json_pointer(pointer)] = value;
        return complaint(changed);
    };
    EXPECT_THAT(with("/arguments/0/image/channels", 3), HasSubstr("1, 2 or 4 channels"));
    EXPECT_THAT(with("/arguments/0/image/format", "float normalized"), HasSubstr("may be normal"));
    EXPECT_THAT(with("/arguments/0/image/format", "double"), HasSubstr("32 bits or fewer"));
    EXPECT_THAT(with("/arguments/0/image/depth", 2), HasSubstr("'in' is an image (image2d_t)"));
    EXPECT_THAT(with("/arguments/0/image/layers", 99999), HasSubstr("a number of texels"));
    EXPECT_THAT(with("/arguments/0/use", "in_out"), HasSubstr("the kernel reads the image"));
    EXPECT_THAT(with("/arguments/1/sampler/address", "repeat"), HasSubstr("only normalized"));
    EXPECT_THAT(with("/arguments/1/sampler/filter", "cubic"), HasSubstr("nearest, linear"));
    EXPECT_THAT(with("/arguments/1", Json{{"hex", "00000000"}}), HasSubstr("write 'sampler'"));
    EXPECT_THAT(with("/arguments/2", json["arguments"][1]), HasSubstr("neither 'image' nor"));
    EXPECT_THAT(with("/arguments/2", Json{{"same_as", 0}}), HasSubstr("neither 'image' nor"));
}

TEST_F(CapturedFolder, AnImageThatIsReadAndWrittenIsRefused) {
    Json json = captured_manifest();
    json.erase("options");
    json["arguments"] = Json::parse(R"json([
        {"image": {"width": 4, "height": 4, "channels": 4, "format": "uchar normalized"},
         "fill": {"file": "before.bin"}, "after": "after.bin"},
        {"same_as": 0}])json");
    for (const char* parameters : {"__read_only image2d_t in, __write_only image2d_t out",
                                   "__write_only image2d_t out, __read_only image2d_t in"}) {
        folder.write("f.cl", fmt::format("__kernel void f({}) {{\n"
                                         "    const int2 at = (int2)(0, 0);\n"
                                         "    write_imagef(out, at, read_imagef(in, at));\n}}\n",
                                         parameters));
        EXPECT_THAT(complaint(json), HasSubstr("that the kernel reads and writes")) << parameters;
    }
    json["arguments"][0] = {
        {"bytes", 64}, {"fill", {{"file", "before.bin"}}}, {"after", "after.bin"}};
    EXPECT_THAT(complaint(json), HasSubstr("write such an 'image'"));
}

TEST(Captures, AProcessThatCouldNotWriteIsSaid) {
    const Folder folder;
    folder.write("capture.json", R"({"parallax": "capture", "version": 1, "complete": true})");
    folder.write("capture.2.json", "");
    folder.write("capture.3.json", R"({"parallax": "capture", "version": 1, "launches": 7})");
    const Capture all = read_capture(folder.path);
    EXPECT_EQ(all.processes, 3U);
    EXPECT_EQ(all.launches, 7U);
    EXPECT_FALSE(all.complete);
    EXPECT_THAT(all.problems, ElementsAre(HasSubstr("capture.2.json is empty")));
}

TEST(Captures, NumbersThatCannotBeAreNamed) {
    const auto complaint = [](const std::string& members) -> std::string {
        try {
            capture_from("capture.json",
                         R"({"parallax": "capture", "version": 1, )" + members + "}");
            return "";
        } catch (const UsageError& error) {
            return error.what();
        }
    };
    EXPECT_EQ(complaint(R"("seconds": 3, "launches": 7)"), "");
    for (const char* wrong : {"1e300", "-1"}) {
        const std::string seconds = fmt::format(R"("seconds": {})", wrong);
        EXPECT_THAT(complaint(seconds), HasSubstr("is no number of seconds: was the file edited?"));
        EXPECT_THAT(complaint(fmt::format(R"("kernels": [{{{}}}])", seconds)),
                    HasSubstr("is no number of seconds"));
    }
    for (const char* wrong : {"18446744073709551615", "-1", "0.5"}) {
        EXPECT_EQ(complaint(fmt::format(R"("launches": {})", wrong)),
                  fmt::format("capture.json: {} is no count: was the file edited?", wrong));
    }
}

TEST(Captures, OfTwoProcessesAreAddedUp) {
    Capture first, second;
    first.started = 100, first.seconds = 3, first.launches = 5, first.complete = true;
    second.started = 102, second.seconds = 4, second.launches = 7;
    const CaptureSum sum{2, 1, 0, 0.5};
    first.kernels = {{"f", "", "text", sum, {{"f", "", sum}}, {{"limit", 1}}}};
    second.kernels = {{"f", "", "text", sum, {{"f-2", "", sum}}, {{"limit", 2}}},
                      {"g", "", "text", sum, {}, {}}};
    const Capture both = together(first, second);
    EXPECT_EQ(both.processes, 2U);
    EXPECT_EQ(both.launches, 12U);
    EXPECT_DOUBLE_EQ(both.seconds, 6) << "they overlap";
    EXPECT_FALSE(both.complete);
    ASSERT_EQ(both.kernels.size(), 2U);
    EXPECT_EQ(both.kernels[0].sum.count, 4U);
    EXPECT_EQ(both.kernels[0].kinds.size(), 2U);
    EXPECT_EQ(both.kernels[0].left_out.at("limit"), 3U);
}

TEST(Captures, WhatRunsAtTheSameTimeCountsOnce) {
    Capture capture;
    capture.seconds = 5, capture.snapshot_seconds = 4, capture.gap_seconds = 9;
    capture.busy_seconds = 2, capture.some_kernel_seconds = 1.5;
    // Half of them are known, and they ran two at a time.
    capture.kernels.push_back({"f", "", "", {8, 4, 0, 3}, {{"f", "", {8, 4, 0, 3}}}, {}});
    EXPECT_DOUBLE_EQ(capture.launch_seconds(), 6);
    EXPECT_DOUBLE_EQ(capture.kernel_seconds(), 3);
    EXPECT_DOUBLE_EQ(capture.program_seconds(), 3) << "threads went on while contents were kept";
    EXPECT_DOUBLE_EQ(capture.idle_seconds(), 1);
    CaseDiff half;
    half.key.suite = "app", half.key.variant = "f";
    half.ratio.emplace();
    half.ratio->value = half.ratio->low = half.ratio->high = 0.5;
    half.answer.identical = true;
    Diff diff;
    diff.cases.push_back(half);
    capture.snapshot_seconds = 1;
    const ProgramVerdict verdict = program_verdict(capture, diff, "app", false, {});
    EXPECT_DOUBLE_EQ(verdict.seconds, 4);
    EXPECT_DOUBLE_EQ(verdict.kernels.at(0).share, 1);
    EXPECT_DOUBLE_EQ(verdict.program->value, (1 + 3 * 0.5) / 4);
}

TEST(Captures, AllLaunchesThatAreNotKeptAreCounted) {
    CapturedKernel kernel{"f", "", "", {100, 0, 0, 0}, {}, {}};
    kernel.kinds = {{"f", "", {30, 0, 0, 0}}, {"", "limit", {20, 0, 0, 0}}};
    kernel.left_out = {{"limit", 20}, {"more kinds", 45}};
    EXPECT_THAT(kernel.not_kept(),
                ElementsAre(testing::Pair("limit", 20), testing::Pair("more kinds", 45),
                            testing::Pair("the reason is not known", 5)));
    Capture capture;
    capture.launches = 100, capture.has_contents = true;
    capture.kernels.push_back(kernel);
    EXPECT_EQ(capture.launches_not_kept(), 70U);
    const std::string text = capture_text(capture, "app");
    EXPECT_THAT(text,
                HasSubstr("1 of them kept as cases (70 launches are of kinds that were not)"));
    EXPECT_THAT(text, HasSubstr("f: 45 launches are not kept: more kinds"));
    for (const char* name : {"g", "h", "i", "j"}) {
        capture.kernels.push_back(
            {name, "", "", {10, 10, 0, 1}, {{"", "limit", {5, 5, 0, 1}}}, {}});
    }
    EXPECT_THAT(capture_text(capture, "app"),
                HasSubstr("parallax: f, g, h and 2 more: 40 launches (50 % of the kernels' time) "
                          "are not kept: limit\n"));
}

TEST(CaptureText, EndsWithWhatAPortGainsAtMostIfTimesAreKnown) {
    Capture capture;
    capture.seconds = 10;
    capture.kernels.push_back({"timed", "", "", {10, 5, 0, 0.35}, {}, {}});
    const char* const most =
        "\nparallax: kernels take 7 % of the time: a port gains at most as much.\n";
    EXPECT_TRUE(capture_text(capture, "app").ends_with(most)) << capture_text(capture, "app");
    capture.kernels[0].sum = {10, 0, 0, 0};
    EXPECT_THAT(capture_text(capture, "app"), testing::Not(HasSubstr("a port")));
}

TEST(ProgramVerdict, WeighsKernelsByTheirTimeInTheProgram) {
    Capture capture;
    capture.seconds = 10;
    const auto kernel = [&](const char* name, double seconds) {
        const CaptureSum sum{10, 10, 0, seconds};
        capture.kernels.push_back({name, "", "", sum, {{name, "", sum}}, {}});
    };
    kernel("long", 6), kernel("short", 2);
    capture.kernels.push_back(
        {"image", "", "", {1, 1, 0, 0.5}, {{"", "an image", {1, 1, 0, 0.5}}}, {}});
    Diff diff;
    const auto add = [&](const char* name, double ratio) {
        CaseDiff c;
        c.key.suite = "app", c.key.variant = name;
        c.ratio.emplace();
        c.ratio->value = ratio, c.ratio->low = ratio - 0.1, c.ratio->high = ratio + 0.1;
        c.answer.identical = true;
        diff.cases.push_back(c);
    };
    add("long", 0.5), add("short", 1.5);
    diff.a = {.name = "opencl:0", .facts = {{"entry", "opencl:0"}}};
    diff.b = {.name = "cuda:0", .facts = {{"entry", "cuda:0"}}};
    const ProgramVerdict of_cuda = program_verdict(capture, diff, "app", true, {});
    EXPECT_EQ(of_cuda.through, "opencl:0") << "the program itself uses CUDA";
    EXPECT_NEAR(of_cuda.ratio->value, (6 / 0.5 + 2 / 1.5) / 8, 1e-9);
    const ProgramVerdict verdict = program_verdict(capture, diff, "app", false, {});
    ASSERT_TRUE(verdict.ratio && verdict.program);
    EXPECT_NEAR(verdict.ratio->value, (6 * 0.5 + 2 * 1.5) / 8, 1e-9);
    EXPECT_NEAR(verdict.ratio->low, verdict.ratio->value - 0.1, 1e-9);
    EXPECT_NEAR(verdict.program->value, (6 * 0.5 + 2 * 1.5 + 2) / 10, 1e-9);
    EXPECT_EQ(verdict.judged, 2U);
    EXPECT_EQ(sentence_of(verdict),
              "app: kernels take 8.5 s of 10 s; through cuda:0 those judged would take 0.750 "
              "(0.650-0.850) of that; the program at best 0.800 (0.720-0.880); 1 of 3 kernels "
              "(5.88 % of their time) could not be judged: image (an image).");
}

TEST(ProgramVerdict, IsAboutAnswersWhereNothingElseWasAskedFor) {
    Capture capture;
    capture.seconds = 10;
    for (const char* name : {"equal", "near", "refused"}) {
        const CaptureSum sum{1, 1, 0, 2};
        capture.kernels.push_back({name, "", "", sum, {{name, "", sum}}, {}});
    }
    // Other launches of the kernel were captured; their names show which.
    for (const std::size_t i : {1, 2}) {
        capture.kernels[i].kinds.insert(capture.kernels[i].kinds.begin(),
                                        {"", "others were kept", {1, 1, 0, 1}});
    }
    capture.kernels[2].kinds.push_back({"equal", "", {1, 1, 0, 1}});
    Diff diff;
    for (const auto& [name, verdict] : {std::pair{"equal", Verdict::equal},
                                        {"near", Verdict::within_tolerance},
                                        {"refused", Verdict::refused}}) {
        CaseDiff c;
        c.key.suite = "app", c.key.variant = name;
        c.verdict = verdict;
        c.a.status = Status::checked;
        c.a.reason = "Every answer was right.";
        c.b.status = verdict == Verdict::refused ? Status::refused : Status::checked;
        c.b.reason = "no rule.";
        diff.cases.push_back(c);
    }
    diff.b.name = "host:0";
    const ProgramVerdict verdict = program_verdict(capture, diff, "app", false, {});
    EXPECT_EQ(verdict.judged, 2U);
    EXPECT_DOUBLE_EQ(verdict.judged_share, 2.0 / 3);
    EXPECT_EQ(sentence_of(verdict),
              "app: kernels take 6 s of 10 s: a port gains at most 60 %; nothing was timed: both "
              "sides' answers are bitwise identical in 1 of 3 kernels and right within the "
              "tolerance in 1; 1 of 3 kernels (33.3 % of their time) could not be judged: refused "
              "(no rule).");
}

TEST(ProgramVerdict, NamesTheKindsOfAKernelTheLongestFirst) {
    Capture capture;
    const auto kind = [](const char* name, double seconds) {
        return CapturedKind{name, "", {1, 1, 0, seconds}};
    };
    capture.kernels.push_back(
        {"add", "", "", {3, 3, 0, 4}, {kind("add", 1), kind("add-2", 3), kind("", 0)}, {}});
    const ProgramVerdict verdict = program_verdict(capture, {}, "app", false, {});
    EXPECT_EQ(verdict.kernels.at(0).variants, (std::vector<std::string>{"add-2", "add"}));
}

}  // namespace
}  // namespace parallax::folder_test
