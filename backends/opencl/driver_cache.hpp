// The results of earlier builds: NVIDIA's compiled code, and the compiler's reports on it.
#pragma once

#include <string>

#include "common/device/device_info.hpp"
#include "common/process/kept_files.hpp"

namespace parallax::opencl {

/// Gives NVIDIA's driver a folder of this program for its cache of compiled code: one of the user
/// that later runs find again, or without a place for it one that is removed when the process ends.
/// A build out of a cache takes milliseconds, and a context opens in a tenth of the time without
/// one (0.12 against 1.4 to 2.1 s on an H100). Must be called before the first call of the loader.
/// Does nothing where the environment selects a cache (CUDA_CACHE_PATH, CUDA_CACHE_DISABLE).
/// @returns whether the cache is this program's
bool use_own_driver_cache();

/// The compiler's reports of this user's builds, such as registers and spills. A driver that finds
/// a program in its cache prints none.
const KeptFiles& build_reports();
std::string report_key(const DeviceInfo&, const std::string& text, const std::string& options);

}  // namespace parallax::opencl
