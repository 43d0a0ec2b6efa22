// Images of the host: their rows, and their description for the shim's functions.
#include <cstdint>

#include "backends/host/host_device.hpp"

namespace parallax::host {

HostImage::HostImage(const ImageExtents& extents, ElementType type)
    : Memory(extents, type), memory_(fenced(bytes())) {
    const bool is_signed =
        type == ElementType::i8 || type == ElementType::i16 || type == ElementType::i32;
    ImageArgument& all = argument_;
    all.width = static_cast<std::int32_t>(extents.width);
    all.height = static_cast<std::int32_t>(extents.height);
    all.depth = static_cast<std::int32_t>(extents.depth);
    all.channels = static_cast<std::int32_t>(extents.channels);
    all.channel_bytes = static_cast<std::int32_t>(size_of(type));
    all.format = type == ElementType::f16 ? 1 : !extents.is_normalized ? 0 : is_signed ? 3 : 2;
    described_ = {.texels = reinterpret_cast<char*>(texels()),
                  .width = all.width,
                  .height = all.height,
                  .depth = all.depth,
                  .channels = all.channels,
                  .channel_bytes = all.channel_bytes,
                  .format = all.format,
                  .is_signed = is_signed,
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
