// Images of the host: their rows, and their description for the shim's functions.
#include <cstdint>

#include "backends/host/host_device.hpp"

namespace parallax::host {

HostImage::HostImage(const ImageExtents& extents, ElementType type)
    : Memory(extents, type), memory_(fenced(bytes())), argument_(extents, type) {
    ImageArgument& all = argument_;
    described_ = {.texels = reinterpret_cast<char*>(texels()),
                  .width = all.width,
                  .height = all.height,
                  .depth = all.depth,
                  .channels = all.channels,
                  .channel_bytes = all.channel_bytes,
                  .format = all.format,
                  .is_signed = is_signed(type),
                  .is_floating = is_floating(type)};
    all.surface = reinterpret_cast<std::uint64_t>(&described_);
    for (std::uint32_t bits = 0; bits < Sampler::count; ++bits) {
        all.textures.at(bits) = all.surface + bits;
    }
}

std::shared_ptr<Memory> HostDevice::do_allocate_image(const ImageExtents& extents,
                                                      ElementType type) {
    return std::make_shared<HostImage>(extents, type);
}

}  // namespace parallax::host
