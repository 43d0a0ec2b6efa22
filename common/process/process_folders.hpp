// Names temporary folders after the process that made them, and removes those of killed processes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace parallax {

/// Start time of a process, in clock ticks since boot; 0: there is no such process, or it has ended
/// and was not reaped yet.
unsigned long long start_time(pid_t process);

/// The parent of temporary folders: TMPDIR or, where that is no folder, /tmp.
std::filesystem::path place_of_temporary_folders();

/// The folder for what later runs may use again, `parallax` in XDG_CACHE_HOME or in ~/.cache.
/// Empty: there is no place for it.
/// @param cache_home, home  the two variables; null or relative: ignored
std::filesystem::path user_cache_folder(const char* cache_home, const char* home);
/// The same of this process's environment.
std::filesystem::path user_cache_folder();

/// The start of the names of temporary folders that hold a driver's cache.
inline constexpr std::string_view start_of_driver_cache = "parallax-driver-cache-";

/// Whether it is in a folder that ends with an object of the Python package: it repeats nothing.
bool is_of_python_object(std::string_view path);

/// The start of a folder's name: `start`, the process ID, its start time, and the boot and PID
/// namespace in which these are valid.
/// @param start  `parallax-` and a word and `-`
std::string start_of_process_folder(std::string_view start);

/// Removes this user's temporary folders of that kind whose processes, of this boot and PID
/// namespace, have ended.
void remove_folders_of_ended_processes();

}  // namespace parallax
