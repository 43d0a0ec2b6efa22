// Validates requests to a device before its API is called.
#include "common/device/device.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/process/parallel.hpp"
#include "common/process/watchdog.hpp"
#include "common/profile.hpp"

namespace parallax {
namespace {

/// `cuda:0 (NVIDIA H100)`
std::string named(const DeviceInfo& info) {
    return fmt::format("{} ({})", info.id(), info.name);
}

/// @param guard  bytes beyond both ends that are allowed, too
void check_range(const Memory& memory, std::ptrdiff_t offset, std::size_t bytes,
                 std::string_view what, std::size_t guard) {
    const auto beyond = static_cast<std::ptrdiff_t>(guard);
    const auto end = static_cast<std::ptrdiff_t>(memory.bytes()) + beyond;
    if (offset < -beyond || offset > end || static_cast<std::size_t>(end - offset) < bytes) {
        throw UsageError(
            fmt::format("{} of {} bytes at offset {} lies outside a buffer of {} bytes"
                        "{}.",
                        what, bytes, offset, memory.bytes(),
                        guard > 0 ? fmt::format(" with guard zones of {}", guard) : ""));
    }
}

/// Sizes from outside must not overflow when multiplied, and impossible sizes must not reach a
/// driver: some drivers crash on them.
void check_size(const DeviceInfo& info, std::uint64_t size, std::uint64_t most,
                const std::string& what) {
    if (size <= most) return;
    throw UsageError(fmt::format("{}: {} allows {} bytes in one piece. Choose a smaller size.",
                                 what, named(info), info.max_allocation_bytes));
}

void check_whole(const Memory& memory, std::size_t bytes, std::string_view what) {
    if (memory.image() && bytes != memory.bytes()) {
        throw UsageError(
            fmt::format("{} of {} bytes: images are moved as a whole, and this one has {}.", what,
                        bytes, memory.bytes()));
    }
}

/// Rejects operations that kernels and commands cannot do with images.
void check_no_image(const Memory& memory, std::string_view what) {
    if (memory.image()) {
        throw UsageError(fmt::format(
            "{} an image: only the host writes and reads it, with Device::write and read.", what));
    }
}

void check_payload(const Memory& memory, std::size_t offset, std::size_t bytes,
                   std::string_view what) {
    check_range(memory, static_cast<std::ptrdiff_t>(offset), bytes, what, 0);
}

void check_extent(const DeviceInfo& info, const Size& size, const Size& limit,
                  std::string_view what) {
    const auto one = [&](std::uint64_t have, std::uint64_t most, char dimension) {
        if (have == 0) {
            throw UsageError(fmt::format("A launch of 0 {} in dimension {}.", what, dimension));
        }
        if (most != 0 && have > most) {
            throw UsageError(fmt::format("{} {} in dimension {}: {} allows {}.", have, what,
                                         dimension, named(info), most));
        }
    };
    one(size.x, limit.x, 'x');
    one(size.y, limit.y, 'y');
    one(size.z, limit.z, 'z');
}

void check(const DeviceInfo& info, const Dispatch& dispatch) {
    if (!dispatch.code) throw UsageError("A launch without a kernel.");
    if (dispatch.is_cooperative && !cannot_cooperate(info).empty()) {
        throw Unsupported(cannot_cooperate(info));
    }
    const Geometry& geometry = dispatch.geometry;
    check_extent(info, geometry.groups, info.max_groups, "groups");
    check_extent(info, geometry.items, info.max_items, "items of a group");
    // A CPU states no limit and runs work-groups one after another: its driver gives up, or takes
    // too long.
    constexpr double most_on_cpu = 0x1p31;
    const double all = work_items(geometry);
    if (!info.is_gpu && all > most_on_cpu) {
        throw UsageError(fmt::format(
            "A launch of {:.6g} work-items: {} is no GPU, which is given {:.0f} at most. Choose a "
            "smaller size.",
            all, named(info), most_on_cpu));
    }
    const std::uint64_t most = std::min<std::uint64_t>(
        info.max_group_items, dispatch.code->resources.max_group_items.value_or(
                                  static_cast<std::uint32_t>(info.max_group_items)));
    if (geometry.items.product() > most) {
        throw UsageError(fmt::format(
            "A group of {} work-items: kernel '{}' on {} allows {}. Choose a smaller group.",
            geometry.items.product(), dispatch.code->kernel, named(info), most));
    }
    const std::uint64_t local = local_layout(dispatch.arguments).bytes +
                                std::uint64_t{dispatch.code->resources.local_bytes.value_or(0)};
    if (local > info.local_bytes) {
        throw UsageError(
            fmt::format("{} bytes of local memory for kernel '{}': a group on {} can have {}. "
                        "Choose a smaller tile or group.",
                        local, dispatch.code->kernel, named(info), info.local_bytes));
    }
    for (const Argument& argument : dispatch.arguments) {
        if (const auto* memory = std::get_if<std::shared_ptr<Memory>>(&argument)) {
            if (!*memory) throw UsageError("A launch with a buffer that is not there.");
            if (!is_for_kernels((*memory)->placement())) {
                throw UsageError(
                    fmt::format("Kernels do not reach {} memory of the host. Copy it to the "
                                "device, or take mapped memory.",
                                name_of((*memory)->placement())));
            }
        }
        const auto* bytes = std::get_if<LocalBytes>(&argument);
        if (bytes && bytes->bytes == 0) throw UsageError("A launch with local memory of 0 bytes.");
    }
}

void check(const Copy& copy) {
    if (!copy.source || !copy.target) throw UsageError("A copy with a buffer that is not there.");
    check_no_image(*copy.source, "A copy from");
    check_no_image(*copy.target, "A copy to");
    check_payload(*copy.source, copy.source_offset, copy.bytes, "A copy from");
    check_payload(*copy.target, copy.target_offset, copy.bytes, "A copy to");
    if (copy.source->host() && copy.target->host()) {
        throw UsageError("A copy from the host to the host is not the device's to make.");
    }
    if (copy.source == copy.target && copy.source_offset < copy.target_offset + copy.bytes &&
        copy.target_offset < copy.source_offset + copy.bytes) {
        throw UsageError("A copy whose two ranges overlap.");
    }
}

void check(const Fill& fill) {
    if (!fill.target) throw UsageError("A fill of a buffer that is not there.");
    if (fill.target->host()) throw UsageError("The host's own memory is not the device's to fill.");
    check_no_image(*fill.target, "A fill of");
    check_payload(*fill.target, fill.offset, fill.bytes, "A fill");
}

std::string words_for(const ImageExtents& image) {
    if (image.depth > 0) {
        return fmt::format("{} x {} x {} texels", image.width, image.height, image.depth);
    }
    return image.height > 0 ? fmt::format("{} x {} texels", image.width, image.height)
                            : fmt::format("{} texels in one dimension", image.width);
}

/// Host memory between guard zones, for every host placement.
class HostBuffer final : public Memory {
public:
    HostBuffer(std::unique_ptr<HostMemory> memory, std::size_t bytes, std::size_t guard,
               Placement placement)
        : Memory(bytes, guard, placement), memory_(std::move(memory)) {}

