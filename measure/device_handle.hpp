// Opens a device when it is first needed, and again after an error.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "common/device/devices.hpp"

namespace parallax {

class ProgramCache;

/// The purpose of a context: each has its own. By default verification and timing.
struct Opening {
    OpenOptions options = {};
    bool foreign_code = false;  ///< of another compiler, which may corrupt its context
    auto operator<=>(const Opening&) const = default;
};

/// One device and its contexts, each opened at its first use. Not thread-safe.
class DeviceHandle {
public:
    /// @param programs  drops the code of a context that is closed; must outlive the handle's use;
    /// null: none
    explicit DeviceHandle(Entry of, ProgramCache* programs = nullptr)
        : entry(std::move(of)), programs_(programs) {}

    const Entry entry;

    /// @throws DeviceError
    Device& device(const Opening& = {});
    /// The device for timing; null where it could not be reopened after an error.
    Device* device_or_null() { return is_lost_ ? nullptr : &device(); }
    bool is_lost() const { return is_lost_; }
    /// Why it could not be reopened after an error, returned once. Empty: no new error.
    std::string take_trouble() { return std::exchange(trouble_, {}); }
    /// Number of times it was reopened: code of an earlier generation is invalid.
    unsigned generation() const { return generation_; }

    /// Closes all contexts, since an error may have made them unusable, and reopens the one for
    /// timing. Where that fails the run continues in another process if there is a supervisor;
    /// otherwise the device is lost.
    /// @param name    of the failed step, as for WatchdogScope
    /// @param reason  why it failed
    void reopen(const std::string& name, const std::string& reason);

private:
    ProgramCache* programs_;
    std::map<Opening, std::shared_ptr<Device>> open_;
    bool is_lost_ = false;
    std::string trouble_;
    unsigned generation_ = 0;
};

}  // namespace parallax
