// What a manifest is held against: the kernels' own text, its data, its reference, its sizes.
#pragma once

#include <string>
#include <vector>

#include "suites/manifest/model.hpp"

namespace parallax::manifest {

/// The macros that the compilers are told; those that the preprocessor has used up are not.
std::vector<Define> compiled_defines(const Model&);

/// Holds the members of a struct against those that the text declares: a kernel would read beyond
/// a shorter one.
/// @param type      the struct's name
/// @param obstacle  as `Parameter::obstacle`
/// @throws UsageError
void check_members(const Model&, const ArgumentText&, const std::string& type,
                   const std::vector<Member>& declared, const std::string& obstacle);

/// Holds the bytes of a struct by value against its size. @throws UsageError
void check_bytes(const Model&, const ArgumentText&, const Parameter&);

/// Completes the arguments, and holds them against the parameters of the kernels' text.
/// @returns the kernel of each launch
/// @throws UsageError
std::vector<Signature> check_signatures(Model&, KernelSource&, const std::string& source);

/// Holds expected data against the buffers. @throws UsageError
void check_data(const Model&);

/// Tries every size of the manifest, with its own constants. @throws UsageError
/// @param kernels  of each variant's launches
void check_sizes(const Model&, const Suite&, const std::vector<std::vector<Signature>>& kernels);

}  // namespace parallax::manifest
