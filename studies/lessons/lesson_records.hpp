// A walk put together from stored records: lessons with the figures of a device that is not here.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "studies/lessons/lesson.hpp"
#include "studies/lessons/walk.hpp"

namespace parallax::cli {

/// The files that are read when a walk is put together from there: those of a folder in order, or
/// the file itself.
/// @throws UsageError when the folder cannot be read
std::vector<std::string> files_to_read(const std::filesystem::path&);

/// Reads a file of records (.jsonl), or all of a folder with the walks that lie in it (.json), as
/// far as they are of the suites' own kernels and ended `ok` or `unsupported`. Of each case one
/// record a device is taken: rather one that was measured, rather at the size that most of the
/// lesson has, and of these the newest. What the gate said of broken kernels is from walks;
/// commands, which only print, are run. Devices of one name and backend are one. A lesson without
/// any record is left out.
/// @throws UsageError when it cannot be read
Walk walk_from_records(const std::filesystem::path&, const std::vector<const Lesson*>&, World&);

}  // namespace parallax::cli
