// Values of options, and options that several commands share.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "suites/case_words.hpp"

namespace parallax::cli {

/// The option's value, if any.
template <class T>
std::optional<T> value_of(const Values& values, const char* name) {
    if (values.count(name) == 0) return {};
    return values[name].as<T>();
}

/// Whether the option is on the command line, and not only in a project's settings file.
bool is_given(const Values& values, const char* name);

/// @throws UsageError where the command line has one of these options
/// @param why  with {} for its name
void refuse_given(const Values&, std::initializer_list<const char*> names, std::string_view why);

/// The program's path by PATH lookup; empty: there is no such executable.
fs::path program_in_path(const std::string& word);

/// Declares `allow`, for every command that takes a manifest.
void add_allow_option(po::options_description_easy_init& add);
/// Also declares `allow-command`, for every such command that measures.
void add_allow_options(po::options_description_easy_init& add);

/// Declares `source` and `include`, for every command that takes a recording and `define`.
void add_source_options(po::options_description_easy_init& add);
/// Their values, and the macros of `define`, which are those of the sources where there are any.
/// @throws UsageError
CudaSources sources_of(const Values& values);
/// The values of `define` that are constants of kernels.
std::vector<std::string> constants_of(const Values& values);

/// All values of a repeatable option.
std::vector<std::string> words_of(const Values& values, const char* name);

}  // namespace parallax::cli
