// Results of compilers, stored in the user's files for later runs.
#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace parallax {

/// The folder `name` of this user's cache, for what compilers made. Empty: there is no place for
/// it, or the environment selects the compilers' caches (CUDA_CACHE_PATH, CUDA_CACHE_DISABLE).
std::filesystem::path compile_cache_folder(std::string_view name);

/// Files by their key. Thread-safe; several processes may use one folder.
class KeptFiles {
public:
    /// @param folder  empty: nothing is kept
    /// @param most  number of files; the older half is removed when there are more
    explicit KeptFiles(std::filesystem::path folder, std::size_t most = 20000);

    /// A key of all that a content depends on.
    static std::string key(std::initializer_list<std::string_view> parts);
    bool has(const std::string& key) const;
    std::optional<std::string> find(const std::string& key) const;
    /// Where it cannot be written, nothing is kept.
    void keep(const std::string& key, std::string_view content) const;

private:
    void remove_old() const;

    std::filesystem::path folder_;
    std::size_t most_;
};

}  // namespace parallax
