// Chooses the driver's cache folder, and keeps reports beside it.
#include "backends/opencl/driver_cache.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <vector>

#include <unistd.h>

#include "common/process/process_folders.hpp"
#include "common/text/hash.hpp"
#include "common/text/temporary_folder.hpp"

namespace parallax::opencl {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view start_of_name = "parallax-driver-cache-";

/// The user's folder; empty: there is no place for it.
fs::path lasting_folder() {
    const fs::path caches = user_cache_folder();
    return caches.empty() ? fs::path() : caches / "opencl";
}

/// Whether the folder belongs to the process that started this one.
bool is_of_a_parent(const fs::path& path) {
    return path == lasting_folder() || path.filename().string().starts_with(start_of_name);
}

bool choose_cache() {
    const char* path = std::getenv("CUDA_CACHE_PATH");
    if (std::getenv("CUDA_CACHE_DISABLE") || (path && !is_of_a_parent(path))) return false;
    const fs::path lasting = lasting_folder();
    std::error_code trouble;
    if (!lasting.empty()) fs::create_directories(lasting, trouble);
    if (!lasting.empty() && !trouble && ::access(lasting.c_str(), W_OK) == 0) {
        setenv("CUDA_CACHE_PATH", lasting.c_str(), 1);
        return true;
    }
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

BuildReports::BuildReports(fs::path folder, std::size_t most)
    : folder_(std::move(folder)), most_(most) {}

const BuildReports& BuildReports::of_user() {
    static const BuildReports reports(lasting_folder().empty() ? fs::path()
                                                               : lasting_folder() / "reports");
    return reports;
}

std::string BuildReports::key(const DeviceInfo& info, const std::string& text,
                              const std::string& options) {
    Hasher hasher;
    for (const std::string& part :
         {info.platform, info.name, info.driver_version, options, text}) {
        hasher.add(std::as_bytes(std::span(part)));
        hasher.add(std::as_bytes(std::span("\n")));
    }
    return hasher.digits();
}

bool BuildReports::has(const std::string& key) const {
    std::error_code ignored;
    return !folder_.empty() && fs::exists(folder_ / key, ignored);
}

std::optional<std::string> BuildReports::find(const std::string& key) const {
    if (folder_.empty()) return {};
    std::ifstream file(folder_ / key, std::ios::binary);
    if (!file) return {};
    return std::string(std::istreambuf_iterator<char>(file), {});
}

void BuildReports::keep(const std::string& key, const std::string& report) const {
    if (folder_.empty() || has(key)) return;
    std::error_code trouble;
    fs::create_directories(folder_, trouble);
    // Whole or not at all, whoever else writes or reads it.
    const fs::path part = folder_ / (start_of_process_folder("parallax-report-") + key);
    if (!(std::ofstream(part, std::ios::binary) << report).flush()) return;
    fs::rename(part, folder_ / key, trouble);
    if (trouble) fs::remove(part, trouble);
    if (key.starts_with('0')) remove_old();
}

void BuildReports::remove_old() const {
    std::error_code trouble;
    std::vector<std::pair<fs::file_time_type, fs::path>> files;
    for (const fs::directory_entry& one : fs::directory_iterator(folder_, trouble)) {
        files.emplace_back(one.last_write_time(trouble), one.path());
    }
    if (files.size() <= most_) return;
    std::ranges::sort(files);
    for (std::size_t i = 0; i < files.size() / 2; ++i) fs::remove(files[i].second, trouble);
}

}  // namespace parallax::opencl
