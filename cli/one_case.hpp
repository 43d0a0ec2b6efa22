// The one case that a command line names, and how another process is told of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "common/pick.hpp"
#include "common/suite.hpp"
#include "studies/build/built_case.hpp"

namespace parallax::cli {

/// What SUITE/VARIANT, --size, --type and --define say. @throws UsageError
Case case_of(const Values&);

/// The same of a variant that was picked. @throws UsageError
Case case_of(const CasePick&, const Values&);

/// The case's kernels as NVRTC makes them for sm_90: registers and bytes are known without a GPU.
/// Nothing where -d says other devices, one of CUDA is there, or NVRTC is not.
std::optional<BuiltCase> built_without_device(const Values&, const std::vector<Entry>&, const Case&,
                                              const RunContext&, const World&);

/// --type and --define with what the case has, and --kernels.
std::vector<std::string> options_for(const Case&, const std::optional<std::string>& kernels);

}  // namespace parallax::cli
