// Reads a project's default options from a file `parallax.toml`.
#pragma once

#include <iosfwd>

#include "cli/command.hpp"

namespace parallax::cli {

inline constexpr const char* settings_file = "parallax.toml";

/// Applies settings to options that are not on the command line. The file is the nearest one in the
/// working folder or above that belongs, as its folder does, to the caller or to root. Such values
/// are `defaulted()`. Used and ignored settings are reported, unless the command line says `quiet`.
/// The file may be untrusted: Setting restricts what it can set.
/// @throws UsageError with file and line, for an unknown or invalid setting
void take_settings(const Command&, const po::options_description&, Values&, std::ostream& err);

}  // namespace parallax::cli
