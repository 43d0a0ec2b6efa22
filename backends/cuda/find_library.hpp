// Locates NVIDIA's libraries.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <cuda_runtime_api.h>

namespace parallax::cuda {

/// The major version of the toolkit with which the program was built.
inline constexpr int built_major = CUDART_VERSION / 1000;

/// File names of a library, the most specific first: `libnvrtc.so.13`, `libnvrtc.so`, ...
std::vector<std::string> library_names(std::string_view stem);

/// Candidates in order: file names for the loader; then existing files in the program's tree, in
/// lib64 and lib of CUDA_PATH, in the toolkit with which the program was built, and in
/// /usr/local/cuda.
std::vector<std::string> library_files(std::string_view stem);

/// The value of an environment variable; empty: it is not set.
std::string environment(const char* name);

/// The library folders of the toolkit with which the program was built, separated by colons.
std::string_view toolkit_folders();

}  // namespace parallax::cuda
