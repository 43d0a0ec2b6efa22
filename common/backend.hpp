// One API and the devices that it finds on this machine.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/device.hpp"

namespace parallax {

/// What a backend found.
struct Inventory {
    std::vector<DeviceInfo> devices;  ///< `index` is the place in this list
    /// Why there is nothing, or less than there could be, and how to get it; empty: all is well.
    std::string problem;
};

/// A way to reach devices. Backends live as long as the program.
class Backend {
public:
    Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;
    virtual ~Backend() = default;

    /// The word for it on the command line: `opencl`, `cuda`.
    virtual std::string_view name() const = 0;

    /// Looks for devices. Never throws for what a machine lacks: it says so in `problem`.
    virtual Inventory find() = 0;

    /// Opens a device that `find()` listed.
    /// @throws DeviceError when it is no longer there, or cannot be opened.
    std::unique_ptr<Device> open(const DeviceInfo& info, OpenOptions options = {}) {
        return do_open(info, options);
    }

private:
    virtual std::unique_ptr<Device> do_open(const DeviceInfo&, OpenOptions) = 0;
};

/// All backends that this program was built with, in the order of `backends/meson.build`.
std::span<const std::unique_ptr<Backend>> backends();

}  // namespace parallax
