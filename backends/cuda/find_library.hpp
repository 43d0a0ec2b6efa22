// Where NVIDIA's libraries are looked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <cuda_runtime_api.h>

namespace parallax::cuda {

/// The major version of the toolkit that the program was built with.
inline constexpr int built_major = CUDART_VERSION / 1000;

/// File names of a library, the most fitting first: `libnvrtc.so.13`, `libnvrtc.so`, ...
std::vector<std::string> library_names(std::string_view stem);

/// Where to look for it, in order: file names for the loader; then the files that are there, in the
/// tree that the program lies in, lib64 and lib of CUDA_PATH, the toolkit that the program was
/// built with and /usr/local/cuda.
std::vector<std::string> library_files(std::string_view stem);

/// The value of an environment variable; empty: it is not set.
std::string environment(const char* name);

/// The library folders of the toolkit that the program was built with, separated by colons.
std::string_view toolkit_folders();

}  // namespace parallax::cuda
