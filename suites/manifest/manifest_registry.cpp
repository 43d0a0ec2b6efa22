// Registers the loaded manifests of a process, and what they may read.
#include <algorithm>
#include <filesystem>
#include <list>
#include <map>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/read_file.hpp"
#include "suites/manifest/captured.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax {

std::size_t manifest_length(std::string_view word) {
    if (word.ends_with(".json")) return word.size();
    // A folder may have such a name as well: the last one is the manifest's.
    if (const std::size_t at = word.rfind(".json/"); at != word.npos) return at + 5;
    std::size_t end = word.size();
    while (end > 1 && word[end - 1] == '/') --end;
    const bool is_own = std::ranges::any_of(
        suites(), [&](const Suite& own) { return own.name == word.substr(0, word.find('/')); });
    // The built-in suites keep their names; a trailing '/' marks a folder.
    std::error_code error;
    // A folder without a capture is accepted as well: reading it reports what is missing.
    const bool is_folder = std::filesystem::is_directory(word.substr(0, end), error);
    if ((!is_own || end < word.size()) && is_folder) return end;
    const std::size_t slash = word.substr(0, end).rfind('/');
    if (slash == word.npos || slash == 0 || (is_own && word.find('/') == slash)) return 0;
    // A file in a folder is a file: results, explanations.
    if (std::filesystem::exists(word, error)) return 0;
    return std::filesystem::is_directory(word.substr(0, slash), error) ? slash : 0;
}

bool names_manifest(std::string_view word) {
    return manifest_length(word) > 0;
}

namespace {

/// A manifest that was loaded, at its place for good.
struct Loaded {
    std::filesystem::path path;
    ManifestPermissions permissions;
    Suite suite;
};

/// The newest first.
std::list<Loaded>& loaded() {
    static std::list<Loaded> suites;
    return suites;
}

std::map<std::string, std::vector<RefusedCase>>& refused() {
    static std::map<std::string, std::vector<RefusedCase>> cases;
    return cases;
}

Suite loaded_suite(const std::string& file, const ManifestPermissions& permissions) {
    if (std::filesystem::is_directory(file)) {
        CapturedSuite captured = captured_suite(file, permissions);
        refused()[captured.suite.name] = std::move(captured.refused);
        return std::move(captured.suite);
    }
    std::string text;
    try {
        text = read_file(file, most_manifest_bytes);
    } catch (const UsageError& problem) {
        throw UsageError(
            fmt::format("The manifest cannot be read: {}. 'parallax port FILE.cl --init -o "
                        "FILE.json' writes one.",
                        problem.what()));
    }
    return suite_from(file, text, permissions);
}

}  // namespace

std::vector<std::filesystem::path> folders_named(const std::vector<std::string>& folders) {
    for (const std::string& folder : folders) {
        std::error_code error;
        if (std::filesystem::is_directory(folder, error)) continue;
        throw UsageError(fmt::format("--allow {} is no folder.", folder));
    }
    return {folders.begin(), folders.end()};
}

const Suite& manifest_suite(const std::string& file, const ManifestPermissions& permissions) {
    std::error_code error;
    const std::filesystem::path place = std::filesystem::weakly_canonical(file, error);
    for (const Loaded& one : loaded()) {
        if (one.path == place && one.permissions == permissions) return one.suite;
    }
    Suite suite = loaded_suite(file, permissions);
    for (const Loaded& other : loaded()) {
        if (other.suite.name != suite.name || other.path == place) continue;
        throw UsageError(fmt::format("{} and {} have the same name, {}. Give one another.",
                                     other.suite.manifest, file, suite.name));
    }
    return loaded().emplace_front(Loaded{place, permissions, std::move(suite)}).suite;
}

RecordedPair recorded_pair(const Both<std::string>& folders,
                           const ManifestPermissions& permissions) {
    CapturedPair pair = captured_pair(folders, permissions);
    const Suite& suite =
        loaded()
            .emplace_front(Loaded{folders.a + '|' + folders.b, permissions, std::move(pair.suite)})
            .suite;
    return {&suite, std::move(pair.launches), std::move(pair.refused), std::move(pair.why_none)};
}

const Suite* loaded_manifest(std::string_view name) {
    for (const Loaded& one : loaded()) {
        if (one.suite.name == name) return &one.suite;
    }
    return nullptr;
}

const Suite& any_suite_named(std::string_view name) {
    const Suite* own = loaded_manifest(name);
    return own ? *own : suite_named(name);
}

const std::vector<RefusedCase>& refused_cases(const Suite& suite) {
    return refused()[suite.name];
}

std::string word_for(const Suite& suite) {
    return suite.manifest.empty() ? suite.name : suite.manifest;
}

}  // namespace parallax
