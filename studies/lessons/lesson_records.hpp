// A walk put together from stored records: lessons with the figures of a device that is not here.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "studies/lessons/lesson.hpp"
#include "studies/lessons/lesson_walk.hpp"
#include "studies/lessons/walk.hpp"

namespace parallax {

/// Reads a file of records (.jsonl), or all of a folder, as far as they are of the suites' own
/// kernels and ended `ok` or `unsupported`, or of kernels that a lesson broke on purpose. Of each
/// case the best record of a device is taken (records/result_store.hpp), at the size that most of
/// the lesson has. Commands, which only print, are run. Devices of one name and backend are one. A
/// lesson without any record is left out.
/// @throws UsageError when it cannot be read
Walk walk_from_records(
    const std::filesystem::path&, const std::vector<const Lesson*>&,
    const std::function<CommandOutput(const std::vector<std::string>& words)>& command);

}  // namespace parallax
