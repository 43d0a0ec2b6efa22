// Finds the MPS daemon's pipe, and asks NVML for the compute mode of the devices.
#include "common/process/mps.hpp"

#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "common/device/loaded_library.hpp"

namespace parallax {
namespace {

std::string& gone_round() {
    static std::string folder;
    return folder;
}

/// Whether a device is in exclusive-process mode: the daemon is then its only process.
bool has_exclusive_device() {
    // Declared after NVIDIA's NVML API reference: not every toolkit has nvml.h.
    LibraryFunctions nvml = nvml_functions();
    int (*const init)() = nvml["nvmlInit_v2"];
    int (*const leave)() = nvml["nvmlShutdown"];
    int (*const count)(unsigned*) = nvml["nvmlDeviceGetCount_v2"];
    int (*const device)(unsigned, void**) = nvml["nvmlDeviceGetHandleByIndex_v2"];
    int (*const mode)(void*, unsigned*) = nvml["nvmlDeviceGetComputeMode"];
    if (!init || !leave || !count || !device || !mode || init() != 0) return false;
    constexpr unsigned exclusive_thread = 1, exclusive_process = 3;
    unsigned devices = 0;
    bool found = false;
    if (count(&devices) != 0) devices = 0;
    for (unsigned i = 0; i < devices; ++i) {
        void* handle = nullptr;
        unsigned now = 0;
        if (device(i, &handle) != 0 || mode(handle, &now) != 0) continue;
        found |= now == exclusive_thread || now == exclusive_process;
    }
    leave();
    return found;
}

/// Whether the daemon limits CUDA in this process to a part of the device.
bool has_share() {
    for (const char* const name : {mps_share_variable, "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT"}) {
        const char* const value = std::getenv(name);
        if (value && *value && std::string_view(value) != "100") return true;
    }
    return false;
}

}  // namespace

std::filesystem::path mps_folder(const char* named) {
    return named && *named ? named : "/tmp/nvidia-mps";
}

std::filesystem::path mps_pipe(const char* named) {
    return mps_folder(named) / "control";
}

bool has_mps() {
    std::error_code error;
    return std::filesystem::exists(mps_pipe(std::getenv(mps_variable)), error);
}

std::string mps_advice() {
    return fmt::format(
        "A daemon of NVIDIA's Multi-Process Service takes CUDA's work here, and NVIDIA's OpenCL "
        "cannot create a context next to it. With {}={} a process bypasses it, on a device whose "
        "compute mode allows that (nvidia-smi -q -d COMPUTE: Default).",
        mps_variable, no_mps_folder);
}

void go_round_mps() {
    if (!has_mps() || has_share() || has_exclusive_device()) return;
    const char* const named = std::getenv(mps_variable);
    gone_round() = mps_folder(named).string();
    setenv(mps_variable, no_mps_folder, 1);
}

const std::string& mps_gone_round() {
    return gone_round();
}

}  // namespace parallax
