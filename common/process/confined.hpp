// Lets compilers of other people's sources open the allowed files and the system's alone.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "common/text/path_sandbox.hpp"

namespace parallax {

/// What a compiler needs besides the system's own folders: headers of its toolkit, a folder to work
/// in.
struct CompilerFolders {
    std::vector<std::filesystem::path> read = {}, write = {};
};

/// Calls `work` in a thread of its own that can open only files in the folders of `reach`, in
/// `own`, and in those of the system (libraries, compilers, headers, caches of drivers). The same
/// holds for the programs that it starts. All other files do not exist for them.
/// @param reach  nothing: the source is this program's own, and `work` is called without limits, as
///               it is where all files are allowed
/// @throws Unsupported where this system cannot do so; the exceptions of `work`
void confined(const std::optional<PathSandbox>& reach, const CompilerFolders& own,
              const std::function<void()>& work);

}  // namespace parallax
