// A walk put together from stored records: lessons with the figures of a device that is not here.
#pragma once

#include <filesystem>
#include <vector>

#include "cli/command.hpp"
#include "lessons/lesson.hpp"
#include "lessons/walk.hpp"

namespace parallax::cli {

/// Reads a file of records (.jsonl), or all of a folder with the walks that lie in it (.json). Of
/// each case the newest record is taken, those of a lesson at one size where there are such; what
/// the gate said of broken kernels is taken from walks. Devices of one name and backend are one.
/// @throws UsageError when it cannot be read, or holds no record of these lessons
Walk walk_from_records(const std::filesystem::path&, const std::vector<const Lesson*>&, World&);

}  // namespace parallax::cli
