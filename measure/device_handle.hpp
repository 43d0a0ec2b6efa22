// A device that is opened when it is needed, and again after an error.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>

#include "common/device/devices.hpp"

namespace parallax {

class ProgramCache;

/// What a device is opened for: each purpose has a context of its own.
enum class Opening {
    timing,             ///< verification and timing
    without_profiling,  ///< OpenCL's queue keeps no times
    foreign_code        ///< code of another compiler, which may take its context down with it
};

/// One device and its contexts, each opened at its first use. Not thread-safe.
class DeviceHandle {
public:
    /// @param programs  forgets the code of a context that is closed; it outlives the handle's use;
    /// null: none
    explicit DeviceHandle(Entry of, ProgramCache* programs = nullptr)
        : entry(std::move(of)), programs_(programs) {}

    const Entry entry;

    /// @throws DeviceError
    Device& device(Opening = Opening::timing);
    /// The device for timing; null where it could not be opened again after an error.
    Device* device_or_null() { return is_lost_ ? nullptr : &device(); }
    bool is_lost() const { return is_lost_; }
    /// Why it could not be opened again after an error: given once. Empty: nothing new.
    std::string take_trouble() { return std::exchange(trouble_, {}); }
    /// How many times it was opened again: code of an earlier generation is of no use.
    unsigned generation() const { return generation_; }

    /// Closes all contexts, since one that has seen an error may be unusable, and opens the one
    /// for timing again. Where that fails and a supervisor watches, the run goes on in another
    /// process; otherwise the device is lost.
    /// @param name    of what failed, as WatchdogScope has it
    /// @param reason  why it failed
    void reopen(const std::string& name, const std::string& reason);

private:
    ProgramCache* programs_;
    std::array<std::shared_ptr<Device>, 3> open_;  ///< by Opening
    bool is_lost_ = false;
    std::string trouble_;
    unsigned generation_ = 0;
};

}  // namespace parallax
