// Compiles programs with NVRTC; needs no device.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/ptx_reader.hpp"
#include "common/device/program.hpp"
#include "mapping/translate/cuda_source.hpp"

namespace parallax::cuda {

/// The target of a compilation.
struct Target {
    int arch = 0;              ///< 90
    bool machine_code = true;  ///< `sm_90`; otherwise `compute_90`, PTX that the driver assembles
    std::string name() const;
    bool operator==(const Target&) const = default;
};

/// The best supported target for a device of compute capability `arch` (90 is 9.0): its own
/// architecture, otherwise PTX of the highest lower one, which the driver assembles.
/// @throws Unsupported when the device is older than all of them.
Target choose_target(int arch, std::span<const int> supported);

/// All options for NVRTC, in order; the program's own options come last.
/// @throws UsageError for a constant whose name is no identifier.
std::vector<std::string> nvrtc_options(const Program&, const Target&);

/// A compiled program with all of its kernels.
struct CompileResult {
    Target target;
    std::string text;
    std::vector<std::string> options;
    std::string log;  ///< the compiler's whole output, including the report of `ptxas -v`
    std::string ptx;
    std::string cubin;  ///< empty: the driver assembles `ptx`
    std::vector<PtxKernel> kernels;  ///< none of machine code
    std::map<std::string, std::string, std::less<>> symbols;  ///< of kernels, by name expression

    /// The name of a kernel in PTX and machine code.
    std::string_view symbol_of(std::string_view kernel) const;
};

/// Compiles for a device of compute capability `arch`; PTX and machine code are passed through.
/// @throws Unsupported without NVRTC, or as `choose_target` does; BuildFailed; and what
/// `cuda_source` and `nvrtc_options` throw.
CompileResult compile_for(const Program&, int arch);

/// Like `compile_for`, with a cache of recent results in this process, for further kernels of a
/// source and further device objects of the same architecture.
std::shared_ptr<const CompileResult> compiled_for(const Program&, int arch);

/// The kernel of that name, with its symbol as name; of machine code without its parameters.
/// @throws BuildFailed with the names of the existing kernels.
PtxKernel kernel_of(const CompileResult&, const Program&, std::string_view name);

}  // namespace parallax::cuda
