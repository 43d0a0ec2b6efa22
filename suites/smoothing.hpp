// How the variants of the smoothing suite lay out an image in memory.
#pragma once

#include <cstdint>

#include "common/suite/suite.hpp"

namespace parallax {

/// Where the values of an image lie: row after row, pixel after pixel, channel after channel.
struct ImageLayout {
    std::uint64_t width = 0, height = 0;
    std::uint64_t channels = 0;  ///< of the image
    std::uint64_t stored = 0;    ///< values of a pixel in memory; those beyond `channels` are 0
    std::uint64_t stride = 0;    ///< pixels from one row to the next; those beyond `width` are 0

    std::uint64_t values() const { return stride * height * stored; }
    std::uint64_t at(std::uint64_t x, std::uint64_t y, std::uint64_t channel) const {
        return (y * stride + x) * stored + channel;
    }
};

/// The layout of inputs and answers of a case of the suite `smoothing`.
namespace smoothing_suite {
ImageLayout layout_of(const Case&);
}
using smoothing_suite::layout_of;

}  // namespace parallax
