// NVIDIA's Multi-Process Service: detects its daemon, and lets a process bypass it.
#pragma once

#include <filesystem>
#include <string>

namespace parallax {

/// Environment variable with the folder of the daemon's pipes.
inline constexpr const char* mps_variable = "CUDA_MPS_PIPE_DIRECTORY";
/// Environment variable with the percentage of multiprocessors for CUDA in a process.
inline constexpr const char* mps_share_variable = "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE";
/// The value of `mps_variable` in a process that bypasses the daemon: the folder does not exist.
inline constexpr const char* no_mps_folder = "/nonexistent/no-mps";

/// The folder of the daemon's pipes. @param named  by mps_variable; null: it is not set
std::filesystem::path mps_folder(const char* named);
/// The daemon's control pipe.
std::filesystem::path mps_pipe(const char* named);
/// Whether a daemon listens at this process' folder.
bool has_mps();

/// Why NVIDIA's OpenCL fails under a daemon, and the remedies, in two sentences.
std::string mps_advice();

/// Makes this process and its children bypass a daemon where that loses nothing, since NVIDIA's
/// OpenCL cannot create a context under one. The daemon stays in use where the process has a share
/// of the device, or a device is in exclusive-process mode. Must be called while there is one
/// thread, before the first call of a driver.
void go_round_mps();
/// The folder of the bypassed daemon; empty: none is bypassed.
const std::string& mps_gone_round();

}  // namespace parallax
