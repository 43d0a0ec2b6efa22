// The devices that the command line selects.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "common/device/devices.hpp"

namespace parallax::cli {

/// The entries that the words select, each once, in that order; without words all entries.
/// @throws UsageError when a word selects nothing.
std::vector<Entry> chosen_entries(const Devices&, const std::vector<std::string>& words);

/// For commands that time. @throws UsageError when an entry is for verification only
void refuse_untimed(std::span<const Entry>);

/// The selected entries of this machine. Without words, missing backends are reported.
/// @param quiet  they are not reported
std::vector<Entry> entries_for(const std::vector<std::string>& words, bool quiet, CommandContext&);

/// Says that there is no device. @param what  `to run on`
Error no_device(std::string_view what);

}  // namespace parallax::cli
