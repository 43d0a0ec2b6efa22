// Devices as tests take them, where NVIDIA's driver keeps sanitizers out of a process: once it was
// asked for devices, it has the addresses that the sanitized host needs.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "common/device/devices.hpp"

namespace parallax::test {

/// Those of one backend. No other one is asked.
inline std::vector<Entry> devices_of(std::string_view backend) {
    const auto all = backends();
    const auto own = std::ranges::find(all, backend, [](const auto& one) { return one->name(); });
    return find_devices({own, own == all.end() ? 0U : 1U}).entries;
}

/// Those that one process can use: where there is a device of NVIDIA's, all but the sanitized host.
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