    std::byte* host() const override { return memory_->bytes().data() + guard(); }

private:
    std::unique_ptr<HostMemory> memory_;
};

}  // namespace

std::string_view name_of(Placement placement) {
    switch (placement) {
        case Placement::device: break;
        case Placement::mapped: return "mapped";
        case Placement::pageable: return "pageable";
        case Placement::page_locked: return "page-locked";
        case Placement::write_combined: return "write-combined";
    }
    return "device";
}

std::string cannot_cooperate(const DeviceInfo& info) {
    if (info.has(cooperative_launches)) return {};
    return fmt::format(
        "{} has no cooperative launches, in which all work-groups wait for each other{}. Name a "
        "CUDA device, or write the kernel as several 'launches' that end where it waits.",
        named(info),
        info.backend == "host"     ? ": it runs groups one after another"
        : info.backend == "opencl" ? ": OpenCL does not define them"
                                   : "");
}

bool is_one_queue(std::span<const Command> commands) {
    return std::ranges::all_of(
        commands, [](const Command& one) { return one.queue == 0 && one.after.empty(); });
}

std::string DeviceInfo::id() const {
    return fmt::format("{}:{}", backend, index);
}

LocalLayout local_layout(std::span<const Argument> arguments) {
    LocalLayout layout;
    for (const Argument& argument : arguments) {
        const auto* local = std::get_if<LocalBytes>(&argument);
        if (!local) continue;
        constexpr std::uint64_t step = LocalLayout::alignment;
        layout.bytes = (layout.bytes + step - 1) / step * step;
        // More than 32 bits is rejected before it reaches a kernel: no device has so much.
        layout.offsets.push_back(static_cast<std::uint32_t>(layout.bytes));
        layout.bytes += local->bytes;
    }
    return layout;
}

std::shared_ptr<Memory> Device::allocate(std::size_t bytes, std::size_t guard,
                                         Placement placement) {
    if (bytes == 0) throw UsageError("A buffer of 0 bytes.");
    check_size(info_, bytes,
               info_.max_allocation_bytes - std::min(2 * guard, info_.max_allocation_bytes),
               fmt::format("A buffer of {} bytes", bytes));
    const InPhase phase(Phase::transfers, info_.backend);
    if (is_for_kernels(placement)) {
        return do_allocate(bytes, guard, placement == Placement::mapped);
    }
    const std::size_t whole = bytes + 2 * guard;
    std::unique_ptr<HostMemory> memory;
    if (placement == Placement::pageable) {
        memory = std::make_unique<PageableMemory>(whole);
    } else {
        memory = do_page_locked(whole, placement == Placement::write_combined);
    }
    return std::make_shared<HostBuffer>(std::move(memory), bytes, guard, placement);
}

std::unique_ptr<HostMemory> Device::page_locked(std::size_t bytes, bool write_combined) {
    if (bytes == 0) throw UsageError("Page-locked memory of 0 bytes.");
    check_size(info_, bytes, info_.max_allocation_bytes,
               fmt::format("Page-locked memory of {} bytes", bytes));
    return do_page_locked(bytes, write_combined);
}

std::string_view ImageExtents::type_name() const {
    if (depth > 0) return is_array ? "image2d_array_t" : "image3d_t";
    return height > 0 ? "image2d_t" : "image1d_buffer_t";
}

ImageArgument::ImageArgument(const ImageExtents& extents, ElementType type)
    : width(static_cast<std::int32_t>(extents.width)),
      height(static_cast<std::int32_t>(extents.height)),
      depth(static_cast<std::int32_t>(extents.depth)),
      channels(static_cast<std::int32_t>(extents.channels)),
      channel_bytes(static_cast<std::int32_t>(size_of(type))),
      format(type == ElementType::f16 ? 1
             : !extents.is_normalized ? 0
             : is_signed(type)        ? 3
                                      : 2) {}

std::string cannot_hold(const DeviceInfo& info, const ImageExtents& image) {
    const bool flat = image.height > 0;
    if (flat ? image.width <= info.max_image_width && image.height <= info.max_image_height
             : image.width <= info.max_image_texels) {
        return {};
    }
    return fmt::format("An image of {}: {} allows {}.", words_for(image), named(info),
                       flat ? fmt::format("{} x {}", info.max_image_width, info.max_image_height)
                            : std::to_string(info.max_image_texels));
}

std::shared_ptr<Memory> Device::allocate_image(const ImageExtents& image, ElementType type) {
    const bool has_channels = image.channels == 1 || image.channels == 2 || image.channels == 4;
    if (image.width == 0 || !has_channels || (image.depth > 0 && image.height == 0)) {
        throw UsageError(
            fmt::format("An image of {} with {} channel(s): it has a texel at least, and 1, 2 or 4 "
                        "channels.",
                        words_for(image), image.channels));
    }
    const bool can_be_normalized = size_of(type) <= 2 && type != ElementType::f16;
    if (size_of(type) > 4 || (image.is_normalized && !can_be_normalized)) {
        throw UsageError(fmt::format(
            "An image of {}: take numbers of 32 bits or fewer, and normalized ones of 8 or 16.",
            name_of(type)));
    }
    if (!info_.has("images") ||
        (image.height > 0 ? info_.max_image_width : info_.max_image_texels) == 0) {
        throw Unsupported(fmt::format("{} has no images of {} dimension(s).", named(info_),
                                      image.height > 0 ? "two" : "one"));
    }
    constexpr std::uint64_t most_slices = 16384;
    if (image.depth > most_slices) {
        throw UsageError(fmt::format("An image of {}: {} slices or layers are the most.",
                                     words_for(image), most_slices));
    }
    // Sizes from outside are checked against the limits before they are multiplied.
    if (const std::string reason = cannot_hold(info_, image); !reason.empty()) {
        throw UsageError(reason + " Choose a smaller one.");
    }
    check_size(info_, image.elements(), info_.max_allocation_bytes / size_of(type),
               fmt::format("An image of {} with {} channel(s)", words_for(image), image.channels));
    return do_allocate_image(image, type);
}

std::shared_ptr<Memory> Device::do_allocate_image(const ImageExtents&, ElementType) {
    throw Unsupported(named(info_) + " has no images to offer.");
}

std::unique_ptr<HostMemory> Device::do_page_locked(std::size_t, bool) {
    throw Unsupported(named(info_) + " has no page-locked memory of the host to offer.");
}

void Device::write(Memory& memory, std::span<const std::byte> data, std::ptrdiff_t offset) {
    write(std::array{HostWrite{&memory, data, offset}});
}

void Device::read(const Memory& memory, std::span<std::byte> data, std::ptrdiff_t offset) {
    read(std::array{HostRead{&memory, data, offset}});
}

namespace {

/// Moves the parts of the host's own memory, and returns those of the device's.
template <class Part>
std::vector<Part> parts_of_device(std::span<const Part> parts, std::string_view what) {
    std::vector<Part> of_device;
    for (const auto& [memory, data, offset] : parts) {
        check_range(*memory, offset, data.size(), what, memory->guard());
        if (data.empty()) continue;
        check_whole(*memory, data.size(), what);
        std::byte* const host = memory->host();
        if (!host) {
            of_device.push_back({memory, data, offset});
        } else if constexpr (std::is_same_v<Part, HostWrite>) {
            copy_bytes(host + offset, data.data(), data.size());
        } else {
            copy_bytes(data.data(), host + offset, data.size());
        }
    }
    return of_device;
}

}  // namespace

void Device::write(std::span<const HostWrite> parts) {
    const InPhase phase(Phase::transfers, info_.backend);
    const std::vector<HostWrite> of_device = parts_of_device(parts, "A write");
    if (!of_device.empty()) do_write(of_device);
}

void Device::read(std::span<const HostRead> parts) {
    const InPhase phase(Phase::transfers, info_.backend);
    const std::vector<HostRead> of_device = parts_of_device(parts, "A read");
    if (!of_device.empty()) do_read(of_device);
}

std::shared_ptr<const Code> Device::compile(const Program& program, std::string_view kernel) {
    const InPhase phase(Phase::building, info_.backend);
    const std::string name =
        supervision().state ? fmt::format("{} {} {}", info_.id(), kernel, digest_of(program)) : "";
    const WatchdogScope hand(name, "it was compiled", WatchSlot::At::build);
    return do_compile(program, kernel);
}

std::shared_ptr<const Code> Device::load_again(const Code& code) {
    const InPhase phase(Phase::loading, info_.backend);
    return do_load_again(code);
}

Elapsed Device::run(std::span<const Command> commands, unsigned repeats, unsigned lead_in) {
    if (commands.empty() || repeats == 0) throw UsageError("A run of nothing.");
    for (std::size_t i = 0; i < commands.size(); ++i) {
        const Command& command = commands[i];
        if (command.queue > unordered_queue) {
            throw UsageError(fmt::format("Queue {}: there are {}, and the one without an order.",
                                         command.queue, unordered_queue));
        }
        if (std::ranges::any_of(command.after, [&](std::size_t other) { return other >= i; })) {
            throw UsageError("A command that is to wait for itself or a later one.");
        }
        if (const auto* dispatch = std::get_if<Dispatch>(&command.what)) {
            check(info_, *dispatch);
        } else if (const auto* copy = std::get_if<Copy>(&command.what)) {
            check(*copy);
        } else {
            check(std::get<Fill>(command.what));
        }
    }
    const LaunchScope launch;
    return do_run(commands, repeats, lead_in);
}

}  // namespace parallax
