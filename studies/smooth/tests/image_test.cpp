// Image files: what the formats allow is read, everything else is refused with its reason.
#include "studies/smooth/image.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/text/temporary_folder.hpp"

namespace parallax::image_test {
namespace {

using namespace std::string_literals;

/// A PAM file of one pixel, with `line` in its header and `pixel` behind it.
std::string pam(const std::string& lines, const std::string& pixel) {
    return "P7\n" + lines + "ENDHDR\n" + pixel;
}

void expect_refused(const std::string& bytes, const std::string& word) {
    try {
        image_from("x.pam", bytes);
        ADD_FAILURE() << "It was read: " << word;
    } catch (const UsageError& error) {
        const std::string what = error.what();
        EXPECT_TRUE(what.starts_with("x.pam: ")) << what;
        EXPECT_NE(what.find(word), std::string::npos) << what;
    }
}

TEST(Image, BytesOfEachFormat) {
    const Image ppm = image_from("x", "P6\n2 1\n255\n\1\2\3\4\5\xff"s);
    EXPECT_EQ(ppm, (Image{2, 1, 3, 255, "", ImageFormat::ppm, {1, 2, 3, 4, 5, 255}}));
    const Image pgm = image_from("x", "P5 1 2 65535\n\1\2\xff\xff"s);
    EXPECT_EQ(pgm, (Image{1, 2, 1, 65535, "", ImageFormat::pgm, {0x102, 0xffff}}));
    const Image two = image_from(
        "x",
        pam("WIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 256\nTUPLTYPE GRAYSCALE_ALPHA\n", "\1\0\0\1"s));
    EXPECT_EQ(two, (Image{1, 1, 2, 256, "GRAYSCALE_ALPHA", ImageFormat::pam, {256, 1}}));
}

TEST(Image, CommentsAndWhiteSpace) {
    EXPECT_EQ(image_from("x", "P5#a\n# b\r\t1#c\n\v1 \f# d\n7\r\7"s).values,
              std::vector<std::uint16_t>{7});
    // One white space ends the header: what follows is a value, whatever it looks like.
    EXPECT_EQ(image_from("x", "P5 1 1 255\n\n"s).values, std::vector<std::uint16_t>{'\n'});
    EXPECT_EQ(image_from("x", "P5 1 1 255\n#"s).values, std::vector<std::uint16_t>{'#'});
    const Image image = image_from("x",
                                   "P7\n# a\n\n  WIDTH\t1 \nDEPTH 1\nTUPLTYPE A\r\nMAXVAL 1\n"
                                   "TUPLTYPE B C\n #b\nHEIGHT 1\nENDHDR\n\1"s);
    EXPECT_EQ(image.tuple_type, "A B C");
    EXPECT_EQ(image.values, std::vector<std::uint16_t>{1});
}

TEST(Image, WhatIsNoImage) {
    expect_refused("", "empty");
    expect_refused("P", "no PAM");
    expect_refused("\x89PNG\r\n", "no PAM");
    expect_refused("P3 1 1 255 1 2 3", "as text");
    expect_refused("P4 1 1\n\1", "bits");
    expect_refused("P65 1 255\n\1", "white space");
    expect_refused("P7 \nX\n", "does not know");
    expect_refused("P7x\n", "alone");
    expect_refused("P7", "within its header");
}

TEST(Image, HeadersCutShort) {
    const std::string ppm = "P6 # a\n 2 1 255\n\1\2\3\4\5\6";
    for (std::size_t i = 2; i < 16; ++i) expect_refused(ppm.substr(0, i), "within its header");
    const std::string whole = pam("WIDTH 1\nHEIGHT 1\nDEPTH 3\nMAXVAL 255\nTUPLTYPE RGB\n", "");
    for (std::size_t i = 2; i < whole.size(); ++i) {
        expect_refused(whole.substr(0, i), "within its header");
    }
}

TEST(Image, NumbersThatCannotBe) {
    expect_refused("P5 0 1 255\n", "nothing in it");
    expect_refused("P5 1 0 255\n", "nothing in it");
    expect_refused("P5 -1 1 255\n", "'-1'");
    expect_refused("P5 +1 1 255\n", "'+1'");
    expect_refused("P5 1.0 1 255\n", "'1.0'");
    expect_refused("P5 0x1 1 255\n", "'0x1'");
    expect_refused("P5 1 1 0\n\0"s, "maximum (MAXVAL) is 0");
    expect_refused("P5 1 1 65536\n\0\0"s, "65536");
    expect_refused("P5 1 1 18446744073709551616\n\0\0"s, "more than any file");
    expect_refused("P5 1 1 255#\n\0"s, "comment");
}

TEST(Image, SizesThatTheFileHasNot) {
    // Products of these wrap to small numbers in 64 bits.
    expect_refused("P6 4294967296 4294967296 255\n", "only 0 byte(s) follow");
    expect_refused("P6 18446744073709551615 1 255\n123", "only 3 byte(s) follow");
    expect_refused("P6 6148914691236517206 1 255\n12", "only 2 byte(s) follow");
    expect_refused("P5 1000000 1000000 65535\n1", "only 1 byte(s) follow");
    expect_refused("P6 1 1 255\n12", "only 2 byte(s) follow");
    expect_refused("P5 1 1 256\n1", "only 1 byte(s) follow");
    expect_refused("P6 1 1 255\n123\n", "1 byte(s) follow its last pixel");
    expect_refused("P5 1 1 255\n1P5 1 1 255\n1", "one image");
    expect_refused("P5 1 1 256\n\0\0\0"s, "cut it off after 13 bytes");
}

TEST(Image, ValuesAboveTheMaximum) {
    expect_refused("P6 1 2 254\n123\1\2\xff"s, "value 255 at x 0, y 1, channel 2");
    expect_refused("P5 1 1 256\n\1\1"s, "value 257");
}

TEST(Image, LinesOfPam) {
    const std::string size = "WIDTH 1\nHEIGHT 1\n";
    expect_refused(pam(size + "MAXVAL 255\n", "1"), "no DEPTH");
    expect_refused(pam(size + "DEPTH 1\n", "1"), "no MAXVAL");
    expect_refused(pam(size + "DEPTH 0\nMAXVAL 255\n", ""), "0 channels");
    expect_refused(pam(size + "DEPTH 5\nMAXVAL 255\n", "12345"), "5 channels");
    expect_refused(pam(size + "WIDTH 1\nDEPTH 1\nMAXVAL 255\n", "1"), "WIDTH twice");
    expect_refused(pam(size + "DEPTH\nMAXVAL 255\n", "1"), "DEPTH is ''");
    expect_refused(pam(size + "DEPTH 1 1\nMAXVAL 255\n", "1"), "'1 1'");
    expect_refused(pam(size + "COLOUR 1\n", "1"), "COLOUR 1");
    expect_refused(pam(size + "DEPTH 1\nMAXVAL 255\nTUPLTYPE\n", "1"), "TUPLTYPE ''");
    expect_refused(pam("TUPLTYPE " + std::string(256, 'x') + "\n", "1"), "longer than 255");
    expect_refused("P7\nENDHDR x\n", "ENDHDR");
    // Nothing of a file may steer a terminal.
    expect_refused("P7\n\x1b[2J 1\n", "\\x1b");
}

TEST(Image, WhatIsWrittenIsReadAgain) {
    for (const std::uint64_t maximum : {1u, 255u, 256u, 65535u}) {
        for (const std::uint64_t channels : {1u, 2u, 3u, 4u}) {
            Image image{3, 2, channels, maximum, "A B", ImageFormat::pam, {}};
            for (std::uint64_t i = 0; i < 6 * channels; ++i) {
                image.values.push_back(static_cast<std::uint16_t>(i * 2749 % (maximum + 1)));
            }
            EXPECT_EQ(image_from("x", bytes_of(image, ImageFormat::pam)), image);
            for (const auto& [format, fixed] :
                 {std::pair{ImageFormat::ppm, 3u}, std::pair{ImageFormat::pgm, 1u}}) {
                if (channels != fixed) {
                    EXPECT_THROW(bytes_of(image, format), UsageError);
                    continue;
                }
                Image same = image;
                same.tuple_type.clear();
                same.format = format;
                EXPECT_EQ(image_from("x", bytes_of(image, format)), same);
            }
        }
    }
    EXPECT_EQ(bytes_of(Image{1, 1, 3, 255, "", ImageFormat::ppm, {1, 2, 3}}, ImageFormat::ppm),
              "P6\n1 1\n255\n\1\2\3");
    EXPECT_NE(bytes_of(Image{1, 1, 4, 255, "", ImageFormat::pam, {1, 2, 3, 4}}, ImageFormat::pam)
                  .find("TUPLTYPE RGB_ALPHA\n"),
              std::string::npos);
}

TEST(Image, FormatsByName) {
    EXPECT_EQ(format_named("a/b.PpM"), ImageFormat::ppm);
    EXPECT_EQ(format_named("b.pgm"), ImageFormat::pgm);
    EXPECT_EQ(format_named("b.ppm.pam"), ImageFormat::pam);
    EXPECT_EQ(format_named("ppm"), std::nullopt);
    EXPECT_EQ(format_named("b.png"), std::nullopt);
}

TEST(Image, FilesThatCannotBeRead) {
    namespace fs = std::filesystem;
    const TemporaryFolder place("parallax-images-");
    const fs::path& folder = place.path();
    EXPECT_THROW(read_image(folder), UsageError);
    EXPECT_THROW(read_image(folder / "none.ppm"), UsageError);
    EXPECT_THROW(read_image("/dev/null"), UsageError);
    std::ofstream(folder / "a.pgm", std::ios::binary) << "P5 1 1 255\n7";
    EXPECT_EQ(read_image(folder / "a.pgm").values, std::vector<std::uint16_t>{'7'});
}

}  // namespace
}  // namespace parallax::image_test
