// What a manifest is held against: the kernels' own text, its data, its reference, its sizes.
#pragma once

#include <string>
#include <vector>

#include "suites/manifest/model.hpp"

namespace parallax::manifest {

/// The macros that the compilers are told; those that the preprocessor has used up are not.
std::vector<Define> compiled_defines(const Model&);

/// Completes the arguments, and holds them against the parameters of the kernels' text.
/// @returns the kernel of each launch
/// @throws UsageError
std::vector<Signature> check_signatures(Model&, KernelText&, const std::string& source);

/// Holds expected data against the buffers. @throws UsageError
void check_data(const Model&);

/// Tries every size of the manifest, with its own constants. @throws UsageError
/// @param kernels  of each variant's launches
void check_sizes(const Model&, const Suite&, const std::vector<std::vector<Signature>>& kernels);

}  // namespace parallax::manifest
