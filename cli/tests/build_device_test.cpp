// Tests `parallax build` and `parallax port` with real compilers.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "cli/tests/command_line.hpp"
#include "common/tests/fake_device.hpp"

namespace parallax::cli::build_device_test {
namespace {

class BuildOnDevices : public CommandLine {
protected:
    static void file(const fs::path& path, const std::string& text) {
        if (path.has_parent_path()) fs::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
    }
};

TEST_F(BuildOnDevices, WithoutAGpuTheRegistersAreKnownNvrtc) {
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
    const auto script = std::make_shared<fake::Script>();
    script->kernels["tiled"] = [](const fake::HostLaunch&) {};
    std::vector<std::unique_ptr<Backend>> none_of_cuda;
    none_of_cuda.push_back(std::make_unique<fake::FakeBackend>(script));
    EXPECT_EQ(run({"build", "transpose/padded"}, none_of_cuda).out.find("without a device"),
              std::string::npos)
        << "no backend of CUDA";
}

TEST_F(BuildOnDevices, LocalMemoryOfArgumentsCountsNvrtc) {
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

TEST_F(BuildOnDevices, RealDevicesBuild) {
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
    EXPECT_EQ(bad.code, 6);
    EXPECT_NE(bad.out.find("nonsense"), std::string::npos) << bad.out;
    EXPECT_NE(text_of("out/tiled.opencl.log").find("nonsense"), std::string::npos);
}

TEST_F(BuildOnDevices, RealCompilersAgreeOnPlacesNvrtc) {
    if (!has_device()) GTEST_SKIP() << "no device";
    const std::string simple =
        "__kernel void twice(__global float* a) {\n    a[get_global_id(0)] *= 2.0f;\n}\n";
    file("mine.cl", simple);
    const Ended e = run({"port", "mine.cl", "--check"});
    if (e.out.find("cuda: not tried") != std::string::npos) GTEST_SKIP() << e.out;
    EXPECT_EQ(e.code, 0) << e.out;
    EXPECT_NE(e.out.find("registers"), std::string::npos) << e.out;
    file("inc/undeclared.h", "\nfloat f(float x) { return undeclared; }\n");
    file("uses.cl", "#include \"undeclared.h\"\n" + simple);
    const Ended bad = run({"port", "uses.cl", "-Iinc", "--check", "--arch", "90"});
    EXPECT_EQ(bad.code, 1);
    EXPECT_NE(bad.out.find("inc/undeclared.h:2:"), std::string::npos) << "OpenCL: " << bad.out;
    EXPECT_NE(bad.out.find("inc/undeclared.h(2): error"), std::string::npos) << "CUDA: " << bad.out;
}

}  // namespace
}  // namespace parallax::cli::build_device_test
