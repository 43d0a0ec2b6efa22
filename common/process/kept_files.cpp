// Writes files whole or not at all, and removes old ones.
#include "common/process/kept_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "common/process/process_folders.hpp"
#include "common/text/hash.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

}  // namespace

fs::path compile_cache_folder(std::string_view name) {
    const fs::path caches = user_cache_folder();
    const char* path = std::getenv("CUDA_CACHE_PATH");
    // A path that this program or its parent has set does not select a cache.
    const bool is_own = !path || (!caches.empty() && fs::path(path).parent_path() == caches) ||
                        fs::path(path).filename().string().starts_with(start_of_driver_cache);
    if (caches.empty() || !is_own || std::getenv("CUDA_CACHE_DISABLE")) return {};
    return caches / name;
}

KeptFiles::KeptFiles(fs::path folder, std::size_t most) : folder_(std::move(folder)), most_(most) {}

std::string KeptFiles::key(std::initializer_list<std::string_view> parts) {
    Hasher hasher;
    for (const std::string_view part : parts) {
        const std::uint64_t bytes = part.size();
        hasher.add(std::as_bytes(std::span(&bytes, 1)));
        hasher.add(std::as_bytes(std::span(part)));
    }
    return hasher.digits();
}

bool KeptFiles::has(const std::string& key) const {
    std::error_code ignored;
    return !folder_.empty() && fs::exists(folder_ / key, ignored);
}

std::optional<std::string> KeptFiles::find(const std::string& key) const {
    if (folder_.empty()) return {};
    std::ifstream file(folder_ / key, std::ios::binary);
    if (!file) return {};
    return std::string(std::istreambuf_iterator<char>(file), {});
}

void KeptFiles::keep(const std::string& key, std::string_view content) const {
    if (folder_.empty() || has(key)) return;
    std::error_code trouble;
    fs::create_directories(folder_, trouble);
    const fs::path part = folder_ / (start_of_process_folder("parallax-part-") + key);
    if (!(std::ofstream(part, std::ios::binary) << content).flush()) return;
    fs::rename(part, folder_ / key, trouble);
    if (trouble) fs::remove(part, trouble);
    if (key.starts_with('0')) remove_old();
}

void KeptFiles::remove_old() const {
    std::error_code trouble;
    std::vector<std::pair<fs::file_time_type, fs::path>> files;
    for (const fs::directory_entry& one : fs::directory_iterator(folder_, trouble)) {
        files.emplace_back(one.last_write_time(trouble), one.path());
    }
    if (files.size() <= most_) return;
    std::ranges::sort(files);
    for (std::size_t i = 0; i < files.size() / 2; ++i) fs::remove(files[i].second, trouble);
}

}  // namespace parallax
