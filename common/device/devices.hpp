// Every device of every backend, and which entries are the same piece of hardware.
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

    /// The same after an error, and tried: a context that a kernel has spoiled may open, and fail
    /// at what is asked of it next. @throws Error
    std::unique_ptr<Device> open_again() const;
};

/// What a backend has to say of what is missing, or of what is here and not used.
struct Problem {
    std::string backend;
    std::string what;  ///< a sentence or more
    bool is_left_out = false;
};
/// `cuda: No NVIDIA driver is here.`
std::string to_string(const Problem&);

/// What is here.
struct Devices {
    std::vector<Entry> entries;
    std::vector<Problem> problems;
};

/// Asks all of them, but for the one that is left out by name. Entries that are the same physical
/// device get the largest of the cache sizes that they state: OpenCL drivers may state that of a
/// compute unit.
Devices find_devices(std::span<const std::unique_ptr<Backend>>, std::string_view left_out = {});

/// Whether two entries are the same physical device: by UUID; by PCI address only where a side has
/// no UUID, since parts of one card share an address. No GPU is the same as what is none, and zeros
/// are no UUID, whatever a driver says.
bool same_physical_device(const DeviceInfo&, const DeviceInfo&);

/// The ids of the other entries that are the same physical device.
std::vector<std::string> same_device_as(const Devices&, const Entry&);

/// Entries that `word` names: `backend`, `backend:index`, or `backend:part of the name` (in any
/// case).
/// @throws UsageError when there is none, naming what there is.
std::vector<Entry> matching(const Devices&, std::string_view word);

/// `0f1e2d3c-...` as UUIDs are written.
std::string to_string(const Uuid&);

}  // namespace parallax
