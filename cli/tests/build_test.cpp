// `parallax build`: what it shows and saves, how it ends; and what it tells of cold and warm
// caches.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "cli/arguments.hpp"
#include "cli/build_times.hpp"
#include "cli/tests/command_line.hpp"
#include "common/error.hpp"
#include "common/tests/fake_device.hpp"
#include "records/results.hpp"

namespace parallax::cli::build_test {
namespace {

namespace fs = std::filesystem;

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

TEST_F(BuildCommand, WithoutAGpuTheRegistersAreKnownNvrtc) {
    for (const Entry& entry : find_devices(backends()).entries) {
        if (entry.info.backend == "cuda") GTEST_SKIP() << "there is a GPU";
    }
    const Ended e = run({"build", "reduction/items", "--format", "json"});
    ASSERT_EQ(e.code, 0) << e.err;
    const std::string last = e.out.substr(e.out.rfind('\n', e.out.size() - 2) + 1);
    const Json json = Json::parse(last);
    if (!json["device"].get<std::string>().starts_with("sm_90")) GTEST_SKIP() << "no NVRTC";
    ASSERT_FALSE(json["kernels"].empty());
    EXPECT_GT(json["kernels"][0]["registers"].get<int>(), 0);
    EXPECT_TRUE(json["kernels"][0]["local_bytes"].is_number());
    EXPECT_NE(run({"build", "reduction/items"}).out.find("without a device"), std::string::npos);
    EXPECT_EQ(build({"transpose/padded"}).out.find("without a device"), std::string::npos)
        << "no backend of CUDA";
}

TEST_F(BuildCommand, LocalMemoryOfArgumentsCountsNvrtc) {
    for (const Entry& entry : find_devices(backends()).entries) {
        if (entry.info.backend == "cuda") GTEST_SKIP() << "there is a GPU";
    }
    std::ofstream("l.cl") << "kernel void l(global float* y, local float* s) { int i = "
                             "get_local_id(0); s[i] = i; barrier(CLK_LOCAL_MEM_FENCE); "
                             "y[get_global_id(0)] = s[i ^ 1]; }\n";
    ASSERT_EQ(run({"port", "l.cl", "--init", "-o", "l.json"}).code, 0);
    const Ended e = run({"build", "l.json", "--format", "json"});
    ASSERT_EQ(e.code, 0) << e.err;
    const Json json = Json::parse(e.out.substr(e.out.rfind('\n', e.out.size() - 2) + 1));
    if (!json["device"].get<std::string>().starts_with("sm_90")) GTEST_SKIP() << "no NVRTC";
    EXPECT_EQ(json["kernels"].at(0)["local_bytes"], 4 * 256);
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
    std::string text = kernel_text("transpose.cl", {});
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

TEST_F(BuildCommand, AFailedBuildIsOneAndSaysWhy) {
    fs::create_directories("k");
    std::ofstream("k/transpose.cl") << "__kernel void tiled(";
    std::ofstream("k/reduction.cl") << "__kernel void vector() {";
    EXPECT_EQ(build({"transpose/padded"}).code, 0);
    script_->kernels["vector"] = [](const fake::HostLaunch&) {};
    const Ended e = build({"reduction/vector", "--kernels", "k", "--save", "out"});
    EXPECT_EQ(e.code, 1);
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

TEST_F(BuildCommand, ADeviceThatDoesNotOpenIsOne) {
    add_second_device();
    script_->before = fake::fail_nth("open", 1);
    const Ended e = build({"transpose/padded"});
    EXPECT_EQ(e.code, 1);
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

TEST_F(BuildCommand, RealDevicesBuild) {
    if (!has_device()) GTEST_SKIP() << "no device";
    const Ended e = run({"build", "multiply/blocked", "-d", "opencl:0", "--format", "json"});
    EXPECT_EQ(e.code, 0) << e.err;
    const Json json = Json::parse(e.out);
    EXPECT_GT(json["kernels"].at(0)["build_seconds"].at(0).get<double>(), 0);
    EXPECT_GT(json["kernels"].at(0)["local_bytes"].get<int>(), 0);
    const Ended copy = run({"build", "ceiling/copy", "-d", "opencl:0"});
    EXPECT_EQ(copy.code, 0);
    EXPECT_NE(copy.out.find("launches no kernel"), std::string::npos) << copy.out;
    fs::create_directories("k");
    std::ofstream("k/transpose.cl") << "__kernel void tiled() { nonsense }";
    const Ended bad =
        run({"build", "transpose/padded", "-d", "opencl:0", "--kernels", "k", "--save", "out"});
    EXPECT_EQ(bad.code, 1);
    EXPECT_NE(bad.out.find("nonsense"), std::string::npos) << bad.out;
    EXPECT_NE(text_of("out/tiled.opencl.log").find("nonsense"), std::string::npos);
}

/// Real processes, with a folder for temporary files of the test's own.
class BuildTimesOfProcesses : public CommandLine {
protected:
    fs::path program_;
    Entry entry_;

    void SetUp() override {
        const char* program = std::getenv("PARALLAX_PROGRAM");
        if (!program) GTEST_SKIP() << "PARALLAX_PROGRAM names no program";
        if (!has_device()) GTEST_SKIP() << "no device";
        program_ = program;
        entry_ = find_devices(backends()).entries.front();
        fs::create_directories("tmp");
        setenv("TMPDIR", (folder_ / "tmp").c_str(), 1);
    }
    void TearDown() override { unsetenv("TMPDIR"); }

    static Case the_case(const std::vector<Constant>& defines = {}) {
        const Suite& suite = suite_named("transpose");
        return make_case(suite, variant_named(suite, "padded"), {{64, 32}}, ElementType::f64,
                         defines);
    }
};

TEST_F(BuildTimesOfProcesses, AreColdThenWarmAndLeaveNothing) {
    const BuildTimes times = build_times(program_, entry_, the_case({{"TILE", 16}}), {});
    ASSERT_TRUE(times.cold && times.warm) << times.note;
    EXPECT_GT(*times.cold, 0);
    EXPECT_GT(*times.warm, 0);
    EXPECT_NE(times.note.find("ache"), std::string::npos) << times.note;
    EXPECT_TRUE(fs::is_empty("tmp"));
}

TEST_F(BuildTimesOfProcesses, HaveTheCachesInOneNewFolder) {
    // A program that tells of its variables instead.
    std::ofstream("teller") << "#!/bin/sh\n"
                               "echo $CUDA_CACHE_DISABLE $POCL_KERNEL_CACHE >> told\n"
                               "ls $CUDA_CACHE_PATH $POCL_CACHE_DIR | grep -c mark >> told\n"
                               "touch $CUDA_CACHE_PATH/mark $POCL_CACHE_DIR/mark\n"
                               "echo \"$@\" >> told\n"
                               "echo '{\"kernels\":[{\"build_seconds\":[2]},"
                               "{\"build_seconds\":[3, 9]}]}'\n";
    fs::permissions("teller", fs::perms::owner_all);
    const BuildTimes times = build_times(folder_ / "teller", entry_, the_case(), "own");
    EXPECT_EQ(times.cold, 5) << "of all kernels, the first time";
    EXPECT_EQ(times.warm, 5);
    const std::string told = text_of("told");
    EXPECT_EQ(told.substr(0, 6), "0 1\n0\n") << "empty at first";
    EXPECT_NE(told.find("\n0 1\n2\n"), std::string::npos) << "then with what was left: " << told;
    EXPECT_NE(told.find("build transpose/padded -d " + entry_.info.id() + " -n 64x32"),
              std::string::npos);
    EXPECT_NE(told.find("--define TILE=32"), std::string::npos) << told;
    EXPECT_NE(told.find("--kernels own"), std::string::npos) << told;
    EXPECT_TRUE(fs::is_empty("tmp"));
}

TEST_F(BuildTimesOfProcesses, AreMissingWhereABuildFails) {
    fs::create_directories("k");
    std::ofstream("k/transpose.cl") << "__kernel void tiled() { nonsense }";
    const BuildTimes times = build_times(program_, entry_, the_case(), "k");
    EXPECT_FALSE(times.cold || times.warm);
    EXPECT_NE(times.note.find("ended with 1"), std::string::npos) << times.note;
    EXPECT_TRUE(fs::is_empty("tmp"));
    EXPECT_THROW(build_times("/nowhere/parallax", entry_, the_case(), {}), Error);
    EXPECT_THROW(build_times({}, entry_, the_case(), {}), Error);
    EXPECT_TRUE(fs::is_empty("tmp"));
    std::ofstream("dies") << "#!/bin/sh\nkill -9 $$\n";
    fs::permissions("dies", fs::perms::owner_all);
    EXPECT_NE(build_times(folder_ / "dies", entry_, the_case(), {}).note.find("signal 9"),
              std::string::npos);
    std::ofstream("stops") << "#!/bin/sh\nexit 130\n";
    fs::permissions("stops", fs::perms::owner_all);
    EXPECT_THROW(build_times(folder_ / "stops", entry_, the_case(), {}), Interrupted);
    EXPECT_TRUE(fs::is_empty("tmp"));
}

}  // namespace
}  // namespace parallax::cli::build_test
