// Commands on one case: parses it, and passes it on to child processes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "common/suite/pick.hpp"
#include "common/suite/suite.hpp"
#include "studies/build/built_case.hpp"

namespace parallax::cli {

/// The case given by SUITE/VARIANT, --size, --type and --define. @throws UsageError
Case case_of(const Values&, const CommandContext&);

/// The same for a selected variant. @throws UsageError
Case case_of(const CasePick&, const Values&);

/// Adds the case, -d, -n, --type, --define, --allow and --kernels.
void add_one_case_options(po::options_description_easy_init& add);

/// Builds the case on the devices of -d. With all devices and none of CUDA's, NVRTC (if available)
/// builds it for sm_90, so that registers and bytes are known without a GPU.
/// @param times  builds per kernel
/// @param tell   receives each built case, and all devices
/// @returns whether it was built anywhere
bool build_everywhere(const Values&, const Case&, const RunConfig&, unsigned times, CommandContext&,
                      const std::function<void(const BuiltCase&, const std::vector<Entry>&)>& tell);

/// --type and --define with what the case has, --allow, and --kernels.
std::vector<std::string> options_for(const Case&, const ManifestPermissions&,
                                     const std::optional<std::string>& kernels);

}  // namespace parallax::cli
