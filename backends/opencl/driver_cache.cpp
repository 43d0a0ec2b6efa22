// Makes the folder, and removes it at the end.
#include "backends/opencl/driver_cache.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include <unistd.h>

namespace parallax::opencl {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view start_of_name = "parallax-driver-cache-";

class OwnFolder {
public:
    OwnFolder() {
        std::error_code error;
        path_ = (fs::temp_directory_path(error) / start_of_name).string() + "XXXXXX";
        if (error || !mkdtemp(path_.data())) path_.clear();
    }
    OwnFolder(const OwnFolder&) = delete;
    OwnFolder& operator=(const OwnFolder&) = delete;
    ~OwnFolder() {
        std::error_code error;
        // A child that was forked off is not the one who made it.
        if (!path_.empty() && getpid() == maker_) fs::remove_all(path_, error);
    }
    const std::string& path() const { return path_; }

private:
    pid_t maker_ = getpid();
    std::string path_;  ///< empty: it could not be made
};

/// Whether the folder is that of the process that started this one.
bool is_of_a_parent(std::string_view path) {
    return fs::path(path).filename().string().starts_with(start_of_name);
}

bool choose_cache() {
    const char* path = std::getenv("CUDA_CACHE_PATH");
    if (std::getenv("CUDA_CACHE_DISABLE") || (path && !is_of_a_parent(path))) return false;
    static const OwnFolder folder;
    if (folder.path().empty()) {
        setenv("CUDA_CACHE_DISABLE", "1", 1);
        return false;
    }
    setenv("CUDA_CACHE_PATH", folder.path().c_str(), 1);
    return true;
}

}  // namespace

bool use_own_driver_cache() {
    // Once: other threads may read the environment later.
    static const bool is_own = choose_cache();
    return is_own;
}

}  // namespace parallax::opencl
