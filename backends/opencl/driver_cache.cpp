// Chooses the driver's cache folder, and the one of the reports.
#include "backends/opencl/driver_cache.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <unistd.h>

#include "common/process/process_folders.hpp"
#include "common/text/temporary_folder.hpp"

namespace parallax::opencl {
namespace {

namespace fs = std::filesystem;

bool choose_cache() {
    const char* path = std::getenv("CUDA_CACHE_PATH");
    const fs::path lasting = compile_cache_folder("opencl");
    const bool is_of_a_parent =
        path && fs::path(path).filename().string().starts_with(start_of_driver_cache);
    if (std::getenv("CUDA_CACHE_DISABLE") || (path && lasting.empty() && !is_of_a_parent)) {
        return false;
    }
    std::error_code trouble;
    if (!lasting.empty()) fs::create_directories(lasting, trouble);
    if (!lasting.empty() && !trouble && ::access(lasting.c_str(), W_OK) == 0) {
        setenv("CUDA_CACHE_PATH", lasting.c_str(), 1);
        return true;
    }
    try {
        static const TemporaryFolder folder(start_of_driver_cache);
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

const KeptFiles& build_reports() {
    static const KeptFiles reports(compile_cache_folder("opencl-reports"));
    return reports;
}

std::string report_key(const DeviceInfo& info, const std::string& text,
                       const std::string& options) {
    return KeptFiles::key({info.platform, info.name, info.driver_version, options, text});
}

}  // namespace parallax::opencl
