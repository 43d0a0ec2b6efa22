// Images of 8 or 16 bits a value, and the files that hold them: PAM, PPM and PGM.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parallax {

/// The files of Netpbm that hold binary values: `P7`, `P6`, `P5`.
enum class ImageFormat {
    pam,  ///< 1 to 4 channels
    ppm,  ///< 3 channels
    pgm   ///< 1 channel
};

/// Row after row, pixel after pixel, channel after channel, without gaps.
struct Image {
    std::uint64_t width = 0, height = 0;    ///< pixels, at least 1
    std::uint64_t channels = 1;             ///< 1 to 4
    std::uint64_t maximum = 255;            ///< the value of full brightness, 1 to 65535
    std::string tuple_type = {};            ///< a PAM file's TUPLTYPE; empty: it has none
    ImageFormat format = ImageFormat::pam;  ///< of the file that it was read from
    std::vector<std::uint16_t> values = {};

    bool operator==(const Image&) const = default;
};

/// The image in the bytes of a file. Memory is allocated only after the sizes in the header were
/// found to be those of the bytes: two bytes for each value.
/// @param name  of the file, for messages
/// @throws UsageError naming the file, what is wrong with it and what to do
Image image_from(std::string_view name, std::string_view bytes);

/// The image in a file. @throws UsageError as image_from, or when it cannot be read
Image read_image(const std::filesystem::path& file);

/// The bytes of a file that holds the image: values of 1 byte up to a maximum of 255, else of 2,
/// the larger part first.
/// @throws UsageError when the format has not got so many channels
std::string bytes_of(const Image&, ImageFormat);

/// `PAM`, `PPM`, `PGM`
std::string_view name_of(ImageFormat);
/// The format that a file's name ends with (`.pam`, `.ppm`, `.pgm`, in any case), or nothing.
std::optional<ImageFormat> format_named(const std::filesystem::path& file);
/// Why the format cannot hold so many channels, in one sentence; empty: it can.
std::string cannot_hold(ImageFormat, std::uint64_t channels);

}  // namespace parallax
