// Runs a case by calls of an API alone, without the program's devices, as the baseline of its
// overhead.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/device.hpp"
#include "common/suite/suite.hpp"

namespace parallax::benchmarks {

/// Source and options as passed to a compiler.
struct KernelSource {
    std::string text;
    std::vector<std::string> options;
};

/// A case's plan, and the sources of its kernels.
struct Job {
    std::string file;  ///< for the compiler's messages
    Plan plan;
    std::map<std::string, KernelSource, std::less<>> kernels;  ///< by the kernel's name
};

/// A device opened by its API alone. Written for a single purpose: plain buffers without guard
/// zones, arguments set once, no checks between launches.
class Direct {
public:
    Direct() = default;
    Direct(const Direct&) = delete;
    Direct& operator=(const Direct&) = delete;
    virtual ~Direct() = default;

    /// Builds the kernels, allocates the buffers, writes the inputs and fills all others with 0xff.
    /// Frees the objects of an earlier call first. `inputs` are in the order of the plan.
    /// @throws DeviceError
    virtual void prepare(const Job&, std::span<const HostArray> inputs) = 0;
    /// Frees the objects of `prepare`.
    virtual void release() = 0;
    /// Runs the prepared job `repeats` times and waits for the end.
    /// @return device seconds between markers before and after the batch
    virtual double run(unsigned repeats) = 0;
    /// The outputs, in the order of the plan.
    virtual std::vector<HostArray> outputs() = 0;
};

/// One API that can be called directly.
struct DirectApi {
    std::string_view backend;  ///< its name: `opencl`, `cuda`
    /// Opens the same physical device by that API. @throws DeviceError when it is not there.
    std::unique_ptr<Direct> (*open)(const DeviceInfo&);
};

/// The APIs with which this program was built.
std::span<const DirectApi> direct_apis();

}  // namespace parallax::benchmarks
