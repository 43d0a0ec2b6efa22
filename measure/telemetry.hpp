// The state that a device is in while it is measured, through NVML, loaded at run time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/device.hpp"

namespace parallax {

/// What the driver says of a device at one moment. Nothing: it does not say.
struct DeviceState {
    std::optional<std::uint32_t> sm_clock_mhz, memory_clock_mhz;
    std::optional<std::uint32_t> max_sm_clock_mhz, max_memory_clock_mhz;
    std::optional<std::uint32_t> temperature_celsius;
    std::optional<double> power_watts, power_limit_watts;
    std::optional<bool> ecc;
    std::optional<std::uint64_t> throttle_reasons;  ///< NVML's bits; 0: none
    std::optional<std::uint32_t> other_processes;   ///< that compute on it, beside this one
};

/// Asks NVML about the device of this UUID. All empty when there is no NVML, no UUID, or NVML does
/// not know the device.
DeviceState device_state(const DeviceInfo&);

/// NVML's throttle bits in words (`power cap, thermal`), those left out that only say that the
/// device is idle or that an application set its clocks. Empty: it ran freely.
std::string throttle_words(std::uint64_t reasons);

}  // namespace parallax
