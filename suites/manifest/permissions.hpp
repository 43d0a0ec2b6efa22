// Permissions of a manifest in addition to reading its own folder, from the command line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/device/program.hpp"

namespace parallax {

/// Whether a manifest's command, which says what is right, may be run.
enum class CommandUse {
    unneeded,  ///< nothing will ask it: the manifest is only looked at
    refused,   ///< a manifest that has one is refused
    allowed
};

/// CUDA files with the kernels of a recorded program.
struct CudaSources {
    std::vector<std::filesystem::path> files = {}, folders = {};  ///< `folders` for their includes
    std::vector<Define> defines = {};
    bool operator==(const CudaSources&) const = default;
};

/// Permissions of the manifests that a command loads, and the sources of what was recorded.
struct ManifestPermissions {
    std::vector<std::filesystem::path> folders = {};  ///< that they may read, too
    CommandUse commands = CommandUse::unneeded;
    CudaSources sources = {};
    bool operator==(const ManifestPermissions&) const = default;
};

/// The folders of these names. @throws UsageError when one is no folder
std::vector<std::filesystem::path> folders_named(const std::vector<std::string>&);

}  // namespace parallax
