// Measures a case's build time in fresh processes with controlled compiler caches.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "common/device/devices.hpp"
#include "common/suite/suite.hpp"
#include "studies/explain/stages.hpp"
#include "suites/manifest/permissions.hpp"

namespace parallax::cli {

/// Runs `program` twice with `build` for this case on this device. Both processes use a new cache
/// folder, which is empty for the first, filled for the second, and removed afterwards. Missing
/// measurements get a note.
/// @param kernels  replaces the folder of kernel files; none: the program's own
/// @throws Interrupted; Error when no process or folder can be created
BuildTimes build_times(const std::filesystem::path& program, const Entry&, const Case&,
                       const std::optional<std::string>& kernels, const ManifestPermissions& = {});

}  // namespace parallax::cli
