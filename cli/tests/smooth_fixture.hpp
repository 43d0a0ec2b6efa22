// Shared by tests of `parallax smooth`: images, and an independent mean.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "cli/tests/command_line.hpp"
#include "studies/smooth/image.hpp"

namespace parallax::cli {

class Smooth : public CommandLine {
protected:
    static void write(const std::filesystem::path& file, const std::string& bytes) {
        std::ofstream(file, std::ios::binary) << bytes;
    }

    /// An image without a pattern that could hide a wrong index.
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

    /// One value of the smoothed image, neighbour by neighbour.
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

}  // namespace parallax::cli
