// Ensures that only one run of this program measures on a GPU at a time.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/device/device.hpp"
#include "common/error.hpp"
#include "common/host_clock.hpp"

namespace parallax {

/// Another run of this program holds a device's lock, and this run does not wait.
struct DeviceBusy : Error {
    using Error::Error;
};

/// The behaviour of a run when other runs measure on its GPUs.
struct DeviceLockRule {
    std::filesystem::path folder;  ///< of the lock files, the same for all runs; empty: no locks
    bool waits = true;             ///< false: DeviceBusy where another run holds a lock
    std::vector<std::string> command;  ///< of this run, shown to runs that wait for it
    std::function<void(const std::string& sentence)> tell;  ///< names the process it waits for;
                                                            ///< once
    std::function<void()> check_interrupt;                  ///< called while it waits; may throw
};

/// Locks of this process. A lock is released with its last copy.
using DeviceLocks = std::vector<std::shared_ptr<const void>>;

/// Waits for the locks of these devices, and takes them. A lock that this process already holds is
/// shared. Only GPUs with a UUID have locks. Without a usable folder there are none.
/// @throws DeviceBusy; what `check_interrupt` throws
DeviceLocks lock_devices(std::vector<DeviceInfo>, const DeviceLockRule&);
DeviceLocks lock_device(const DeviceInfo&, const DeviceLockRule&);

/// Seconds that this process has waited for locks so far.
double seconds_waited();

/// A timer for budgets that excludes waiting for other runs. Thread-safe.
class BudgetClock {
public:
    /// @param start  in the past where an earlier worker began the run
    explicit BudgetClock(HostClock::time_point start = HostClock::now()) : start_(start) {}

    double elapsed() const { return seconds_since(start_) - (seconds_waited() - waited_); }

private:
    HostClock::time_point start_;
    double waited_ = seconds_waited();
};

}  // namespace parallax
