// Tests what the two sources of a manifest get: samplers, inputs of one side, variables of the
// source, and cooperative launches.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/text/read_file.hpp"
#include "measure/run_case.hpp"
#include "suites/manifest/manifest.hpp"
#include "suites/manifest/tests/loading.hpp"
#include "suites/tests/opened.hpp"

namespace parallax::sides_test {
namespace {

using testing::HasSubstr;

class Sides : public testing_manifest::Loading {
protected:
    ManifestPermissions commands_{.commands = CommandUse::allowed};

    /// Copies a manifest and its sources.
    void take(const std::string& name) {
        for (const auto& entry : std::filesystem::directory_iterator(SIDES)) {
            if (entry.path().stem() != name) continue;
            folder_.write(entry.path().filename(), read_file(entry.path(), 1 << 16));
        }
        json_ = Json::parse(read_file(folder_.path / (name + ".json"), 1 << 16));
    }
    void change(const char* file, const std::string& from, const std::string& to) {
        std::string text = read_file(folder_.path / file, 1 << 16);
        ASSERT_NE(text.find(from), text.npos) << from;
        folder_.write(file, text.replace(text.find(from), from.size(), to));
    }
    Json& argument(const std::string& name) {
        return *std::ranges::find(json_["arguments"], name,
                                  [](const Json& one) { return one.value("name", ""); });
    }
    /// The status and its reason on each device, each compared with another one.
    std::vector<std::pair<std::string, std::string>> judged(unsigned index = 0) {
        permissions_ = commands_;
        const Suite suite = load();
        std::vector<Entry> entries;
        for (const Opened& one : opened_devices()) entries.push_back(one.entry);
        std::vector<std::pair<std::string, std::string>> found;
        for (Opened& on : opened_devices()) {
            RunConfig config;
            ReferenceCache references(1 << 26);
            config.references = &references;
            config.reference_entries = [&] { return entries; };
            config.kernel_source = [](std::string_view) -> std::string { throw Error("no text"); };
            config.only_checks = true;
            config.seed = 5;
            references.set_reference_provider(references_among(entries, config));
            const Case c =
                make_case(suite, suite.variants[index], suite.check_shapes[0], suite.types[0]);
            const Outcome o = build_and_verify(*on.device, c, {}, config);
            found.emplace_back(on.entry.info.id() + " " + std::string(name_of(o.status)), o.reason);
        }
        return found;
    }
    void expect_right() {
        for (const auto& [status, reason] : judged()) {
            EXPECT_THAT(status, testing::EndsWith(" ok")) << reason << json_.dump(1);
        }
    }
    void expect_wrong() {
        const auto all = judged();
        EXPECT_TRUE(std::ranges::any_of(all, [](const auto& one) {
            return one.first.ends_with(" wrong");
        })) << json_.dump(1);
    }
};

TEST_F(Sides, TexturesAreReadAsOpenclsSamplerSays) {
    take("resample");
    expect_right();
    for (const char* address : {"edge", "zero", "repeat", "mirror"}) {
        for (const char* filter : {"nearest", "linear"}) {
            argument("how")["sampler"]["address"] = address;
            argument("how")["sampler"]["filter"] = filter;
            expect_right();
        }
    }
    // Each of two sides by its own.
    argument("picture")["image"]["sampler"] = {
        {"normalized", "no"}, {"address", "edge"}, {"filter", "nearest"}};
    expect_wrong();
}

TEST_F(Sides, ASamplerThatIsNotClearIsRefused) {
    take("resample");
    json_["arguments"].insert(json_["arguments"].begin() + 2, Json::parse(R"json({
        "name": "other", "only": "opencl",
        "sampler": {"normalized": "no", "address": "edge", "filter": "nearest"}})json"));
    change("resample.cl", "sampler_t how", "sampler_t how, sampler_t other");
    EXPECT_THAT(complaint(), HasSubstr("which of the samplers is that of the texture 'picture'"));
    argument("how")["name"] = "picture_sampler";
    change("resample.cl", "sampler_t how", "sampler_t picture_sampler");
    change("resample.cl", "picture, how", "picture, picture_sampler");
    expect_right();
    argument("picture")["fill"] = "iota";
    EXPECT_THAT(with("/arguments/0/image/format", "int"), HasSubstr("does not filter"));
    // A sampler of the source is not the manifest's.
    take("resample");
    json_["arguments"].erase(1);
    change("resample.cl", ", sampler_t how", "");
    change("resample.cl", "    float u",
           "    const sampler_t how = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | "
           "CLK_FILTER_LINEAR;\n    float u");
    EXPECT_THAT(complaint(), HasSubstr("write under 'sampler' how CUDA's texture is read"));
    argument("picture")["image"]["sampler"] = {
        {"normalized", "yes"}, {"address", "repeat"}, {"filter", "linear"}};
    expect_right();
    json_.erase("cuda");
    EXPECT_THAT(with("/arguments/0/image/sampler",
                     {{"normalized", "no"}, {"address", "edge"}, {"filter", "nearest"}}),
                HasSubstr("a translation"));
}

/// Exchanges the roles of the two sources.
void swap(testing_manifest::Folder& folder, Json& json) {
    folder.write("table.cl",
                 "__kernel void look(__global const float* x, __global float* y, int n) {\n"
                 "    const float table[4] = {0, 1, 2, 3};\n    int i = get_global_id(0);\n"
                 "    if (i < n) y[i] = x[i] + table[i & 3];\n}\n");
    folder.write("table.cu",
                 "__global__ void look(const float* x, float* y, int n, const float* table) {\n"
                 "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                 "    if (i < n) y[i] = x[i] + table[i & 3];\n}\n");
    json["arguments"][3]["only"] = "cuda";
}

TEST_F(Sides, AnInputOfOneSideIsCompared) {
    const Json reference = Json::parse(R"json({"source": "ref.cl", "kernel": "ref", "arguments": [
        {"name": "x", "type": "float", "elements": "n", "fill": "random"},
        {"name": "y", "type": "float", "elements": "n", "use": "output"},
        {"name": "n", "type": "int", "value": "n"}], "items": [1], "groups": [1]})json");
    const std::string plain =
        "__kernel void ref(__global const float* x, __global float* y, int n) {\n"
        "    for (int i = 0; i < n; ++i) y[i] = x[i] + (i & 3);\n}\n";
    for (const bool is_swapped : {false, true}) {
        take("table");
        if (is_swapped) swap(folder_, json_);
        expect_right();
        folder_.write("ref.cl", plain);
        json_["reference"] = reference;
        expect_right();
        // The reference may take what only one side has.
        folder_.write("ref.cl",
                      "__kernel void ref(__global const float* x, __global float* y, int n,\n"
                      "                  __global const float* table) {\n"
                      "    for (int i = 0; i < n; ++i) y[i] = x[i] + table[i & 3];\n}\n");
        json_["reference"]["arguments"].push_back(
            {{"name", "table"}, {"type", "float"}, {"elements", 4}, {"fill", "iota"}});
        expect_right();
        folder_.write("ref.sh", "cp $1/in/x.bin $1/out/y.bin; test -f $1/in/table.bin\n");
        json_["reference"] = {{"command", {"sh", "ref.sh"}}};
        expect_wrong();
        json_.erase("reference");
        argument("table")["fill"] = "zeros";
        expect_wrong();
    }
}

