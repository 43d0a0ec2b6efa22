// Lists the devices of all backends, and detects entries for the same physical device.
#include "common/device/devices.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/text/text.hpp"

namespace parallax {

std::unique_ptr<Device> Entry::open_again() const {
    std::unique_ptr<Device> device = open();
    std::array<std::byte, 4> word{};
    const auto memory = device->allocate(word.size(), 0);
    device->write(*memory, word);
    device->read(*memory, word);
    return device;
}

bool same_physical_device(const DeviceInfo& a, const DeviceInfo& b) {
    // Some CPU drivers report a GPU's UUID, and some drivers a UUID of zeros: both are ignored.
    if (a.is_gpu != b.is_gpu) return false;
    const auto has_uuid = [](const DeviceInfo& one) { return one.uuid && *one.uuid != Uuid{}; };
    if (has_uuid(a) && has_uuid(b)) return *a.uuid == *b.uuid;
    return !a.pci.empty() && a.pci == b.pci;
}

Devices find_devices(std::span<const std::unique_ptr<Backend>> backends,
                     std::string_view left_out) {
    Devices devices;
    for (const auto& backend : backends) {
        if (backend->name() == left_out) continue;
        const InPhase phase(Phase::opening, backend->name());
        Inventory inventory = backend->find();
        const std::string name(backend->name());
        if (!inventory.problem.empty()) devices.problems.push_back({name, inventory.problem});
        if (!inventory.left_out.empty()) {
            devices.problems.push_back({name, inventory.left_out, true});
        }
        for (DeviceInfo& info : inventory.devices) {
            Entry entry{backend.get(), std::move(info), 0};
            const auto same = std::ranges::find_if(devices.entries, [&](const Entry& other) {
                return same_physical_device(entry.info, other.info);
            });
            entry.physical = same != devices.entries.end()
                                 ? same->physical
                                 : static_cast<unsigned>(devices.entries.size());
            devices.entries.push_back(std::move(entry));
        }
    }
    for (Entry& entry : devices.entries) {
        for (const Entry& other : devices.entries) {
            if (other.physical != entry.physical) continue;
            entry.info.cache_bytes = std::max(entry.info.cache_bytes, other.info.cache_bytes);
        }
    }
    return devices;
}

std::vector<std::string> same_device_as(const Devices& devices, const Entry& entry) {
    std::vector<std::string> others;
    for (const Entry& other : devices.entries) {
        if (other.physical == entry.physical && other.info.id() != entry.info.id()) {
            others.push_back(other.info.id());
        }
    }
    return others;
}

namespace {

/// Whether a word in any case is part of the device's name or of its platform's.
bool is_named(const DeviceInfo& info, std::string_view word) {
    const std::string part = lower_case(word);
    return lower_case(info.name).find(part) != std::string::npos ||
           lower_case(info.platform).find(part) != std::string::npos ||
           (info.is_pocl() && part == "pocl");
}

}  // namespace

std::vector<Entry> matching(const Devices& devices, std::string_view word) {
    const std::size_t colon = word.find(':');
    const std::string_view backend = word.substr(0, colon);
    const std::string_view rest = colon == std::string_view::npos ? "" : word.substr(colon + 1);
    unsigned index = 0;
    const auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), index);
    const bool by_index =
        !rest.empty() && parsed.ec == std::errc{} && parsed.ptr == rest.data() + rest.size();
    std::vector<Entry> found;
    for (const Entry& entry : devices.entries) {
        if (entry.info.backend != backend) continue;
        if (by_index ? entry.info.index == index : is_named(entry.info, rest)) {
            found.push_back(entry);
        }
    }
    if (found.empty()) {
        std::vector<std::string> known;
        for (const Entry& entry : devices.entries) {
            known.push_back(fmt::format("{} ({})", entry.info.id(), entry.info.name));
        }
        std::string text = fmt::format("'{}' names no device.", word);
        if (!known.empty()) text += fmt::format(" There are: {}.", fmt::join(known, ", "));
        for (const Problem& problem : devices.problems) text += " " + to_string(problem);
        text += " 'parallax doctor' says what keeps devices away.";
        throw UsageError(text);
    }
    return found;
}

std::string to_string(const Problem& problem) {
    return problem.backend + ": " + problem.what;
}

std::string to_string(const Uuid& uuid) {
    std::string text;
    for (std::size_t i = 0; i < uuid.size(); ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        text += fmt::format("{:02x}", uuid[i]);
    }
    return text;
}

}  // namespace parallax
