// The two sides that a command line names.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "common/device/devices.hpp"

namespace parallax::cli {

/// Whether the word names a file and not a device: it is there, has a '/' or ends in .jsonl, and is
/// no backend's name.
bool is_file(const std::string& word, const CommandContext&);

/// The entry that the word names.
/// @throws UsageError when it names none, or several
Entry one_entry(const Devices&, const std::string& word);

}  // namespace parallax::cli
