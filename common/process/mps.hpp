// NVIDIA's Multi-Process Service: whether its daemon takes CUDA's work here, and how a process goes
// round it.
#pragma once

#include <filesystem>
#include <string>

namespace parallax {

/// Names where a process looks for the daemon's pipes.
inline constexpr const char* mps_variable = "CUDA_MPS_PIPE_DIRECTORY";
/// The share of the multiprocessors that the daemon gives to CUDA in a process, in percent.
inline constexpr const char* mps_share_variable = "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE";
/// What `mps_variable` says in a process that goes round the daemon: there is no such folder.
inline constexpr const char* no_mps_folder = "/nonexistent/no-mps";

/// Where a process looks for the daemon's pipes. @param named  by mps_variable; null: it is not set
std::filesystem::path mps_folder(const char* named);
/// What the daemon listens at.
std::filesystem::path mps_pipe(const char* named);
/// Whether a daemon listens where this process looks for it.
bool has_mps();

/// What NVIDIA's OpenCL has to do with a daemon, and what else can be done, in two sentences.
std::string mps_advice();

/// Where a daemon listens and nothing is lost, has this process and those that it starts go round
/// it, since NVIDIA's OpenCL makes no context where one listens. It stays where the process has a
/// share of the device, or where a device takes one process alone. To be called while there is one
/// thread, before the first call of a driver.
void go_round_mps();
/// Where the daemon listens that this process goes round; empty: it goes round none.
const std::string& mps_gone_round();

}  // namespace parallax
