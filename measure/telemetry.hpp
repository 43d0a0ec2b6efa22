// The state that a device is in while it is measured, through NVML, loaded at run time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/device.hpp"
#include "records/record.hpp"

namespace parallax {

/// Asks NVML about the device of this UUID. All empty when there is no NVML, no UUID, or NVML does
/// not know the device.
DeviceState device_state(const DeviceInfo&);

/// How the node has set the device up, as NVML says when it is first asked; of what it does not
/// know, the task's number on its node stands for the slot.
DeviceSettings device_settings(const DeviceInfo&);

/// NVML's throttle bits in words (`power cap, thermal`), those left out that only say that the
/// device is idle or that an application set its clocks. Empty: it ran freely.
std::string throttle_words(std::uint64_t reasons);

}  // namespace parallax
