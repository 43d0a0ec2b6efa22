// Implements `parallax run --all-devices`: one process and result file for each GPU.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "common/device/devices.hpp"

namespace parallax::cli {

/// A physical device and the process that measures it.
struct DeviceProcess {
    std::string name;                ///< `cuda:1, opencl:1 (NVIDIA H200)`
    fs::path file;                   ///< `FOLDER/HOST-UUID.jsonl`
    std::string uuid;                ///< 32 hex digits; may be empty
    std::vector<std::string> words;  ///< of its command line
};

/// One process for each physical device: GPUs where there are any.
/// @param words  of this command line; -o, -d and --all-devices in it are replaced
std::vector<DeviceProcess> device_processes(const std::vector<Entry>&,
                                            const std::vector<std::string>& words,
                                            const fs::path& folder, const std::string& host);

/// Starts all processes concurrently, and prints their outputs when all have ended. The folder gets
/// a list of the expected files, `expect.txt`, so that missing ones are noticed.
/// @param with_names  prints the device's name before each output
/// @returns the worst of their exit codes
/// @throws UsageError when the folder cannot be created; Interrupted
int run_all_devices(const std::vector<DeviceProcess>&, const fs::path& folder,
                    const std::string& host, bool quiet, bool with_names, CommandContext&);

}  // namespace parallax::cli
