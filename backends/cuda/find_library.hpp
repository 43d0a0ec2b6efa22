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

/// The folders with CUDA's own headers (`cuda_fp16.h`, and CCCL's), of the first toolkit or Python
/// package that has them: next to a loaded library, then as library_files(). Empty: none.
/// @param library  path of a library of the toolkit, such as NVRTC's; may be empty
std::vector<std::string> header_folders(const std::string& library);

/// The value of an environment variable; empty: it is not set.
std::string environment(const char* name);

/// The library folders of the toolkit with which the program was built, separated by colons.
std::string_view toolkit_folders();

}  // namespace parallax::cuda
