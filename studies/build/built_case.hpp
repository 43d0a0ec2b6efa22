// The kernels of a case as compilers make them, on a device or for an architecture; none is run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/device/backend.hpp"
#include "common/device/devices.hpp"
#include "measure/run_case.hpp"

namespace parallax {

/// One kernel that was built.
struct BuiltKernel {
    std::string kernel;
    Geometry geometry = {};         ///< of its first launch in the case
    std::uint64_t local_bytes = 0;  ///< per work-group in that launch, in addition to its source's
    std::vector<double> build_seconds = {};        ///< each time that it was built, on a device
    std::optional<Resources> resources = {};       ///< nothing: it did not build
    std::shared_ptr<const Code> code = nullptr;    ///< on a device, of the last time
    std::optional<std::uint32_t> groups_per_unit;  ///< as the API says; nothing: it does not
    std::string text = {};                         ///< the compiler's input
    std::string log = {};
};

/// The kernels of a case at one place.
struct BuiltCase {
    std::string where;       ///< `cuda:0 (NVIDIA H100)`, `sm_90 (NVRTC 13.0)`
    std::string capability;  ///< compute capability; empty: none
    DeviceInfo device = {};  ///< as it is without a device
    Outcome outcome = {};    ///< case, status, reason
    std::vector<BuiltKernel> kernels = {};
};

/// The launches of the plan, the first of each kernel.
std::vector<Launch> first_launches(const Plan&);

/// Builds a kernel this many times, without a cache. `context` is asked in between.
/// @throws BuildFailed with its source and log in `built`, and what Device::compile throws
void build_kernel(Device&, const Program&, unsigned times, const RunConfig&, BuiltKernel& built);

/// Builds each kernel that the case launches. Whatever goes wrong is the outcome's status.
/// @throws Interrupted
BuiltCase build_on(const Entry&, const Case&, const RunConfig&, unsigned times = 1);

/// Compiles them for an architecture, 90 for `sm_90`, with no device.
/// @throws Unsupported when the backend can do so for none, UsageError when not for this one
BuiltCase build_for(const Backend&, int architecture, const Case&, const RunConfig&);

}  // namespace parallax
