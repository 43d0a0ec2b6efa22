// Reads the state of a device during a measurement, through NVML, loaded at run time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "common/device/device.hpp"
#include "records/record.hpp"

namespace parallax {

/// Queries NVML for the device with this UUID. All empty without NVML or a UUID, or when NVML does
/// not know the device.
DeviceState device_state(const DeviceInfo&);

/// Queries the multiprocessors' clock frequency and throttling again, which is much faster than
/// querying the whole state.
void renew_clock(const DeviceInfo&, DeviceState&);

/// Measures the use of a device by others: on a GPU by other processes, from NVML; on the host's
/// processor (PoCL) by all other processes, from /proc/stat.
class OthersUse {
public:
    explicit OthersUse(const DeviceInfo&);
    ~OthersUse();
    /// Restarts the measurement.
    void begin();
    /// The share of the device's time, 0 to 1, that others used since the start; on a GPU including
    /// the 0.3 s before. Empty: not known, or the time was too short.
    std::optional<double> share() const;
    /// The same; of a GPU it may be up to 0.1 s old, and tell of the 0.6 s before the start: for
    /// measurements that follow each other closely.
    std::optional<double> recent_share() const;

private:
    struct Processors;
    void* device_;  ///< NVML's handle; null: unknown device
    std::uint64_t since_ = 0;
    std::unique_ptr<Processors> processors_;  ///< null: not the host's processor
};

/// A sentence about other users of `device`; empty: there are none, or it is not known.
std::string words_of_others(const DeviceState&, std::string_view device);

/// The device's configuration on this node, as NVML reports it at the first call; a missing slot is
/// replaced by the task's number on its node.
DeviceSettings device_settings(const DeviceInfo&);

/// NVML's throttle reasons in words (`power cap, thermal`), without those for an idle device or
/// clocks set by an application. Empty: it was not throttled.
std::string throttle_words(std::uint64_t reasons);

}  // namespace parallax
