// Declares options that several commands share, and finds programs.
#include "cli/option_values.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

#include "common/error.hpp"
#include "studies/port/port_input.hpp"

namespace parallax::cli {

void add_allow_option(po::options_description_easy_init& add) {
    add("allow", po::value<std::vector<std::string>>()->composing(),
        "folder that a manifest or a kernel's includes may read in addition to their own; "
        "repeatable");
}

void add_allow_options(po::options_description_easy_init& add) {
    add_allow_option(add);
    add("allow-command", "run the command that a manifest names as its reference");
}

void add_source_options(po::options_description_easy_init& add) {
    add("source", po::value<Words>()->composing(),
        "CUDA file with kernels of a recorded CUDA program: they run from it, and through OpenCL "
        "from its translation; repeatable");
    add("include,I", po::value<Words>()->composing(),
        "folder for what the files of --source include; repeatable");
}

CudaSources sources_of(const Values& values) {
    CudaSources sources;
    for (const std::string& word : words_of(values, "source")) sources.files.emplace_back(word);
    if (sources.files.empty()) {
        if (values.count("include") > 0)
            throw UsageError("--include is for the files of --source. Leave --include out.");
        return sources;
    }
    for (const std::string& word : words_of(values, "include")) {
        if (!fs::is_directory(word)) throw UsageError(fmt::format("-I {} is no folder.", word));
        sources.folders.emplace_back(word);
    }
    for (const std::string& word : words_of(values, "define"))
        sources.defines.push_back(parse_macro(word));
    return sources;
}

bool is_given(const Values& values, const char* name) {
    const auto found = values.find(name);
    return found != values.end() && !found->second.defaulted();
}

void refuse_given(const Values& values, std::initializer_list<const char*> names,
                  std::string_view why) {
    for (const char* name : names) {
        if (is_given(values, name)) throw UsageError(fmt::format(fmt::runtime(why), name));
    }
}

fs::path program_in_path(const std::string& word) {
    const auto can_run = [](const fs::path& file) {
        return ::access(file.c_str(), X_OK) == 0 && !fs::is_directory(file);
    };
    if (word.find('/') != word.npos) return can_run(word) ? fs::path(word) : fs::path();
    const char* path = std::getenv("PATH");
    std::string_view rest = path ? path : "";
    while (!rest.empty()) {
        const std::string_view folder = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
        if (fs::path file = fs::path(folder) / word; can_run(file)) return file;
    }
    return {};
}

std::vector<std::string> constants_of(const Values& values) {
    return values.count("source") > 0 ? std::vector<std::string>{} : words_of(values, "define");
}

std::vector<std::string> words_of(const Values& values, const char* name) {
    return value_of<std::vector<std::string>>(values, name).value_or(std::vector<std::string>{});
}

}  // namespace parallax::cli
