// Loads a folder of `parallax capture` as a suite.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "common/suite/suite.hpp"
#include "records/explanation.hpp"
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

/// A content of one launch, by the hashes of its bytes.
struct RecordedContent {
    std::string before;       ///< what the launch began with
    std::string after;        ///< what it left; the same where it changed nothing
    std::uint64_t bytes = 0;  ///< 0: an image's

    bool is_changed() const { return after != before; }
};

/// A kept launch of one of two recordings.
struct RecordedLaunch {
    std::string name;     ///< of its manifest
    std::string variant;  ///< of the common suite
    std::vector<RecordedContent> contents;
    std::vector<std::string> values;  ///< arguments by value, as hexadecimal digits
};

/// Two recordings in one suite, so that launches of both are cases of one comparison.
struct CapturedPair {
    Suite suite;
    Both<std::vector<RecordedLaunch>> launches;
    Both<std::vector<RefusedCase>> refused;
    Both<std::string> why_none;  ///< of launches that can be replayed; empty: there are some
};

/// Resolves includes with macro names in the sources of a new capture, since the layer has no
/// preprocessor. All files that the program's compiler could read are allowed.
void include_by_macros(const std::filesystem::path& folder);

/// @throws UsageError when there is no case in it that could be run
CapturedSuite captured_suite(const std::string& folder, const ManifestPermissions& = {});

/// @throws UsageError when one of the folders has kept launches, and none that could be run
CapturedPair captured_pair(const Both<std::string>& folders, const ManifestPermissions& = {});

}  // namespace parallax
