// Tests `parallax build`: output, saved files, exit codes, and cold and warm caches.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "cli/tests/command_line.hpp"
#include "common/error.hpp"
#include "common/tests/fake_device.hpp"
#include "records/results.hpp"
#include "suites/case_words.hpp"

namespace parallax::cli::build_test {
namespace {

class BuildCommand : public CommandLine {
protected:
    std::shared_ptr<fake::Script> script_ = std::make_shared<fake::Script>();
    std::vector<std::unique_ptr<Backend>> on_;
    fake::FakeBackend* backend_ = nullptr;

    BuildCommand() {
        script_->kernels["tiled"] = [](const fake::HostLaunch&) {};
        auto backend = std::make_unique<fake::FakeBackend>(script_);
        backend_ = backend.get();
        on_.push_back(std::move(backend));
    }
    void add_second_device() {
        DeviceInfo second = fake::fake_info();
        second.index = 1;
        backend_->inventory.devices.push_back(second);
    }
    Ended build(std::vector<std::string> words) {
        words.insert(words.begin(), "build");
        return run(words, on_);
    }
};

TEST_F(BuildCommand, WhatNamesNothingIsTwo) {
    expect_usage({"build"}, "SUITE/VARIANT");
    expect_usage({"build", "transpose"}, "SUITE/VARIANT");
    expect_usage({"build", "transpose/nothing"}, "padded");
    expect_usage({"build", "transpose/padded", "-d", "metal"}, "names no device");
    expect_usage({"build", "transpose/padded", "--format", "xml"}, "json");
    expect_usage({"build", "transpose/padded", "--define", "TILE=0"}, "out of range");
    expect_usage({"build", "transpose/padded", "--type", "quad"}, "double");
    expect_usage({"build", "transpose/padded", "-n", "0x1"}, "size of 0");
    expect_usage({"build", "transpose/padded", "--kernels", "nowhere"}, "transpose.cl");
    for (const char* again : {"-1", "1001", "often", ""}) {
        expect_usage({"build", "transpose/padded", "--again", again}, "--again");
    }
    expect_usage({"build", "transpose/padded", "--save", "/proc/nothing"}, "--save");
}

TEST_F(BuildCommand, NoDeviceIsFive) {
    const Ended e = run({"build", "transpose/padded"}, {});
    EXPECT_EQ(e.code, 5);
    EXPECT_NE(e.err.find("no device"), std::string::npos);
}

TEST_F(BuildCommand, EachTimeIsANewProgram) {
    const Ended e = build({"transpose/padded", "--again", "2", "--format", "json"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_EQ(script_->compiles, 3u);
    EXPECT_EQ(script_->runs, 0u);
    const Json json = Json::parse(e.out);
    EXPECT_EQ(json["device"], "fake:0");
    EXPECT_EQ(json["status"], "ok");
    ASSERT_EQ(json["kernels"].size(), 1u);
    EXPECT_EQ(json["kernels"].at(0)["kernel"], "tiled");
    EXPECT_EQ(json["kernels"].at(0)["build_seconds"], Json::array({1e-3, 1e-3, 1e-3}));
    EXPECT_EQ(json["kernels"].at(0)["registers"], "unknown");
    EXPECT_EQ(build({"transpose/padded"}).code, 0);
    EXPECT_EQ(script_->compiles, 4u);
}

TEST_F(BuildCommand, WhatIsAskedForReachesTheCompiler) {
    std::string text = kernel_source("transpose.cl", {});
    fs::create_directories("k");
    std::ofstream("k/transpose.cl") << "// mine\n" << text;
    EXPECT_EQ(build({"transpose/padded", "--kernels", "k", "--save", "out"}).code, 0);
    EXPECT_EQ(text_of("out/tiled.fake.cl").substr(0, 7), "// mine");
    EXPECT_NE(build({"transpose/padded", "--type", "double", "--define", "TILE=16"})
                  .out.find("transpose/padded double"),
              std::string::npos);
}

TEST_F(BuildCommand, DevicesOfOneBackendHaveFilesOfTheirOwn) {
    add_second_device();
    const Ended e = build({"transpose/padded", "--save", "new/out"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_TRUE(fs::exists("new/out/tiled.fake0.cl"));
    EXPECT_TRUE(fs::exists("new/out/tiled.fake1.cl"));
    EXPECT_FALSE(fs::exists("new/out/tiled.fake0.ptx")) << "there is none";
    EXPECT_NE(e.out.find("fake:1"), std::string::npos);
}

TEST_F(BuildCommand, AFailedBuildIsSixAndSaysWhy) {
    fs::create_directories("k");
    std::ofstream("k/transpose.cl") << "__kernel void tiled(";
    std::ofstream("k/reduction.cl") << "__kernel void vector() {";
    EXPECT_EQ(build({"transpose/padded"}).code, 0);
    script_->kernels["vector"] = [](const fake::HostLaunch&) {};
    const Ended e = build({"reduction/vector", "--kernels", "k", "--save", "out"});
    EXPECT_EQ(e.code, 6);
    EXPECT_NE(e.out.find("failed: reduction.cl did not compile"), std::string::npos) << e.out;
    EXPECT_NE(e.out.find("error: unmatched brace"), std::string::npos) << e.out;
    EXPECT_EQ(text_of("out/vector.fake.cl"), "__kernel void vector() {");
    EXPECT_NE(text_of("out/vector.fake.log").find("unmatched brace"), std::string::npos);
    const Json json =
        Json::parse(build({"reduction/vector", "--kernels", "k", "--format", "json"}).out);
    EXPECT_EQ(json["status"], "failed");
    EXPECT_EQ(json["kernels"].at(0)["build_seconds"].size(), 0u);
    EXPECT_NE(json["kernels"].at(0)["log"].get<std::string>().find("brace"), std::string::npos);
}

TEST_F(BuildCommand, ADeviceThatDoesNotOpenIsSix) {
    add_second_device();
    script_->before = fake::fail_nth("open", 1);
    const Ended e = build({"transpose/padded"});
    EXPECT_EQ(e.code, 6);
    EXPECT_NE(e.out.find("'open' failed"), std::string::npos) << e.out;
    EXPECT_EQ(script_->compiles, 1u) << "the other one is built for";
}

TEST_F(BuildCommand, UnsupportedAloneIsFive) {
    const Ended e = build({"reduction/builtin"});
    EXPECT_EQ(e.code, 5);
    EXPECT_NE(e.out.find("native variant"), std::string::npos) << e.out;
    script_->before = [](std::string_view call) {
        if (call == "compile") throw UsageError("Too much of it.");
    };
    EXPECT_EQ(build({"transpose/padded"}).code, 2) << "it was asked for";
}

}  // namespace
}  // namespace parallax::cli::build_test
