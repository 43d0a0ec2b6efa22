// Transfers large arrays through page-locked memory that the device keeps.
#include <algorithm>
#include <future>

#include "common/device/device.hpp"
#include "common/error.hpp"
#include "common/process/parallel.hpp"
#include "common/profile.hpp"

namespace parallax {
namespace {

/// Size of the page-locked memory that a device keeps for large transfers.
constexpr std::size_t stage_bytes = std::size_t{32} << 20;

}  // namespace

std::shared_ptr<Memory> Device::upload(const HostArray& array) {
    auto memory = allocate(array.bytes().size());
    write_staged(*memory, array.bytes());
    return memory;
}

const std::shared_ptr<HostMemory>& Device::stage() {
    if (stage_ || has_no_stage_) return stage_;
    has_no_stage_ = !info_.is_gpu;
    if (has_no_stage_) return stage_;
    try {
        stage_ = page_locked(stage_bytes);
    } catch (const Error&) {
        has_no_stage_ = true;  // ordinary memory works as well, only slower
    }
    return stage_;
}

void Device::write_staged(Memory& memory, std::span<const std::byte> data) {
    const bool is_worth_it = data.size() >= stage_bytes / 8 && !memory.image() && !memory.host();
    if (!is_worth_it || !stage()) {
        write(memory, data);
        return;
    }
    // One half is filled while the other one travels.
    const InPhase phase(Phase::transfers, info_.backend);
    const std::span<std::byte> room = stage()->bytes();
    const std::size_t half = room.size() / 2;
    std::future<void> sent;
    for (std::size_t at = 0; at < data.size(); at += half) {
        const auto part = data.subspan(at, std::min(half, data.size() - at));
        const auto place = room.subspan(at / half % 2 * half, part.size());
        copy_bytes(place.data(), part.data(), part.size());
        if (sent.valid()) sent.get();
        const auto send = [this, &memory, place, at] {
            write(memory, place, static_cast<std::ptrdiff_t>(at));
        };
        if (at + half < data.size()) {
            sent = beside(send);
        } else {
            send();
        }
    }
}

HostArray Device::read_room(ElementType type, std::size_t elements) {
    const std::size_t bytes = elements * size_of(type);
    if (bytes > stage_bytes || bytes < stage_bytes / 64 || !stage()) return {type, elements};
    return {type, elements, std::shared_ptr<std::byte[]>(stage_, stage_->bytes().data())};
}

HostArray Device::download(const Memory& memory, ElementType type) {
    HostArray array(type, memory.bytes() / size_of(type));
    read(memory, array.bytes());
    return array;
}

}  // namespace parallax
