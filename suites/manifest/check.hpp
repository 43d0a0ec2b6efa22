// Checks a manifest against the kernels' source, its data, its reference and its sizes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "suites/manifest/model.hpp"

namespace parallax::manifest {

/// The macros for the compilers, without those that the preprocessor has expanded.
std::vector<Define> compiled_defines(const Model&);

/// Checks the members of a struct against the source's declaration: a kernel would read past the
/// end of a shorter one.
/// @param type      the struct's name
/// @param obstacle  as `Parameter::obstacle`
/// @throws UsageError
void check_members(const Model&, const ArgumentSpec&, const std::string& type,
                   const std::vector<Member>& declared, const std::string& obstacle);

/// Checks the size of a struct passed by value. @throws UsageError
void check_bytes(const Model&, const ArgumentSpec&, const Parameter&);

/// Completes the arguments, and checks them against the parameters in the kernels' source.
/// @returns the kernel of each launch
/// @throws UsageError
std::vector<Signature> check_signatures(Model&, KernelSource&, const std::string& source);

/// Checks expected data against the buffers. @throws UsageError
void check_data(const Model&);

/// The kernel of each launch, of all of a manifest's sources; of a CUDA source nothing is known.
using KernelsOf = std::map<const KernelSource*, std::vector<Signature>>;

/// Tries every size of the manifest, with its own constants. @throws UsageError
void check_sizes(const Model&, const Suite&, const KernelsOf& kernels);

}  // namespace parallax::manifest
