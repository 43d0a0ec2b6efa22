// Memory layouts of the images in the smoothing suite.
#pragma once

#include <cstdint>

#include "common/suite/suite.hpp"

namespace parallax {

/// The position of an image's values: row-major, then by pixel, then by channel.
struct ImageLayout {
    std::uint64_t width = 0, height = 0;
    std::uint64_t channels = 0;  ///< of the image
    std::uint64_t stored = 0;    ///< values per pixel in memory; those beyond `channels` are 0
    std::uint64_t stride = 0;    ///< pixels per row in memory; those beyond `width` are 0

    std::uint64_t values() const { return stride * height * stored; }
    std::uint64_t at(std::uint64_t x, std::uint64_t y, std::uint64_t channel) const {
        return (y * stride + x) * stored + channel;
    }
};

/// The layout of inputs and results of a case of the suite `smoothing`.
namespace smoothing_suite {
ImageLayout layout_of(const Case&);
}
using smoothing_suite::layout_of;

}  // namespace parallax
