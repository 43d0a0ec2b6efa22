// A folder that `parallax capture` wrote, as a suite.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "common/suite/suite.hpp"
#include "suites/manifest/permissions.hpp"

namespace parallax {

/// What stands in every such folder: the program's timeline.
inline constexpr const char* capture_file = "capture.json";

inline constexpr std::uint64_t most_manifest_bytes = std::uint64_t{1} << 20;

/// Whether `parallax capture` wrote the folder, as far as its files say.
bool is_captured(const std::filesystem::path& folder);

/// Whether a capture calls a file so, by the hash of what it holds (common/text/hash.hpp).
bool is_hash(std::string_view name);

/// A case that cannot be run, and why.
struct RefusedCase {
    std::string name, why;
};

struct CapturedSuite {
    Suite suite;  ///< one variant for each manifest of the folder, by its file's name
    std::vector<RefusedCase> refused;
};

/// Puts into the texts of a new capture what they include by names that macros make: the layer has
/// no preprocessor. What the program's compiler could read is read, wherever it lies.
void include_by_macros(const std::filesystem::path& folder);

/// @throws UsageError when there is no case in it that could be run
CapturedSuite captured_suite(const std::string& folder, const ManifestPermissions& = {});

}  // namespace parallax