TEST_F(Sides, WhatElseOneSideHasIsCompared) {
    take("table");
    folder_.write("table.cl",
                  "__kernel void look(__global const float* x, __global float* y, int n, float a,\n"
                  "                   __local float* t, __read_only image2d_t p) {\n"
                  "    int i = get_global_id(0), l = get_local_id(0);\n"
                  "    if (l < 4) t[l] = a * read_imagef(p, (int2)(l, 0)).x;\n"
                  "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                  "    if (i < n) y[i] = x[i] + t[i & 3];\n}\n");
    json_["arguments"].erase(3);
    for (const char* text : {R"({"name": "a", "only": "opencl", "type": "float", "value": 1})",
                             R"({"name": "t", "only": "opencl", "type": "float", "local": 4})",
                             R"({"name": "p", "only": "opencl", "fill": "iota",
              "image": {"width": 4, "height": 1, "channels": 1, "format": "float"}})"}) {
        json_["arguments"].push_back(Json::parse(text));
    }
    expect_right();
    // A command gets the values of the side.
    folder_.write("ref.sh", "exit 3\n");
    json_["reference"] = {{"command", {"sh", "ref.sh"}}};
    for (const auto& [status, reason] : judged()) EXPECT_THAT(reason, HasSubstr("exit code 3"));
    json_.erase("reference");
    argument("a")["value"] = 2;
    expect_wrong();
    // The length follows from the launch of the side that has it.
    take("table");
    argument("table")["elements"] = "items_x / 16";
    json_["cuda"] = {{"source", "table.cu"}, {"items", {128}}, {"groups", {"ceil(n / 128)"}}};
    expect_right();
}

