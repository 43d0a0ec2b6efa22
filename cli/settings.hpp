// A project's own defaults: the options that a file `parallax.toml` sets.
#pragma once

#include <string>

#include "cli/command.hpp"

namespace parallax::cli {

inline constexpr const char* settings_file = "parallax.toml";

/// Sets what the command line leaves open and the file says; the file lies in the working folder or
/// the nearest one above it. Such values are `defaulted()`.
/// @returns what was taken and from where, to be said; empty: nothing
/// @throws UsageError naming file and line, for a setting that there is not or cannot be
std::string take_settings(const Command&, const boost::program_options::options_description&,
                          Values&);

}  // namespace parallax::cli
