// Determines the files and formats of a diff's reports, and writes them.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "studies/diff/diff.hpp"

namespace parallax::cli {

/// How much a text on the terminal says: the answer, what matters, or all.
enum class Detail { answer, first_screen, all };

/// A report and its file; none: standard output.
struct Output {
    std::string format;  ///< `text`, `md`, `html`, `json`, `junit` or `sarif`
    std::optional<fs::path> file;
    Detail detail = Detail::all;
    bool is_quiet = false;  ///< says nothing of the file
};

/// The outputs of -o and --format, standard output last. Determined before the measurement, so that
/// errors appear at once.
/// @param inputs  input files, and the data file: no report may overwrite them
/// @param formats  formats of the command
/// @throws UsageError for an unknown format, or a file that cannot be written
std::vector<Output> outputs_of(const Values&, const std::vector<std::string>& inputs,
                               const std::vector<std::string>& formats);

/// Writes the rendered outputs. @throws UsageError when one cannot be written
void write_outputs(const std::vector<Output>&, CommandContext&,
                   const std::function<std::string(const Output&)>& rendered);

/// Writes what ended a command into its files of -o, --junit and --sarif, for CI shows these alone.
/// Nothing where they are written, and into none that is no report.
void write_error(const Command&, const Values&, CommandContext&, int code, const std::string& said);

/// The diff in the output's format.
/// @param folder  of --kernels: the sources that the page shows
std::string rendered(const Diff&, const Output&, const CommandContext&,
                     const std::optional<std::string>& folder);

/// Writes all outputs.
/// @param folder  of --kernels: the sources that the page shows
/// @throws UsageError when one cannot be written
void write_reports(const Diff&, const std::vector<Output>&, CommandContext&,
                   const std::optional<std::string>& folder);

}  // namespace parallax::cli
