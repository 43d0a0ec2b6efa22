// Which OpenCL platforms may be looked at: one that dies must not take the program along.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/process/look_apart.hpp"

namespace parallax::opencl {

/// A file that tells the ICD loader of a platform.
struct Icd {
    std::string file;     ///< `pocl.icd`
    std::string library;  ///< its first line: `libpocl.so.2`
};

/// What the loader loads at the first call of OpenCL, in the order of the files' names: of
/// OCL_ICD_VENDORS (a folder, such a file, or a library), OPENCL_VENDOR_PATH or
/// /etc/OpenCL/vendors.
std::vector<Icd> installed_icds();

/// As long as one lives, the loader finds these and no others.
class OnlyIcds {
public:
    /// @throws Error when no folder can be made for them
    explicit OnlyIcds(const std::vector<Icd>&);
    ~OnlyIcds();
    OnlyIcds(const OnlyIcds&) = delete;
    OnlyIcds& operator=(const OnlyIcds&) = delete;

private:
    std::filesystem::path folder_;
    std::optional<std::string> before_;  ///< OCL_ICD_VENDORS
};

/// What of the installed platforms is of use.
struct Harmless {
    /// Those to be loaded; nothing: all that are installed.
    std::optional<std::vector<Icd>> icds;
    std::vector<std::string> left_out;  ///< why, a sentence or two each
};

/// Tries `look`, which is to call OpenCL for the first time, with all platforms, and only where
/// that ends badly with each of them alone. This process calls nothing.
/// @param together, alone  what a look may take: at several of them, at one
Harmless harmless_icds(const std::function<void()>& look, std::chrono::milliseconds together,
                       std::chrono::milliseconds alone);

}  // namespace parallax::opencl
