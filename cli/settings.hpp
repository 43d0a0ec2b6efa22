// A project's own defaults: the options that a file `parallax.toml` sets.
#pragma once

#include <iosfwd>

#include "cli/command.hpp"

namespace parallax::cli {

inline constexpr const char* settings_file = "parallax.toml";

/// Sets what the command line leaves open and the file says; it is the nearest one in the working
/// folder or above it that belongs, as its folder does, to the caller or to root. Such values are
/// `defaulted()`. What is taken and what is passed over is told, unless the command line says
/// `quiet`. The file may have come with a stranger's files: Setting says what it can set.
/// @throws UsageError naming file and line, for a setting that there is not or cannot be
void take_settings(const Command&, const boost::program_options::options_description&, Values&,
                   std::ostream& err);

}  // namespace parallax::cli
