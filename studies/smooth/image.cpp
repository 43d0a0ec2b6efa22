// Images from files and back: sizes are compared before anything is allocated.
#include "studies/smooth/image.hpp"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/text.hpp"
#include "studies/smooth/header.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

std::uint64_t bytes_of_value(const Image& image) {
    return image.maximum > 255 ? 2 : 1;
}

/// Whether the image has more than `count` values; their number may be beyond 64 bits.
bool has_more_than(const Image& image, std::uint64_t count) {
    const std::uint64_t pixels = count / image.channels;
    return image.width > pixels || image.height > pixels / image.width;
}

std::vector<std::uint16_t> values_of(const Image& image, std::string_view name,
                                     std::string_view bytes) {
    const std::uint64_t wide = bytes_of_value(image);
    const auto byte = [&](std::uint64_t i) { return static_cast<std::uint8_t>(bytes[i]); };
    std::vector<std::uint16_t> values(bytes.size() / wide);
    for (std::uint64_t i = 0; i < values.size(); ++i) {
        const unsigned value = wide == 2 ? byte(2 * i) * 256u + byte(2 * i + 1) : byte(i);
        if (value > image.maximum) {
            const std::uint64_t pixel = i / image.channels;
            throw UsageError(
                fmt::format("{}: The value {} at x {}, y {}, channel {} is above the maximum of "
                            "{} in its header. Correct the maximum.",
                            name, value, pixel % image.width, pixel / image.width,
                            i % image.channels, image.maximum));
        }
        values[i] = static_cast<std::uint16_t>(value);
    }
    return values;
}

/// The file's bytes, no more than it had when it was asked.
std::string content_of(const fs::path& file) {
    const std::string name = file.string();
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (!fs::exists(status)) {
        throw UsageError(fmt::format(
            "{}: There is no such file, or none that may be seen. Name a PAM, PPM or PGM file.",
            name));
    }
    // A pipe or a device has no size to compare with.
    if (!fs::is_regular_file(status)) {
        throw UsageError(
            fmt::format("{}: It is no ordinary file. Name a PAM, PPM or PGM file.", name));
    }
    const std::uintmax_t size = fs::file_size(file, error);
    std::ifstream in(file, std::ios::binary);
    if (error || !in) {
        throw UsageError(fmt::format("{}: It cannot be read. Are you allowed to?", name));
    }
    std::string bytes(size, '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (static_cast<std::uintmax_t>(in.gcount()) != size) {
        throw UsageError(fmt::format("{}: It could not be read to its end. Try again.", name));
    }
    return bytes;
}

std::string tuple_type_of(const Image& image) {
    if (!image.tuple_type.empty()) return image.tuple_type;
    switch (image.channels) {
        case 1: return "GRAYSCALE";
        case 2: return "GRAYSCALE_ALPHA";
        case 3: return "RGB";
        default: break;
    }
    return "RGB_ALPHA";
}

}  // namespace

Image image_from(std::string_view name, std::string_view bytes) {
    const std::string shown = printable(name);
    ImageHeader header = header_of(shown, bytes);
    Image& image = header.image;
    const std::string_view rest = bytes.substr(header.bytes);
    const std::uint64_t wide = bytes_of_value(image);
    if (has_more_than(image, rest.size() / wide)) {
        throw UsageError(
            fmt::format("{}: Its header speaks of {} x {} pixels of {} channel(s) of {} byte(s), "
                        "and only {} byte(s) follow. Is it a part of a file? Copy it again.",
                        shown, image.width, image.height, image.channels, wide, rest.size()));
    }
    const std::uint64_t needed = image.width * image.height * image.channels * wide;
    if (rest.size() != needed) {
        throw UsageError(
            fmt::format("{}: {} byte(s) follow its last pixel. A file must hold one image and "
                        "nothing else: split it, or cut it off after {} bytes.",
                        shown, rest.size() - needed, header.bytes + needed));
    }
    image.values = values_of(image, shown, rest);
    return std::move(image);
}

Image read_image(const fs::path& file) {
    return image_from(file.string(), content_of(file));
}

std::string bytes_of(const Image& image, ImageFormat format) {
    if (const std::string reason = cannot_hold(format, image.channels); !reason.empty()) {
        throw UsageError(reason);
    }
    std::string bytes =
        format == ImageFormat::pam
            ? fmt::format("P7\nWIDTH {}\nHEIGHT {}\nDEPTH {}\nMAXVAL {}\nTUPLTYPE {}\nENDHDR\n",
                          image.width, image.height, image.channels, image.maximum,
                          tuple_type_of(image))
            : fmt::format("{}\n{} {}\n{}\n", format == ImageFormat::ppm ? "P6" : "P5", image.width,
                          image.height, image.maximum);
    const bool wide = bytes_of_value(image) == 2;
    bytes.reserve(bytes.size() + image.values.size() * (wide ? 2 : 1));
    for (const std::uint16_t value : image.values) {
        if (wide) bytes += static_cast<char>(value >> 8);
        bytes += static_cast<char>(value & 255);
    }
    return bytes;
}

std::string_view name_of(ImageFormat format) {
    switch (format) {
        case ImageFormat::ppm: return "PPM";
        case ImageFormat::pgm: return "PGM";
        case ImageFormat::pam: break;
    }
    return "PAM";
}

std::optional<ImageFormat> format_named(const fs::path& file) {
    const std::string end = lower_case(file.extension().string());
    for (const ImageFormat format : {ImageFormat::pam, ImageFormat::ppm, ImageFormat::pgm}) {
        if (end == "." + lower_case(name_of(format))) return format;
    }
    return {};
}

std::string cannot_hold(ImageFormat format, std::uint64_t channels) {
    const std::uint64_t fixed = format == ImageFormat::ppm   ? 3
                                : format == ImageFormat::pgm ? 1
                                                             : channels;
    if (channels == fixed) return {};
    return fmt::format(
        "A {} file has {} channel(s), and the image has {}. Name a file that ends with .pam, which "
        "has 1 to 4.",
        name_of(format), fixed, channels);
}

}  // namespace parallax
