// Loads the user's own kernels as a suite, from a manifest.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/program.hpp"
#include "common/error.hpp"
#include "common/suite/suite.hpp"
#include "suites/manifest/captured.hpp"
#include "suites/manifest/permissions.hpp"

namespace parallax {

/// Whether a command-line word is a manifest or a captured folder, or a variant of one:
/// `mine.json`, `mine.json/plain`, `app/`, `app/kernel`.
bool names_manifest(std::string_view word);
/// Length of the part that names the manifest or the folder; 0: neither.
std::size_t manifest_length(std::string_view word);

/// Cases of a captured folder that the suite leaves out.
const std::vector<RefusedCase>& refused_cases(const Suite&);

/// The kernel writes nothing that could be compared.
struct NothingCompared : UsageError {
    using UsageError::UsageError;
};

/// The suite of a manifest or of a captured folder; docs/reference/manifest.md says what it holds.
/// It lives as long as the process, and the same file with the same permissions is the same suite.
/// @throws UsageError naming the file, the place in the JSON, what was found and what to write
const Suite& manifest_suite(const std::string& file, const ManifestPermissions& = {});

/// The suite of two recordings, and the launches of each. It lives as long as the process.
struct RecordedPair {
    const Suite* suite = nullptr;
    Both<std::vector<RecordedLaunch>> launches;
    Both<std::vector<RefusedCase>> refused;  ///< launches that cannot be read
    Both<std::string> why_none;              ///< CapturedPair::why_none
};
/// @throws UsageError as captured_pair()
RecordedPair recorded_pair(const Both<std::string>& folders, const ManifestPermissions& = {});

/// The suite of a loaded manifest of that name, or nullptr.
const Suite* loaded_manifest(std::string_view name);

/// The suite of that name, from a loaded manifest or built-in.
/// @throws UsageError when there is none
const Suite& any_suite_named(std::string_view name);

/// Its name on a command line: the suite's name, or the file.
std::string word_for(const Suite&);

/// The suite of a manifest's text, without registering it.
/// @throws UsageError
/// @param texts  kernel files that it names and that are not on the disk
Suite suite_from(const std::string& file, std::string_view text, const ManifestPermissions& = {},
                 std::map<std::string, std::string> texts = {});

/// Start of the last sentence in the `check` list of --init.
inline constexpr std::string_view not_looked_over = "Nobody has looked this over.";

/// The input for a generated manifest.
struct FirstManifest {
    std::string file;                       ///< name of the kernel file, for the manifest
    std::string source;                     ///< its source with all includes; expanded, if `expand`
    std::vector<std::string> kernels = {};  ///< launched one after the other; empty: the only one
    std::vector<Define> defines = {};
    std::vector<std::string> include = {};  ///< kept in the manifest
    bool expand = false;
    /// Name and source of a CUDA file: with `file` empty the only one, else the other side.
    std::string cuda = {}, cuda_source = {};
    /// If `source` is the translation of `cuda_source`: the names of `kernels` in it.
    std::vector<std::string> translated = {};
};

/// What is to be said of a first manifest, in addition to its list `check`.
struct FirstRemarks {
    std::string refused;   ///< why the source cannot be translated to CUDA; empty: it can
    bool guesses = false;  ///< it has numbers that the source does not say, or questions
};

/// The kernels of the source, in order.
std::vector<std::string> kernels_in(FirstManifest);

/// Generates a manifest as JSON for one kernel or successive ones, as far as arguments and launch
/// follow from the body. Unknown values are null with a question, which must be answered before it
/// runs; the list under "check" must be deleted after a review.
/// @param remarks  receives what a user should hear of it
/// @throws Refused when the source cannot be parsed, UsageError when it lacks the kernel, or a
/// manifest cannot launch it
std::string first_manifest(FirstManifest, FirstRemarks* remarks = nullptr);

}  // namespace parallax
