// Tests `parallax smooth`: results against an independent mean, rejected requests, exit codes.
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cli/tests/smooth_fixture.hpp"
#include "common/error.hpp"
#include "common/tests/fake_device.hpp"
#include "measure/session.hpp"
#include "studies/smooth/image.hpp"
#include "suites/case_words.hpp"

namespace parallax::cli::smooth_test {
namespace {

namespace fs = std::filesystem;

TEST_F(Smooth, BadInputsAreTwo) {
    using namespace std::string_literals;
    fs::create_directories("folder");
    const std::vector<std::array<std::string, 3>> bad{
        {"empty.ppm", "", "empty"},
        {"text.ppm", "hello", "no PAM"},
        {"plain.ppm", "P3 1 1 255 1 2 3\n", "as text"},
        {"header.ppm", "P6 10", "within its header"},
        {"short.ppm", "P6 2 2 255\n123", "only 3 byte(s)"},
        {"long.ppm", "P6 1 1 255\n1234", "1 byte(s) follow"},
        {"zero.ppm", "P6 0 4 255\n", "nothing in it"},
        {"huge.ppm", "P6 4000000000 4000000000 65535\n123456", "only 6 byte(s)"},
        {"none.ppm", "P6 1 1 0\n123", "MAXVAL"},
        {"wide.ppm", "P6 1 1 65536\n123456", "MAXVAL"},
        {"above.pgm", "P5 1 1 99\n\xc8", "above the maximum"},
        {"depth.pam", "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 5\nMAXVAL 9\nENDHDR\n12345", "5 channels"}};
    for (const auto& [file, bytes, word] : bad) {
        write(file, bytes);
        expect_usage({"smooth", file, "-o", "out.pam"}, word);
        expect_usage({"smooth", file, "-o", "out.pam"}, file + ": ");
    }
    expect_usage({"smooth", "nowhere.ppm", "-o", "out.pam"}, "no such file");
    expect_usage({"smooth", "folder", "-o", "out.pam"}, "no ordinary file");
    EXPECT_FALSE(fs::exists("out.pam"));
}

TEST_F(Smooth, CommandLinesThatCannotBe) {
    write("in.pgm", "P5 1 1 7\n\5");
    fs::create_directories("folder");
    fs::create_symlink("in.pgm", "link.pgm");
    expect_usage({"smooth"}, "IN -o OUT");
    expect_usage({"smooth", "in.pgm"}, "IN -o OUT");
    expect_usage({"smooth", "-o", "out.pgm"}, "IN -o OUT");
    expect_usage({"smooth", "in.pgm", "more", "-o", "out.pgm"}, "smooth --help");
    expect_usage({"smooth", "in.pgm", "-o", "in.pgm"}, "would replace");
    expect_usage({"smooth", "in.pgm", "-o", "./in.pgm"}, "would replace");
    expect_usage({"smooth", "in.pgm", "-o", "link.pgm"}, "would replace");
    expect_usage({"smooth", "in.pgm", "-o", "folder"}, "folder");
    expect_usage({"smooth", "in.pgm", "-o", "in.pgm/out.pgm"}, "the folder in.pgm");
    expect_usage({"smooth", "in.pgm", "-o", "out.pgm", "--variant", "blurred"}, "padded_staged");
    expect_usage({"smooth", "in.pgm", "-o", "out.pgm", "-d", "metal"}, "names no device");
    expect_usage({"smooth", "in.pgm", "-o", "out.pgm", "--kernels", "folder"}, "smoothing.cl");
    EXPECT_EQ(text_of("in.pgm"), "P5 1 1 7\n\5");
    EXPECT_FALSE(fs::exists("out.pgm"));
}

TEST_F(Smooth, WithoutADeviceItIsFive) {
    write("in.pgm", "P5 1 1 7\n\5");
    const Ended e = run({"smooth", "in.pgm", "-o", "out.pgm"}, {});
    EXPECT_EQ(e.code, 5);
    EXPECT_NE(e.err.find("parallax doctor"), std::string::npos) << e.err;
    EXPECT_EQ(e.out, "");
    EXPECT_FALSE(fs::exists("out.pgm"));
}

TEST_F(Smooth, TheFirstGpuIsTaken) {
    write("in.pgm", "P5 1 1 7\n\5");
    auto script = std::make_shared<fake::Script>();
    auto backend = std::make_unique<fake::FakeBackend>(script);
    DeviceInfo info = backend->inventory.devices.front();
    info.is_gpu = false;
    info.name = "slow one";
    DeviceInfo gpu = info;
    gpu.is_gpu = true;
    gpu.index = 1;
    gpu.name = "fast one";
    backend->inventory.devices = {info, gpu};
    // A copy is right for one pixel.
    script->kernels["plain"] = [](const fake::HostLaunch& launch) {
        launch.buffer<std::uint16_t>(1)[0] = launch.buffer<std::uint16_t>(0)[0];
    };
    std::vector<std::unique_ptr<Backend>> on;
    on.push_back(std::move(backend));
    const Ended e = run({"smooth", "in.pgm", "-o", "out.pgm"}, on);
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_NE(e.out.find("fake:1 (fast one)"), std::string::npos) << e.out;
    const Ended first = run({"smooth", "in.pgm", "-o", "out.pgm", "-d", "fake:0"}, on);
    EXPECT_NE(first.out.find("fake:0 (slow one)"), std::string::npos) << first.out;
    EXPECT_NE(first.out.find("1 ms a launch"), std::string::npos) << first.out;
}

TEST_F(Smooth, AnImageTooLargeForTheDeviceIsTwo) {
    write("in.pam", bytes_of(noisy(64, 64, 1, 255), ImageFormat::pam));
    auto backend = std::make_unique<fake::FakeBackend>(std::make_shared<fake::Script>());
    backend->inventory.devices.front().max_allocation_bytes = 4096;
    std::vector<std::unique_ptr<Backend>> on;
    on.push_back(std::move(backend));
    const Ended e = run({"smooth", "in.pam", "-o", "out.pam"}, on);
    EXPECT_EQ(e.code, 2);
    EXPECT_NE(e.err.find("smaller image"), std::string::npos) << e.err;
    EXPECT_FALSE(fs::exists("out.pam"));
}

TEST_F(Smooth, ItsTypeIsNoOtherSuites) {
    expect_usage({"build", "smoothing/plain", "--type", "int"}, "It has: ushort");
    expect_usage({"build", "transpose/naive", "--type", "ushort"}, "It has: float");
    EXPECT_EQ(parse_type("ushort"), ElementType::u16);
    // A run of all suites skips those without the type.
    Request request;
    request.types = {ElementType::u16};
    for (const Case& c : expand(request)) EXPECT_EQ(c.suite->name, "smoothing");
    EXPECT_FALSE(expand(request).empty());
    request.types = {ElementType::f64};
    for (const Case& c : expand(request)) EXPECT_NE(c.suite->name, "smoothing");
    EXPECT_FALSE(expand(request).empty());
    request.picks = {{&suite_named("smoothing"), nullptr}};
    EXPECT_THROW(expand(request), UsageError);
}

}  // namespace
}  // namespace parallax::cli::smooth_test
