// An engineer's own kernel as a suite: read from a manifest when the program runs.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/program.hpp"
#include "common/error.hpp"
#include "common/suite/suite.hpp"
#include "suites/manifest/captured.hpp"
#include "suites/manifest/permissions.hpp"

namespace parallax {

/// Whether a word of the command line is a manifest or a captured folder, or a variant of one:
/// `mine.json`, `mine.json/plain`, `app/`, `app/kernel`.
bool names_manifest(std::string_view word);
/// Characters of such a word that name the manifest or the folder; 0: it names neither.
std::size_t manifest_length(std::string_view word);

/// What the suite of a captured folder left out.
const std::vector<RefusedCase>& refused_cases(const Suite&);

/// A kernel writes nothing that could be compared.
struct NothingCompared : UsageError {
    using UsageError::UsageError;
};

/// The suite of a manifest or of a captured folder; docs/reference/manifest.md says what it holds.
/// It lives as long as the process, and the same file with the same permissions is the same suite.
/// @throws UsageError naming the file, the place in the JSON, what was found and what to write
const Suite& manifest_suite(const std::string& file, const ManifestPermissions& = {});

/// The suite of a manifest of that name that was loaded, or nullptr.
const Suite* loaded_manifest(std::string_view name);

/// The suite of a loaded manifest or of the program of that name.
/// @throws UsageError when there is none
const Suite& any_suite_named(std::string_view name);

/// How a command line names it: by its name, or by the file.
std::string word_for(const Suite&);

/// What the loader takes from a manifest's text, without its files being kept.
/// @throws UsageError
Suite suite_from(const std::string& file, std::string_view text, const ManifestPermissions& = {});

/// Every key that a manifest can have.
const std::vector<std::string>& manifest_keys();

/// How the sentence begins under `check` that --init ends with.
inline constexpr std::string_view not_looked_over = "Nobody has looked this over.";

/// What a first manifest is made of.
struct FirstManifest {
    std::string file;    ///< name of the kernel file, as the manifest will name it
    std::string source;  ///< its text with all that it includes; expanded, if `expand`
    std::vector<std::string> kernels = {};  ///< launched in a row; empty: the only one
    std::vector<Define> defines = {};
    std::vector<std::string> include = {};  ///< kept in the manifest
    bool expand = false;
};

/// The kernels of the text, in order.
std::vector<std::string> kernels_in(FirstManifest);

/// A first manifest for a kernel, or for kernels in a row, as JSON: what its body says of arguments
/// and launch. What it does not say is null with a question beside it, which has to be answered
/// before it runs; the list under "check" has to be deleted by who has looked it over.
/// @param refused  gets why the text does not become CUDA, which `check` says, too; empty: it does
/// @throws Refused when the text cannot be read, UsageError when it has no such kernel, or one
/// that a manifest cannot launch
std::string first_manifest(FirstManifest, std::string* refused = nullptr);

}  // namespace parallax
