// Loads a folder of `parallax capture` as a suite.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "common/suite/suite.hpp"
#include "suites/manifest/permissions.hpp"

namespace parallax {

/// The program's timeline, which is in every such folder.
inline constexpr const char* capture_file = "capture.json";

inline constexpr std::uint64_t most_manifest_bytes = std::uint64_t{1} << 20;

/// Whether the folder has the form of one of `parallax capture`.
bool is_captured(const std::filesystem::path& folder);

/// Whether a name is a content hash of a capture (common/text/hash.hpp).
bool is_hash(std::string_view name);

/// A case that cannot be run, and the reason.
struct RefusedCase {
    std::string name, why;
};

struct CapturedSuite {
    Suite suite;  ///< one variant for each manifest of the folder, by its file's name
    std::vector<RefusedCase> refused;
};

/// Resolves includes with macro names in the sources of a new capture, since the layer has no
/// preprocessor. All files that the program's compiler could read are allowed.
void include_by_macros(const std::filesystem::path& folder);

/// @throws UsageError when there is no case in it that could be run
CapturedSuite captured_suite(const std::string& folder, const ManifestPermissions& = {});

}  // namespace parallax
