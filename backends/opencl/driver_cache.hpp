// What earlier builds left: NVIDIA's compiled code, and the compiler's reports on it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "common/device/device_info.hpp"

namespace parallax::opencl {

/// Gives NVIDIA's driver a folder of this program for its cache of compiled code: one of the user
/// that later runs find again, or without a place for it one that is removed when the process ends.
/// A build out of a cache takes milliseconds, and a context opens in a tenth of the time without
/// one (0.12 against 1.4 to 2.1 s on an H100). Must be called before the first call of the loader.
/// Does nothing where the environment selects a cache (CUDA_CACHE_PATH, CUDA_CACHE_DISABLE).
/// @returns whether the cache is this program's
bool use_own_driver_cache();

/// The compiler's reports, such as registers and spills, one file each. A driver that finds a
/// program in its cache prints none, so the one of the first build is kept. Thread-safe; several
/// processes may use one folder.
class BuildReports {
public:
    /// @param folder  empty: nothing is kept
    /// @param most  number of files; the older half is removed when there are more
    explicit BuildReports(std::filesystem::path folder, std::size_t most = 20000);
    /// Those of this user, beside the driver's cache.
    static const BuildReports& of_user();

    static std::string key(const DeviceInfo&, const std::string& text, const std::string& options);
    bool has(const std::string& key) const;
    std::optional<std::string> find(const std::string& key) const;
    /// Where it cannot be written, nothing is kept.
    void keep(const std::string& key, const std::string& report) const;

private:
    void remove_old() const;

    std::filesystem::path folder_;
    std::size_t most_;
};

}  // namespace parallax::opencl
