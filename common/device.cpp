// What every device refuses before its API is called.
#include "common/device.hpp"

#include <fmt/format.h>

#include "common/error.hpp"

namespace parallax {
namespace {

void check_range(const Memory& memory, std::ptrdiff_t offset, std::size_t bytes,
                 std::string_view what) {
    const auto guard = static_cast<std::ptrdiff_t>(memory.guard());
    const auto end = static_cast<std::ptrdiff_t>(memory.bytes()) + guard;
    if (offset < -guard || offset > end || static_cast<std::size_t>(end - offset) < bytes) {
        throw UsageError(
            fmt::format("{} of {} bytes at offset {} lies outside a buffer of {} bytes "
                        "with guard zones of {}.",
                        what, bytes, offset, memory.bytes(), memory.guard()));
    }
}

void check_payload(const Memory& memory, std::size_t offset, std::size_t bytes,
                   std::string_view what) {
    if (offset > memory.bytes() || memory.bytes() - offset < bytes) {
        throw UsageError(
            fmt::format("{} of {} bytes at offset {} lies outside a buffer of {} bytes.", what,
                        bytes, offset, memory.bytes()));
    }
}

void check_extent(const DeviceInfo& info, const Size& size, const Size& limit,
                  std::string_view what) {
    const auto one = [&](std::uint64_t have, std::uint64_t most, char dimension) {
        if (have == 0) {
            throw UsageError(fmt::format("A launch of 0 {} in dimension {}.", what, dimension));
        }
        if (most != 0 && have > most) {
            throw UsageError(fmt::format("{} {} in dimension {}: {} ({}) allows {}.", have, what,
                                         dimension, info.id(), info.name, most));
        }
    };
    one(size.x, limit.x, 'x');
    one(size.y, limit.y, 'y');
    one(size.z, limit.z, 'z');
}

void check(const DeviceInfo& info, const Dispatch& dispatch) {
    if (!dispatch.code) throw UsageError("A launch without a kernel.");
    const Geometry& geometry = dispatch.geometry;
    check_extent(info, geometry.groups, info.max_groups, "groups");
    check_extent(info, geometry.items, info.max_items, "items of a group");
    const std::uint64_t most = std::min<std::uint64_t>(
        info.max_group_items, dispatch.code->resources.max_group_items.value_or(
                                  static_cast<std::uint32_t>(info.max_group_items)));
    if (geometry.items.product() > most) {
        throw UsageError(fmt::format(
            "A group of {} work-items: kernel '{}' on {} ({}) allows {}. "
            "Choose a smaller group.",
            geometry.items.product(), dispatch.code->kernel, info.id(), info.name, most));
    }
    const std::uint64_t local = local_layout(dispatch.arguments).bytes +
                                std::uint64_t{dispatch.code->resources.local_bytes.value_or(0)};
    if (local > info.local_bytes) {
        throw UsageError(
            fmt::format("{} bytes of local memory for kernel '{}': a group on {} ({}) can "
                        "have {}. Choose a smaller tile or group.",
                        local, dispatch.code->kernel, info.id(), info.name, info.local_bytes));
    }
    for (const Argument& argument : dispatch.arguments) {
        const auto* memory = std::get_if<std::shared_ptr<Memory>>(&argument);
        if (memory && !*memory) throw UsageError("A launch with a buffer that is not there.");
        const auto* bytes = std::get_if<LocalBytes>(&argument);
        if (bytes && bytes->bytes == 0) throw UsageError("A launch with local memory of 0 bytes.");
    }
}

void check(const Copy& copy) {
    if (!copy.source || !copy.target) throw UsageError("A copy with a buffer that is not there.");
    check_payload(*copy.source, copy.source_offset, copy.bytes, "A copy from");
    check_payload(*copy.target, copy.target_offset, copy.bytes, "A copy to");
    if (copy.source == copy.target && copy.source_offset < copy.target_offset + copy.bytes &&
        copy.target_offset < copy.source_offset + copy.bytes) {
        throw UsageError("A copy whose two ranges overlap.");
    }
}

void check(const Fill& fill) {
    if (!fill.target) throw UsageError("A fill of a buffer that is not there.");
    check_payload(*fill.target, fill.offset, fill.bytes, "A fill");
}

}  // namespace

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
        // More than 32 bits hold is refused before it reaches a kernel: no device has so much.
        layout.offsets.push_back(static_cast<std::uint32_t>(layout.bytes));
        layout.bytes += local->bytes;
    }
    return layout;
}

std::shared_ptr<Memory> Device::allocate(std::size_t bytes, std::size_t guard) {
    if (bytes == 0) throw UsageError("A buffer of 0 bytes.");
    // No product of sizes that came from outside may wrap, and no driver is asked for what it
    // cannot have: some of them end the process instead of answering.
    if (bytes > info_.max_allocation_bytes || 2 * guard > info_.max_allocation_bytes - bytes) {
        throw UsageError(
            fmt::format("A buffer of {} bytes: {} ({}) allows {} in one piece. Choose a "
                        "smaller size.",
                        bytes, info_.id(), info_.name, info_.max_allocation_bytes));
    }
    return do_allocate(bytes, guard);
}

std::unique_ptr<HostMemory> Device::page_locked(std::size_t bytes) {
    if (bytes == 0) throw UsageError("Page-locked memory of 0 bytes.");
    if (bytes > info_.max_allocation_bytes) {
        throw UsageError(
            fmt::format("Page-locked memory of {} bytes: {} ({}) takes {} in one piece. Choose a "
                        "smaller size.",
                        bytes, info_.id(), info_.name, info_.max_allocation_bytes));
    }
    return do_page_locked(bytes);
}

std::unique_ptr<HostMemory> Device::do_page_locked(std::size_t) {
    throw Unsupported(fmt::format("{} ({}) has no page-locked memory of the host to offer.",
                                  info_.id(), info_.name));
}

void Device::write(Memory& memory, std::span<const std::byte> data, std::ptrdiff_t offset) {
    check_range(memory, offset, data.size(), "A write");
    if (!data.empty()) do_write(memory, data, offset);
}

void Device::read(const Memory& memory, std::span<std::byte> data, std::ptrdiff_t offset) {
    check_range(memory, offset, data.size(), "A read");
    if (!data.empty()) do_read(memory, data, offset);
}

std::shared_ptr<Memory> Device::upload(const HostArray& array) {
    auto memory = allocate(array.bytes().size());
    write(*memory, array.bytes());
    return memory;
}

HostArray Device::download(const Memory& memory, ElementType type) {
    HostArray array(type, memory.bytes() / size_of(type));
    read(memory, array.bytes());
    return array;
}

std::shared_ptr<const Code> Device::compile(const Program& program, std::string_view kernel) {
    return do_compile(program, kernel);
}

Elapsed Device::run(std::span<const Command> commands, unsigned repeats, unsigned lead_in) {
    if (commands.empty() || repeats == 0) throw UsageError("A run of nothing.");
    for (const Command& command : commands) {
        if (command.queue != 0 || !command.after.empty()) {
            throw Unsupported("Only queue 0, in order, so far.");
        }
        if (const auto* dispatch = std::get_if<Dispatch>(&command.what)) {
            check(info_, *dispatch);
        } else if (const auto* copy = std::get_if<Copy>(&command.what)) {
            check(*copy);
        } else {
            check(std::get<Fill>(command.what));
        }
    }
    return do_run(commands, repeats, lead_in);
}

}  // namespace parallax