TEST_F(Sides, VariablesThatAKernelWrites) {
    take("total");
    expect_right();
    // Scratch begins as the source says.
    argument("done").erase("fill");
    expect_right();
    change("total.cu", "done = 0;", "done = 7;");
    EXPECT_THAT(complaint(), HasSubstr("'done' begins as 7 in total.cu"));
    argument("done")["fill"] = "zeros";
    expect_right();
    // So does that of OpenCL, if CUDA's counter wraps by itself.
    take("total");
    json_["cuda"].erase("symbols");
    argument("done")["only"] = "opencl";
    change("total.cu", "atomicAdd(&done, 1)", "atomicInc(&done, gridDim.x - 1)");
    expect_right();
    argument("done").erase("fill");
    expect_right();
    argument("done")["fill"] = "zeros";
    argument("done")["use"] = "in_out";
    expect_right();
    // One that does not finds what the launch before left.
    change("total.cu", "atomicInc(&done, gridDim.x - 1)", "atomicAdd(&done, 1)");
    expect_wrong();
    // As an output of both it is compared.
    argument("done").erase("only");
    argument("done")["use"] = "in_out";
    json_["cuda"]["symbols"] = {{"done", "done"}};
    expect_right();
    change("total.cu", "atomicAdd(&done, 1)", "atomicAdd(&done, 2) / 2");
    expect_wrong();
}

TEST_F(Sides, AVariableIsAnOutput) {
    take("table");
    folder_.write("table.cu",
                  "__device__ float left[64];\n__global__ void look(const float* x, int n) {\n"
                  "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                  "    if (i < n) left[i] = x[i] + (i & 3);\n}\n");
    json_["cuda"] = {
        {"source", "table.cu"}, {"arguments", {"x", "n"}}, {"symbols", {{"y", "left"}}}};
    expect_right();
    change("table.cu", "if (i < n)", "if (i + 1 < n)");
    expect_wrong();
}

TEST_F(Sides, CooperativeLaunchesAreCudas) {
    take("grid");
    for (const auto& [status, reason] : judged()) {
        const bool is_host = status.starts_with("host");
        EXPECT_THAT(status, testing::EndsWith(is_host ? " unsupported" : " ok")) << reason;
        if (!is_host) continue;
        EXPECT_THAT(reason, HasSubstr("no cooperative launches"));
        EXPECT_THAT(reason, HasSubstr("Name a CUDA device"));
    }
    json_["launches"][0]["cooperative"] = true;
    for (const auto& [status, reason] : judged(1)) {
        if (!status.starts_with("opencl")) continue;
        EXPECT_THAT(reason, HasSubstr("OpenCL does not define them"));
    }
    EXPECT_THAT(with("/launches/0/cooperative", 1), HasSubstr("write true or false"));
    EXPECT_THAT(with("/cooperative", true), HasSubstr("'cooperative' is next to 'launches'"));
}

}  // namespace
}  // namespace parallax::sides_test
