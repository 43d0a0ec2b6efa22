// A case done by calls of an API alone, without the program's devices: what its costs are held
// against.
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

/// What a compiler is given, word for word.
struct KernelSource {
    std::string text;
    std::vector<std::string> options;
};

/// What is to be done: the plan of a case, and the texts of the kernels that it names.
struct Job {
    std::string file;  ///< of the kernels, for the compiler's messages
    Plan plan;
    std::map<std::string, KernelSource, std::less<>> kernels;  ///< by the kernel's name
};

/// A device opened by its API alone. Written as one writes it for a single purpose: plain buffers
/// without guard zones, arguments set once, nothing looked at between two launches.
class Direct {
public:
    Direct() = default;
    Direct(const Direct&) = delete;
    Direct& operator=(const Direct&) = delete;
    virtual ~Direct() = default;

    /// Builds the kernels, allocates the buffers, writes the inputs and fills all else with 0xff.
    /// What an earlier call made is given back first. `inputs` are in the order of the plan.
    /// @throws DeviceError
    virtual void prepare(const Job&, std::span<const HostArray> inputs) = 0;
    /// Gives back what `prepare` made.
    virtual void release() = 0;
    /// Does the prepared job `repeats` times over and waits for the end.
    /// @return device seconds between a marker before the batch and one after it
    virtual double run(unsigned repeats) = 0;
    /// The outputs, in the order of the plan.
    virtual std::vector<HostArray> outputs() = 0;
};

/// One API that can be called directly.
struct DirectApi {
    std::string_view backend;  ///< the word for it: `opencl`, `cuda`
    /// Opens the same physical device by that API. @throws DeviceError when it is not there.
    std::unique_ptr<Direct> (*open)(const DeviceInfo&);
};

/// Those that this program was built with.
std::span<const DirectApi> direct_apis();

}  // namespace parallax::benchmarks
