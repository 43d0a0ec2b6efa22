// The one case that a command line names, and how another process is told of it.
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

/// What SUITE/VARIANT, --size, --type and --define say. @throws UsageError
Case case_of(const Values&, const CommandContext&);

/// The same of a variant that was picked. @throws UsageError
Case case_of(const CasePick&, const Values&);

/// Adds the case, -d, -n, --type, --define, --allow and --kernels.
void add_one_case_options(boost::program_options::options_description_easy_init& add);

/// Builds the case on the devices of -d. Where these are all and none is CUDA's, NVRTC builds it
/// for sm_90, if it is there: registers and bytes are known without a GPU.
/// @param times  each kernel is built so many times
/// @param tell   takes each as it is built, and all devices
/// @returns whether it was built anywhere
bool build_everywhere(const Values&, const Case&, const RunConfig&, unsigned times, CommandContext&,
                      const std::function<void(const BuiltCase&, const std::vector<Entry>&)>& tell);

/// --type and --define with what the case has, --allow, and --kernels.
std::vector<std::string> options_for(const Case&, const ManifestPermissions&,
                                     const std::optional<std::string>& kernels);

}  // namespace parallax::cli
