// Finds the program's own tree.
#include "common/own_tree.hpp"

namespace parallax {

namespace fs = std::filesystem;

fs::path program_folder() {
    std::error_code error;
    return fs::canonical("/proc/self/exe", error).parent_path();
}

fs::path here_or_installed(const fs::path& path) {
    std::error_code error;
    if (path.is_absolute() || fs::exists(path, error)) return path;
    const fs::path installed = program_folder() / "../share/parallax" / path;
    return fs::exists(installed, error) ? fs::canonical(installed) : path;
}

}  // namespace parallax
