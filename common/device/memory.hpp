// Memory and images of a device, and host memory that a device can access.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/device/device_info.hpp"
#include "common/device/types.hpp"

namespace parallax {

/// Location of memory.
enum class Placement {
    device,         ///< the device's own
    mapped,         ///< page-locked, of the host; kernels reach it without a copy (zero copy)
    pageable,       ///< ordinary memory of the host: for copies
    page_locked,    ///< page-locked, of the host: for copies
    write_combined  ///< the same, not cached: the host writes it fast and reads it slowly
};
/// `device`, `mapped`, `pageable`, `page-locked`, `write-combined`
std::string_view name_of(Placement);
/// Whether kernels can access it.
constexpr bool is_for_kernels(Placement placement) {
    return placement == Placement::device || placement == Placement::mapped;
}

/// How an image is read: the bits of a kernel's sampler_t, which CUDA kernels get as an integer.
struct Sampler {
    enum class Address : std::uint8_t { edge, zero, repeat, mirror } address = Address::edge;
    bool is_normalized = false, is_linear = false;

    constexpr std::uint32_t bits() const {
        return (is_normalized ? 1U : 0U) | static_cast<std::uint32_t>(address) << 1U |
               (is_linear ? 8U : 0U);
    }
    /// @param bits  less than `count`
    static constexpr Sampler of(std::uint32_t bits) {
        return {static_cast<Address>(bits >> 1U & 3U), (bits & 1U) != 0, (bits & 8U) != 0};
    }
    static constexpr std::uint32_t count = 16;
    /// Whether the combination exists: repeating address modes need normalized coordinates.
    constexpr bool is_possible() const { return is_normalized || address <= Address::zero; }
    bool operator==(const Sampler&) const = default;
};

/// The extents and format of an image.
struct ImageExtents {
    std::uint64_t width = 1;     ///< texels of a row
    std::uint64_t height = 0;    ///< rows; 0: one dimension, the texels of a buffer
    unsigned channels = 1;       ///< numbers of a texel: 1, 2 or 4
    std::uint64_t depth = 0;     ///< slices or layers; 0: neither
    bool is_array = false;       ///< `depth` counts layers
    bool is_normalized = false;  ///< kernels see integers as numbers from 0 (with a sign: -1) to 1
    bool is_written = false;     ///< by kernels
    Sampler texture = {};        ///< how kernels read it that take one texture object

    /// The number of scalars in the image.
    constexpr std::uint64_t elements() const {
        return width * (height == 0 ? 1 : height) * (depth == 0 ? 1 : depth) * channels;
    }
    /// Its type in OpenCL C: `image2d_t`, `image1d_buffer_t`, `image3d_t` or `image2d_array_t`.
    std::string_view type_name() const;
    bool operator==(const ImageExtents&) const = default;
};

/// A CUDA kernel's argument for an image where its source has samplers: the prelude's struct Image.
struct ImageArgument {
    ImageArgument() = default;
    ImageArgument(const ImageExtents&, ElementType);

    std::array<std::uint64_t, Sampler::count> textures{};
    std::uint64_t surface = 0;
    std::int32_t width = 0, height = 0, depth = 0, channels = 0, channel_bytes = 0;
    std::int32_t format = 0;  ///< 0: numbers as they are, 1: half, 2: from 0 to 1, 3: from -1 to 1
};

/// Why the device's images cannot have these extents, in a sentence; empty: they can.
std::string cannot_hold(const DeviceInfo&, const ImageExtents&);

/// Device memory: a payload for kernels between two guard zones that they must not touch. It keeps
/// its device alive.
class Memory {
public:
    Memory(std::size_t payload_bytes, std::size_t guard_bytes,
           Placement placement = Placement::device)
        : bytes_(payload_bytes), guard_(guard_bytes), placement_(placement) {}
    /// An image: its payload is row after row, slice after slice, without guard zones.
    Memory(const ImageExtents& image, ElementType type)
        : bytes_(image.elements() * size_of(type)), guard_(0), image_(image) {}
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    virtual ~Memory() = default;

    std::size_t bytes() const { return bytes_; }  ///< of the payload
    std::size_t guard() const { return guard_; }  ///< bytes before and after the payload
    Placement placement() const { return placement_; }
    /// Its form, if it is an image.
    const std::optional<ImageExtents>& image() const { return image_; }
    /// The payload's first byte on the host; null unless the memory is for copies only.
    virtual std::byte* host() const { return nullptr; }

private:
    std::size_t bytes_, guard_;
    Placement placement_ = Placement::device;
    std::optional<ImageExtents> image_;
};

/// Host memory that a device accesses without an intermediate copy, initially undefined. It keeps
/// its device alive; the destructor frees it.
class HostMemory {
public:
    HostMemory() = default;
    HostMemory(const HostMemory&) = delete;
    HostMemory& operator=(const HostMemory&) = delete;
    virtual ~HostMemory() = default;

    virtual std::span<std::byte> bytes() = 0;
};

/// Ordinary memory of the host.
class PageableMemory final : public HostMemory {
public:
    explicit PageableMemory(std::size_t bytes)
        : bytes_(std::make_unique_for_overwrite<std::byte[]>(bytes)), size_(bytes) {}
    std::span<std::byte> bytes() override { return {bytes_.get(), size_}; }

private:
    std::unique_ptr<std::byte[]> bytes_;
    std::size_t size_;
};

/// Guard zone on each side of every buffer that the program allocates itself.
inline constexpr std::size_t guard_bytes = 4096;

/// Pairs of bytes, repeated; each launch uses one: a NaN, a very large or a very small number. None
/// is a valid index, and none is the pattern of outputs before a launch.
inline constexpr std::array<std::array<std::uint8_t, 2>, 3> uninitialized_local{
    {{0xc1, 0xff}, {0x7e, 0x7f}, {0xfd, 0xfe}}};

}  // namespace parallax
