// Selects the devices of a test. Once NVIDIA's driver is loaded it occupies the addresses that the
// sanitized host device needs.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "common/device/devices.hpp"

namespace parallax::test {

/// The devices of one backend. No other backend is asked.
inline std::vector<Entry> devices_of(std::string_view backend) {
    const auto all = backends();
    const auto own = std::ranges::find(all, backend, [](const auto& one) { return one->name(); });
    return find_devices({own, own == all.end() ? 0U : 1U}).entries;
}

/// The devices that one process can use: with an NVIDIA device, all but the sanitized host.
inline std::vector<Entry> devices_together() {
    std::vector<Entry> entries = find_devices(backends()).entries;
    const bool is_nvidia = std::ranges::any_of(entries, [](const Entry& one) {
        return one.info.vendor.find("NVIDIA") != one.info.vendor.npos;
    });
    if (is_nvidia) {
        std::erase_if(entries, [](const Entry& one) { return one.info.has("sanitizers"); });
    }
    return entries;
}

}  // namespace parallax::test
