// The two sides that a command line names.
#pragma once

#include <string>

#include "cli/command.hpp"
#include "common/device/devices.hpp"

namespace parallax::cli {

/// Whether the word is a file and not a device: it exists, has a '/' or ends in .jsonl, and is no
/// backend's name.
bool is_file(const std::string& word, const CommandContext&);

/// Whether it is a folder without a capture, which may be one of results.
bool may_be_results(const std::string& word);

/// Whether the word names a kernel: a manifest, a captured folder, or a variant of these or of a
/// built-in suite. A backend's name is a device.
bool names_kernel(const std::string& word, const CommandContext&);

/// The entry that the word selects.
/// @throws UsageError when it selects none, or several
Entry one_entry(const Devices&, const std::string& word);

}  // namespace parallax::cli
