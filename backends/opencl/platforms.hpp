// Finds out which OpenCL platforms are safe to load: a crashing one must not end the program.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/process/look_apart.hpp"

namespace parallax::opencl {

/// A file that registers a platform with the ICD loader.
struct Icd {
    std::string file;     ///< `pocl.icd`
    std::string library;  ///< its first line: `libpocl.so.2`
};

/// The drivers that the loader loads at the first call of OpenCL, in the order of the files' names:
/// from OCL_ICD_VENDORS (a folder, such a file, or a library), OPENCL_VENDOR_PATH or
/// /etc/OpenCL/vendors and icds_of_prefix() of the program's own.
std::vector<Icd> installed_icds();

/// The drivers that packages installed below a prefix, as pip does: files in etc/OpenCL/vendors. A
/// library that is not at the path that its file names is in the prefix's lib, or it is left out.
std::vector<Icd> icds_of_prefix(const std::filesystem::path& prefix);

/// While one lives, the loader finds only these drivers.
class OnlyIcds {
public:
    /// @throws Error when their folder cannot be created
    explicit OnlyIcds(const std::vector<Icd>&);
    ~OnlyIcds();
    OnlyIcds(const OnlyIcds&) = delete;
    OnlyIcds& operator=(const OnlyIcds&) = delete;

private:
    std::filesystem::path folder_;
    std::optional<std::string> before_;  ///< OCL_ICD_VENDORS
};

/// The usable ones of the installed platforms.
struct Harmless {
    /// The drivers to be loaded; nothing: all that are installed.
    std::optional<std::vector<Icd>> icds;
    std::vector<std::string> left_out;  ///< why, a sentence or two each
};

/// Tries `look`, which calls OpenCL for the first time, with all platforms, and after a failure
/// with each of them alone. This process itself calls nothing.
/// @param together, alone  time limits, with several of them and with one
Harmless harmless_icds(const std::function<void()>& look, std::chrono::milliseconds together,
                       std::chrono::milliseconds alone);

}  // namespace parallax::opencl
