// Where the reports of a diff go, and in which formats.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "studies/diff/diff.hpp"

namespace parallax::cli {

/// A report and where it goes; no file: standard output.
struct Output {
    std::string format;  ///< `text`, `md`, `html`, `json` or `junit`
    std::optional<std::filesystem::path> file;
};

/// What -o and --format ask for, standard output last. Found out before anything is measured: hours
/// later would be too late.
/// @param inputs  files that are read, and the one that data are appended to: no report replaces
/// them
/// @param formats  that the command has
/// @throws UsageError for an unknown format, or a file that cannot be written
std::vector<Output> outputs_of(const Values&, const std::vector<std::string>& inputs,
                               const std::vector<std::string>& formats);

/// Writes what `rendered` makes of each output. @throws UsageError when one cannot be written
void write_outputs(const std::vector<Output>&, CommandContext&,
                   const std::function<std::string(const Output&)>& rendered);

/// The diff in the output's format.
/// @param folder  of --kernels: the texts that the page shows
std::string rendered(const Diff&, const Output&, const CommandContext&,
                     const std::optional<std::string>& folder);

/// Writes all of them.
/// @param folder  of --kernels: the texts that the page shows
/// @throws UsageError when one cannot be written
void write_reports(const Diff&, const std::vector<Output>&, CommandContext&,
                   const std::optional<std::string>& folder);

}  // namespace parallax::cli
