// `parallax smooth`: what it writes, against a mean of its own; what it refuses; how it ends.
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cli/arguments.hpp"
#include "cli/tests/command_line.hpp"
#include "common/error.hpp"
#include "common/tests/fake_device.hpp"
#include "measure/session.hpp"
#include "studies/smooth/image.hpp"
#include "suites/planted.hpp"

namespace parallax::cli::smooth_test {
namespace {

namespace fs = std::filesystem;

class Smooth : public CommandLine {
protected:
    static void write(const fs::path& file, const std::string& bytes) {
        std::ofstream(file, std::ios::binary) << bytes;
    }

    /// An image without a pattern that a wrong index could hide in.
    static Image noisy(std::uint64_t width, std::uint64_t height, std::uint64_t channels,
                       std::uint64_t maximum) {
        Image image{width, height, channels, maximum, "", ImageFormat::pam, {}};
        std::uint32_t state = 12345;
        for (std::uint64_t i = 0; i < width * height * channels; ++i) {
            state = state * 1664525 + 1013904223;
            image.values.push_back(static_cast<std::uint16_t>((state >> 8) % (maximum + 1)));
        }
        return image;
    }

    /// One value of the smoothed image, by neighbours that are asked one by one.
    static int mean(const Image& image, int x, int y, int channel) {
        const int width = static_cast<int>(image.width), height = static_cast<int>(image.height);
        double sum = 0, count = 0;
        for (const int dy : {-1, 0, 1}) {
            for (const int dx : {-1, 0, 1}) {
                const int at_x = x + dx, at_y = y + dy;
                if (at_x < 0 || at_y < 0 || at_x >= width || at_y >= height) continue;
                const int place =
                    (at_y * width + at_x) * static_cast<int>(image.channels) + channel;
                sum += image.values[static_cast<std::size_t>(place)];
                count += 1;
            }
        }
        return static_cast<int>(sum / count + 0.5);
    }

    static void expect_smoothed(const Image& in, const Image& out) {
        ASSERT_EQ(out.width, in.width);
        ASSERT_EQ(out.height, in.height);
        ASSERT_EQ(out.channels, in.channels);
        ASSERT_EQ(out.maximum, in.maximum);
        std::size_t i = 0;
        for (int y = 0; y < static_cast<int>(in.height); ++y) {
            for (int x = 0; x < static_cast<int>(in.width); ++x) {
                for (int channel = 0; channel < static_cast<int>(in.channels); ++channel, ++i) {
                    ASSERT_EQ(out.values[i], mean(in, x, y, channel))
                        << x << " " << y << " " << channel;
                }
            }
        }
    }
};

TEST_F(Smooth, EveryVariantAndNumberOfChannels) {
    if (!has_device()) GTEST_SKIP() << "no device";
    std::uint64_t turn = 0;
    for (const char* variant :
         {"plain", "staged", "padded", "padded_staged", "pitched", "pitched_staged", "wide"}) {
        // An odd number and an even one of each, and all four of them in turn.
        turn ^= 1;
        for (const std::uint64_t channels : {1 + 2 * turn, 4 - 2 * turn}) {
            SCOPED_TRACE(std::string(variant) + " " + std::to_string(channels));
            // Rows of whole loads of eight values, and rows that are not.
            const std::uint64_t width = channels % 2 ? 37 : 40;
            const Image in = noisy(width, 11, channels, channels % 2 ? 65535 : 255);
            write("in.pam", bytes_of(in, ImageFormat::pam));
            const Ended e =
                run({"smooth", "in.pam", "-o", "out.pam", "--variant", variant, "-d", "opencl:0"});
            ASSERT_EQ(e.code, 0) << e.err;
            expect_smoothed(in, read_image("out.pam"));
            EXPECT_NE(e.out.find(std::string("smoothing/") + variant + "\n"), std::string::npos);
            EXPECT_NE(e.out.find(" ms a launch"), std::string::npos) << e.out;
            EXPECT_NE(e.out.find("B/s, the image"), std::string::npos) << e.out;
            EXPECT_NE(e.out.find("opencl:0"), std::string::npos) << e.out;
        }
    }
}

TEST_F(Smooth, FormatsFollowTheNameOfTheOutput) {
    if (!has_device()) GTEST_SKIP() << "no device";
    const Image in = noisy(5, 4, 3, 1000);
    write("in.ppm", bytes_of(in, ImageFormat::ppm));
    for (const auto& [out, magic] : {std::pair{"out.ppm", "P6\n"}, std::pair{"out.pam", "P7\n"},
                                     std::pair{"folder/out.image", "P6\n"}}) {
        const Ended e = run({"smooth", "in.ppm", "-o", out});
        EXPECT_EQ(e.code, 0) << e.err;
        EXPECT_TRUE(text_of(out).starts_with(magic)) << out;
        expect_smoothed(in, read_image(out));
    }
    write("one.pgm", "P5 1 1 7\n\5");
    EXPECT_EQ(run({"smooth", "one.pgm", "-o", "same.pgm"}).code, 0);
    EXPECT_EQ(text_of("same.pgm"), "P5\n1 1\n7\n\5");
    const Json json = Json::parse(run({"smooth", "one.pgm", "-o", "same.pgm", "--json"}).out);
    EXPECT_EQ(json.at("maximum"), 7);
    EXPECT_EQ(json.at("variant"), "plain");
    EXPECT_EQ(run({"smooth", "one.pgm", "-o", "same.pgm"}).code, 0) << "an old answer is replaced";
    expect_usage({"smooth", "one.pgm", "-o", "x.ppm"}, "3 channel(s), and the image has 1");
    expect_usage({"smooth", "in.ppm", "-o", "x.pgm"}, ".pam");
    EXPECT_FALSE(fs::exists("x.ppm") || fs::exists("x.pgm"));
}

TEST_F(Smooth, AlphaAndItsNameAreKept) {
    if (!has_device()) GTEST_SKIP() << "no device";
    Image in = noisy(3, 3, 4, 255);
    in.tuple_type = "RGB_ALPHA";
    write("in.pam", bytes_of(in, ImageFormat::pam));
    ASSERT_EQ(run({"smooth", "in.pam", "-o", "out.pam"}).code, 0);
    const Image out = read_image("out.pam");
    EXPECT_EQ(out.tuple_type, "RGB_ALPHA");
    expect_smoothed(in, out);
}

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

TEST_F(Smooth, AWrongAnswerIsOneAndWritesNothing) {
    if (!has_device()) GTEST_SKIP() << "no device";
    std::string text = parallax::kernel_text("smoothing.cl");
    const std::string right = "(sum + 4) / 9";
    text.replace(text.find(right), right.size(), "sum / 9");
    fs::create_directories("kernels");
    write("kernels/smoothing.cl", text);
    write("in.pam", bytes_of(noisy(20, 20, 3, 65535), ImageFormat::pam));
    write("out.pam", "an old file");
    const Ended e =
        run({"smooth", "in.pam", "-o", "out.pam", "-d", "opencl:0", "--kernels", "kernels"});
    EXPECT_EQ(e.code, 1);
    EXPECT_NE(e.err.find("element(s) wrong"), std::string::npos) << e.err;
    EXPECT_EQ(e.out, "") << "a time was shown";
    EXPECT_EQ(text_of("out.pam"), "an old file");
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
    // Of all suites those are left out that have not got the type.
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
