// What a CUDA source adds to a first manifest: alone, or next to an OpenCL source.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "mapping/from_cuda/cuda_kernels.hpp"
#include "records/line.hpp"
#include "suites/manifest/guess.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::manifest {

/// A formula of the manifest, as a number if it is one; null: it is empty.
nlohmann::ordered_json formula(const std::string& text);
nlohmann::ordered_json formulas(const std::vector<std::string>& texts);

/// @throws UsageError that lists a file's kernels, of which --kernel has to name some
[[noreturn]] void refuse_kernels(const std::string& file, const std::string& what,
                                 const std::vector<std::string>& names);

/// Kernels of a CUDA source that are launched one after the other, read.
struct CudaSide {
    std::vector<CudaKernel> kernels;
    /// By kernel: its symbols, and arrays of `extern __shared__`, are parameters, too.
    std::vector<KernelReading> readings;
};

/// The kernels that the words name, in that order; none: the only one.
/// @throws UsageError where none is meant, or template arguments are missing
CudaSide cuda_side(const FirstManifest& first, const std::vector<std::string>& words);

/// Says in front of the kernel's head that its work-groups have that shape, unless its body leads
/// there by itself, when the word would only hide that a work-item may have several places.
/// @param text  OpenCL C with the kernel of `reading`
/// @returns whether `text` was changed
bool hint_block(std::string& text, const KernelReading& reading,
                const std::array<unsigned, 3>& items);

/// Completes what was guessed from the CUDA source alone. @returns the manifest's `cuda`
nlohmann::ordered_json cuda_alone(const FirstManifest& first, const CudaSide& side, RowGuess& row);

/// Says where the CUDA source differs from the OpenCL source, of which `row` was guessed. A
/// translation is launched as its CUDA source.
/// @param opencl  the readings of the OpenCL kernels, in the order of the steps
/// @returns the manifest's `cuda`
nlohmann::ordered_json cuda_beside(const FirstManifest& first, const CudaSide& side,
                                   const std::vector<KernelReading>& opencl, RowGuess& row);

}  // namespace parallax::manifest
