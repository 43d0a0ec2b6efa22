// Creates the cache folder, and removes it at exit.
#include "backends/opencl/driver_cache.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "common/text/temporary_folder.hpp"

namespace parallax::opencl {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view start_of_name = "parallax-driver-cache-";

/// Whether the folder belongs to the process that started this one.
bool is_of_a_parent(std::string_view path) {
    return fs::path(path).filename().string().starts_with(start_of_name);
}

bool choose_cache() {
    const char* path = std::getenv("CUDA_CACHE_PATH");
    if (std::getenv("CUDA_CACHE_DISABLE") || (path && !is_of_a_parent(path))) return false;
    try {
        static const TemporaryFolder folder(start_of_name);
        setenv("CUDA_CACHE_PATH", folder.path().c_str(), 1);
        return true;
    } catch (const std::exception&) {
        setenv("CUDA_CACHE_DISABLE", "1", 1);
        return false;
    }
}

}  // namespace

bool use_own_driver_cache() {
    // Only once: other threads may read the environment later.
    static const bool is_own = choose_cache();
    return is_own;
}

}  // namespace parallax::opencl
