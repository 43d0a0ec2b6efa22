// Whether both sources of a ported kernel file compile; neither is run.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/backend.hpp"
#include "studies/port/port_input.hpp"

namespace parallax {

/// `sm_90`, `compute_90` or `90`. @throws UsageError for anything else
int parse_architecture(std::string_view word);

/// The result of one compiler.
struct PortTrial {
    enum class Result { compiles, fails, untried };
    std::string where;  ///< `opencl:0 (...)`, `cuda sm_90 (NVRTC 13.0)`
    Result result = Result::untried;
    std::string what;  ///< resources of each kernel, or why it was not tried
    std::string log;

    /// A line, and the log below it, cut off where it is very long.
    std::string text() const;
};

/// Compiles the OpenCL source on a device and the CUDA source without one.
/// @param device        an OpenCL device; nothing: the first
/// @param architecture  of CUDA; nothing: several, from the oldest to the newest
/// @param tell          is called with each trial when it has ended
/// @returns none when the source has no kernel
/// @throws UsageError for a device or an architecture that is not there
std::vector<PortTrial> check_port(const PortInput&, const std::optional<std::string>& device,
                                  const std::optional<int>& architecture,
                                  std::span<const std::unique_ptr<Backend>> backends,
                                  const std::function<void(const PortTrial&)>& tell);

/// Compiles the OpenCL source on a device.
/// @returns the device's objection; nothing: it compiles, or there is no device
std::optional<PortTrial> opencl_refusal(const PortInput&,
                                        std::span<const std::unique_ptr<Backend>> backends);

/// Whether NVRTC takes the CUDA source, for one architecture.
/// @returns what it says against it; nothing: it takes it, or is not here
std::optional<PortTrial> nvrtc_refusal(const PortInput&,
                                       std::span<const std::unique_ptr<Backend>> backends);

/// Faults of an OpenCL source that its translation repairs, so that the CUDA source hides them: a
/// sentence or two for each kind, with the first place of it, `mine.cl:7: ...`.
std::vector<std::string> port_remarks(const PortInput&, const Translation&);

}  // namespace parallax
