// One run of this program at a time measures on a GPU.
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

/// Another run of this program holds the lock of a device, and this one was told not to wait.
struct DeviceBusy : Error {
    using Error::Error;
};

/// How a run behaves where other runs measure on its GPUs.
struct DeviceLockRule {
    std::filesystem::path folder;  ///< of the lock files, the same for all runs; empty: no locks
    bool waits = true;             ///< false: DeviceBusy where another run holds a lock
    std::vector<std::string> command;  ///< of this run, shown to runs that wait for it
    std::function<void(const std::string& sentence)> tell;  ///< the process it waits for; once
    std::function<void()> between;                          ///< called while it waits; may throw
};

/// Locks that this process holds, until all copies of a lock are gone.
using DeviceLocks = std::vector<std::shared_ptr<const void>>;

/// Waits until no other process of this program holds the locks of these devices, and takes them. A
/// lock that this process holds already is shared. Only GPUs with a UUID have locks. Where the
/// folder cannot be used there are none.
/// @throws DeviceBusy; what `between` throws
DeviceLocks lock_devices(std::vector<DeviceInfo>, const DeviceLockRule&);
DeviceLocks lock_device(const DeviceInfo&, const DeviceLockRule&);

/// Seconds that this process has waited for locks so far.
double seconds_waited();

/// A clock for budgets: what waiting for other runs takes does not count. Thread-safe.
class BudgetClock {
public:
    /// @param start  before it was made, where an earlier process began
    explicit BudgetClock(HostClock::time_point start = HostClock::now()) : start_(start) {}

    double elapsed() const { return seconds_since(start_) - (seconds_waited() - waited_); }

private:
    HostClock::time_point start_;
    double waited_ = seconds_waited();
};

}  // namespace parallax
