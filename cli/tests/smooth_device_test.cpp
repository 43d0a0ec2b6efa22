// Tests `parallax smooth` on a real device against a mean computed here.
#include <algorithm>
#include <utility>
#include <vector>

#include "cli/tests/smooth_fixture.hpp"
#include "common/tests/thorough.hpp"
#include "suites/planted.hpp"

namespace parallax::cli::smooth_device_test {
namespace {

namespace fs = std::filesystem;

TEST_F(Smooth, EveryVariantAndNumberOfChannels) {
    if (!has_device()) GTEST_SKIP() << "no device";
    std::uint64_t turn = 0;
    std::size_t place = 0;
    for (const char* variant :
         {"plain", "staged", "padded", "padded_staged", "pitched", "pitched_staged", "wide"}) {
        // An odd number and an even one of each, and all four of them in turn.
        turn ^= 1;
        std::vector<std::uint64_t> numbers{1 + 2 * turn, 4 - 2 * turn};
        // The sample has one of them with each variant, and all four of them as well.
        if (place++ / 2 % 2 == 1) std::ranges::reverse(numbers);
        for (const std::uint64_t channels : test::every_nth(numbers, 2)) {
            SCOPED_TRACE(std::string(variant) + " " + std::to_string(channels));
            // Rows with and without a remainder after loads of eight values.
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

TEST_F(Smooth, AWrongAnswerIsOneAndWritesNothing) {
    if (!has_device()) GTEST_SKIP() << "no device";
    std::string text = parallax::kernel_source("smoothing.cl");
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

}  // namespace
}  // namespace parallax::cli::smooth_device_test
