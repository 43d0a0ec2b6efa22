// Passes the settings of `parallax capture` to the layer through environment variables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace parallax::capture {

struct Settings {
    std::string folder;        ///< output folder; empty: nothing is captured
    bool timeline = false;     ///< times only, no contents
    bool no_data = false;      ///< hashes in place of contents
    bool no_binaries = false;  ///< creating programs from binaries fails with CL_INVALID_BINARY
    std::vector<std::string> kernels;  ///< to be kept; empty: all
    std::uint64_t launch = 0;          ///< the number of the only launch to keep, from 1; 0: any
    std::uint64_t first = 0;           ///< number of launches to consider; 0: all
    std::uint64_t per_kernel = 4;      ///< kinds of launches to keep per kernel
    std::uint64_t max_bytes = std::uint64_t{1} << 30;  ///< of contents, compressed
};

/// The environment variables.
inline constexpr const char* folder_variable = "PARALLAX_CAPTURE_FOLDER";
inline constexpr const char* settings_variable = "PARALLAX_CAPTURE_SETTINGS";

/// Encoded as one word: `timeline=1,per_kernel=4,kernel=f,kernel=g`.
std::string to_word(const Settings&);
/// From the environment of this process.
Settings settings_from_environment();

}  // namespace parallax::capture
