// Temporary folders that carry the process that made them in their names, so that what a killed
// process left is known and removed.
#pragma once

#include <string>
#include <string_view>

namespace parallax {

/// A start for TemporaryFolder: `start`, then this process, its start time, and the boot and
/// PID namespace in which these numbers mean it.
/// @param start  `parallax-` and a word and `-`
std::string start_of_process_folder(std::string_view start);

/// Removes this user's folders of that kind in the temporary folder whose processes, of this boot
/// and PID namespace, have ended.
void remove_folders_of_ended_processes();

}  // namespace parallax
