// How long a case takes to build in processes of their own, with caches that are under control.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "common/device/devices.hpp"
#include "common/suite/suite.hpp"
#include "studies/explain/stages.hpp"
#include "suites/manifest/permissions.hpp"

namespace parallax::cli {

/// Starts `program` twice with `build` for this case on this device. Both have the caches of
/// compiled code in a new folder, which is gone afterwards: it is empty for the first and the
/// first's for the second. What they cannot tell is missing, with a note.
/// @param kernels  folder of kernel files to use instead; none: the program's own
/// @throws Interrupted; Error when no process can be started, or no folder be made
BuildTimes build_times(const std::filesystem::path& program, const Entry&, const Case&,
                       const std::optional<std::string>& kernels, const ManifestPermissions& = {});

}  // namespace parallax::cli
