// An API (OpenCL, CUDA) and the devices that it finds on this machine.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/device.hpp"
#include "common/error.hpp"

namespace parallax {

/// The devices that a backend found.
struct Inventory {
    std::vector<DeviceInfo> devices;  ///< `index` is the place in this list
    /// Why devices are missing, and how to get them; empty: nothing is missing.
    std::string problem;
    /// Devices that are present but not used, and why: a platform that crashes during enumeration,
    /// a device that does not identify itself; empty: none.
    std::string left_out;
};

/// A kernel that was compiled with no device to load it on.
struct CompiledKernel {
    std::string name;
    Resources resources;
};

/// A program compiled for one architecture, without a device.
struct CompiledProgram {
    std::string compiler;      ///< with its version: `NVRTC 13.0`
    std::string architecture;  ///< `sm_90`
    std::string log;           ///< its warnings; may be empty
    std::vector<CompiledKernel> kernels;
    std::string ptx, machine_code;  ///< of all kernels; empty where the compiler gives none
};

/// A way to reach devices. Backends live as long as the program.
class Backend {
public:
    Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;
    virtual ~Backend() = default;

    /// Its name on the command line: `opencl`, `cuda`.
    virtual std::string_view name() const = 0;

    /// Enumerates devices. A missing driver or device is reported in `problem`, never thrown.
    virtual Inventory find() = 0;

    /// Opens a device that `find()` listed.
    /// @throws DeviceError when it is no longer there, or cannot be opened.
    std::unique_ptr<Device> open(const DeviceInfo& info, OpenOptions options = {}) {
        return do_open(info, options);
    }

    /// The architectures that it can compile for without a device, ascending: 90 is `sm_90`.
    /// @throws Unsupported when it can compile for none, with the reason and the remedy.
    virtual std::vector<int> architectures() const {
        throw Unsupported(std::string(name()) + " compiles on its devices only.");
    }

    /// Compiles all kernels of a program for one of these.
    /// @throws BuildFailed, Refused (the translator's), and what `architectures` throws.
    virtual CompiledProgram compile(const Program&, int architecture) const {
        static_cast<void>(architecture);
        throw Unsupported(std::string(name()) + " compiles on its devices only.");
    }

private:
    virtual std::unique_ptr<Device> do_open(const DeviceInfo&, OpenOptions) = 0;
};

/// All backends that this program was built with, in the order of `backends/meson.build`.
std::span<const std::unique_ptr<Backend>> backends();

}  // namespace parallax
