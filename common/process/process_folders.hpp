// Temporary folders that carry the process that made them in their names, so that what a killed
// process left is known and removed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace parallax {

/// Where temporary folders are made: what TMPDIR names or, where that is no folder, /tmp.
std::filesystem::path place_of_temporary_folders();

/// How a folder's name begins: `start`, then this process, its start time, and the boot and
/// PID namespace in which these numbers mean it.
/// @param start  `parallax-` and a word and `-`
std::string start_of_process_folder(std::string_view start);

/// Removes this user's folders of that kind in the temporary folder whose processes, of this boot
/// and PID namespace, have ended.
void remove_folders_of_ended_processes();

}  // namespace parallax
