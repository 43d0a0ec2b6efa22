// The state that a device is in while it is measured, through NVML, loaded at run time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "common/device/device.hpp"
#include "records/record.hpp"

namespace parallax {

/// Asks NVML about the device of this UUID. All empty when there is no NVML, no UUID, or NVML does
/// not know the device.
DeviceState device_state(const DeviceInfo&);

/// Others at a device: of a GPU other processes, as NVML says, of the host's processor (PoCL) all
/// that is not this process, as /proc/stat says.
class OthersUse {
public:
    explicit OthersUse(const DeviceInfo&);
    ~OthersUse();
    /// Looks at what comes from now on, as if it were made anew.
    void begin();
    /// The share of the device's time, 0 to 1, that they have had since it was made; of a GPU the
    /// 0.3 s before that as well. Nothing: nobody says, or it has been too short.
    std::optional<double> share() const;

private:
    struct Processors;
    void* device_;  ///< NVML's; null: it does not know it
    std::uint64_t since_ = 0;
    std::unique_ptr<Processors> processors_;  ///< null: it is none of the host's
};

/// What the state says of others at `device`, a sentence; empty: there are none, or nobody says.
std::string words_of_others(const DeviceState&, std::string_view device);

/// How the node has set the device up, as NVML says when it is first asked; of what it does not
/// know, the task's number on its node stands for the slot.
DeviceSettings device_settings(const DeviceInfo&);

/// NVML's throttle bits in words (`power cap, thermal`), those left out that only say that the
/// device is idle or that an application set its clocks. Empty: it ran freely.
std::string throttle_words(std::uint64_t reasons);

}  // namespace parallax
