// Lists every device of every backend, and which entries are the same piece of hardware.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/backend.hpp"
#include "common/profile.hpp"

namespace parallax {

/// One entry of the list.
struct Entry {
    Backend* backend = nullptr;
    DeviceInfo info;
    unsigned physical = 0;  ///< equal for entries that are the same physical device

    std::unique_ptr<Device> open(OpenOptions options = {}) const {
        const InPhase phase(Phase::opening, info.backend);
        return backend->open(info, options);
    }

    /// Opens the device after an error and tries it: a context that a kernel has corrupted may open
    /// and fail at the next request. @throws Error
    std::unique_ptr<Device> open_again() const;
};

/// A backend's report on missing or unused devices.
struct Problem {
    std::string backend;
    std::string what;  ///< a sentence or more
    bool is_left_out = false;
};
/// `cuda: No NVIDIA driver is here.`
std::string to_string(const Problem&);

/// The devices of this machine.
struct Devices {
    std::vector<Entry> entries;
    std::vector<Problem> problems;
};

/// Asks all backends except `left_out`. Entries for the same physical device get the largest cache
/// size that one of them reports: OpenCL drivers may report that of a compute unit.
Devices find_devices(std::span<const std::unique_ptr<Backend>>, std::string_view left_out = {});

/// Whether two entries are the same physical device: by UUID, or by PCI address where a side has no
/// UUID, since parts of one card share an address. A GPU never equals another kind of device, and a
/// UUID of zeros is ignored.
bool same_physical_device(const DeviceInfo&, const DeviceInfo&);

/// The ids of the other entries that are the same physical device.
std::vector<std::string> same_device_as(const Devices&, const Entry&);

/// Entries that `word` selects: `backend`, `backend:index`, or `backend:part of the name` of the
/// device or of its platform, in any case; `opencl:pocl` is PoCL.
/// @throws UsageError when there is none, with the available ones.
std::vector<Entry> matching(const Devices&, std::string_view word);

/// `0f1e2d3c-...` as UUIDs are written.
std::string to_string(const Uuid&);

}  // namespace parallax
