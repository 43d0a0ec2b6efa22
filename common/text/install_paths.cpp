// Locates the program's own installation.
#include "common/text/install_paths.hpp"

namespace parallax {

namespace fs = std::filesystem;

fs::path program_folder() {
    std::error_code error;
    return fs::canonical("/proc/self/exe", error).parent_path();
}

fs::path here_or_installed(const fs::path& path) {
    std::error_code error;
    if (path.is_absolute() || fs::exists(path, error)) return path;
    const fs::path folder = program_folder();
    // A build folder has no installed tree, but is usually inside the sources; the program is in a
    // subfolder of it.
    const bool built = fs::exists(folder / "../build.ninja", error);
    const fs::path tree = built ? "../.." : "../share/parallax";
    const fs::path installed = folder / tree / path;
    return fs::exists(installed, error) ? fs::canonical(installed) : path;
}

}  // namespace parallax
