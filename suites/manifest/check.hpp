// Checks a manifest against the kernels' source, its data, its reference and its sizes.
#pragma once

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
void check_members(const Model&, const ArgumentText&, const std::string& type,
                   const std::vector<Member>& declared, const std::string& obstacle);

/// Checks the size of a struct passed by value. @throws UsageError
void check_bytes(const Model&, const ArgumentText&, const Parameter&);

/// Completes the arguments, and checks them against the parameters in the kernels' source.
/// @returns the kernel of each launch
/// @throws UsageError
std::vector<Signature> check_signatures(Model&, KernelSource&, const std::string& source);

/// Checks expected data against the buffers. @throws UsageError
void check_data(const Model&);

/// Tries every size of the manifest, with its own constants. @throws UsageError
/// @param kernels  of each variant's launches
void check_sizes(const Model&, const Suite&, const std::vector<std::vector<Signature>>& kernels);

}  // namespace parallax::manifest
