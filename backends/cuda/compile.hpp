// From a program to what NVRTC is given and what it makes of it; no device needed.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/ptx.hpp"
#include "common/device/program.hpp"
#include "mapping/translate/cuda_source.hpp"

namespace parallax::cuda {

/// What to compile for.
struct Target {
    int arch = 0;              ///< 90
    bool machine_code = true;  ///< `sm_90`; otherwise `compute_90`, PTX that the driver assembles
    std::string name() const;
    bool operator==(const Target&) const = default;
};

/// The best target for a device of compute capability `arch` (90 is 9.0) among those that the
/// compiler supports: its own, otherwise PTX of the highest one below, which the driver assembles.
/// @throws Unsupported when the device is older than all of them.
Target choose_target(int arch, std::span<const int> supported);

/// Exactly what NVRTC is told, in order; the program's own options come last.
/// @throws UsageError for a constant whose name is no identifier.
std::vector<std::string> nvrtc_options(const Program&, const Target&);

/// A compiled program with all of its kernels.
struct CompileResult {
    Target target;
    std::string text;
    std::vector<std::string> options;
    std::string log;  ///< all that the compiler said, the report of `ptxas -v` too
    std::string ptx;
    std::string cubin;  ///< empty: the driver assembles `ptx`
    std::vector<PtxKernel> kernels;
};

/// Compiles for a device of compute capability `arch`; a text in PTX is passed through.
/// @throws Unsupported without NVRTC, or as `choose_target` does; BuildFailed; and what
/// `cuda_source` and `nvrtc_options` throw.
CompileResult compile_for(const Program&, int arch);

/// As `compile_for`, but what this process compiled lately is not compiled again: not for another
/// kernel of the text, nor for a second device object of the same architecture.
std::shared_ptr<const CompileResult> compiled_for(const Program&, int arch);

/// The kernel of that name.
/// @throws BuildFailed naming the kernels that there are.
const PtxKernel& kernel_of(const CompileResult&, const Program&, std::string_view name);

}  // namespace parallax::cuda
