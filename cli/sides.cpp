// Distinguishes files from devices on the command line, and finds entries.
#include "cli/sides.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::cli {

bool is_file(const std::string& word, const CommandContext& context) {
    // A folder may have a backend's name; `./opencl` selects the folder.
    const std::string backend = word.substr(0, word.find(':'));
    for (const auto& one : context.backends) {
        if (one->name() == backend) return false;
    }
    std::error_code error;
    return fs::exists(word, error) || word.find('/') != std::string::npos ||
           word.ends_with(".jsonl");
}

bool may_be_results(const std::string& word) {
    std::error_code ignored;
    return fs::is_directory(word, ignored) && !fs::exists(fs::path(word) / "capture.json", ignored);
}

bool names_kernel(const std::string& word, const CommandContext& context) {
    const std::string backend = word.substr(0, word.find(':'));
    for (const auto& one : context.backends) {
        if (one->name() == backend) return false;
    }
    if (names_manifest(word)) return !may_be_results(word);
    std::error_code error;
    return !fs::exists(word, error) && std::ranges::any_of(suites(), [&](const Suite& one) {
        return one.name == std::string_view(word).substr(0, word.find('/'));
    });
}

Entry one_entry(const Devices& devices, const std::string& word) {
    std::vector<Entry> found;
    try {
        found = matching(devices, word);
    } catch (const UsageError& error) {
        if (word.find(':') != word.npos) throw;
        throw UsageError(fmt::format("{} No file has this name, either.", error.what()));
    }
    if (found.size() > 1) {
        std::vector<std::string> ids;
        for (const Entry& entry : found) ids.push_back(entry.info.id());
        throw UsageError(fmt::format("'{}' names {} devices: {}. A side is one of them.", word,
                                     found.size(), fmt::join(ids, ", ")));
    }
    return found.front();
}

}  // namespace parallax::cli
