// What `parallax capture` tells the layer, by variables of the environment.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace parallax::capture {

struct Settings {
    std::string folder;                ///< that is written; empty: nothing is captured
    bool timeline = false;             ///< times only, no contents
    bool no_binaries = false;          ///< programs made of binaries are answered CL_INVALID_BINARY
    std::vector<std::string> kernels;  ///< that are kept; empty: all
    std::uint64_t launch = 0;          ///< the one launch that is kept, counted from 1; 0: any
    std::uint64_t first = 0;           ///< only so many launches are looked at; 0: all
    std::uint64_t per_kernel = 4;      ///< kinds of launches that are kept of a kernel
    std::uint64_t max_bytes = std::uint64_t{1} << 30;  ///< of contents, packed
};

/// The variables that say so, as `NAME=VALUE` pairs.
inline constexpr const char* folder_variable = "PARALLAX_CAPTURE_FOLDER";
inline constexpr const char* settings_variable = "PARALLAX_CAPTURE_SETTINGS";

/// As one word: `timeline=1,per_kernel=4,kernel=f,kernel=g`.
std::string to_word(const Settings&);
/// From the environment of this process.
Settings settings_from_environment();

}  // namespace parallax::capture
