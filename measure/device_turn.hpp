// Runs of this program take turns at timing on a GPU.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/device.hpp"
#include "common/error.hpp"

namespace parallax {

/// Another run of this program times on a device, and nobody wants to wait for it.
struct DeviceBusy : Error {
    using Error::Error;
};

/// How a run behaves where others time on its GPUs.
struct TurnRule {
    std::filesystem::path folder;  ///< of the locks, the same for all runs; empty: there are none
    bool waits = true;             ///< for its turn; false: DeviceBusy
    std::vector<std::string> command;                     ///< who this is, for those that wait
    std::function<void(const std::string& sentence)> tell;  ///< whom it waits for, said once
    std::function<void()> between;                        ///< called while it waits; may throw
};

/// Waits until no other process of this program times on these devices; from then on others wait
/// until all that was returned is gone. Devices of which this process has the turn already are
/// shared. Processors are nobody's alone. Where the folder cannot be used there are no turns.
/// @throws DeviceBusy; what `between` throws
std::vector<std::shared_ptr<const void>> take_turns(std::vector<DeviceInfo>, const TurnRule&);
/// The same of one.
std::vector<std::shared_ptr<const void>> take_turn(const DeviceInfo&, const TurnRule&);

/// Seconds that this process has waited so far, which no budget counts.
double seconds_waited();

}  // namespace parallax
