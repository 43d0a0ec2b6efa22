// `parallax run --all-devices`: every GPU of this machine at once, a process and a file for each.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "common/device/devices.hpp"

namespace parallax::cli {

/// One physical device and the process that runs on it.
struct DeviceProcess {
    std::string name;                ///< `cuda:1, opencl:1 (NVIDIA H200)`
    std::filesystem::path file;      ///< `FOLDER/HOST-UUID.jsonl`
    std::string uuid;                ///< 32 hex digits; empty: it has none
    std::vector<std::string> words;  ///< of its command line
};

/// A process for each physical device: GPUs where there are any.
/// @param words  of this command line; -o, -d and --all-devices in it are replaced
std::vector<DeviceProcess> device_processes(const std::vector<Entry>&,
                                            const std::vector<std::string>& words,
                                            const std::filesystem::path& folder,
                                            const std::string& host);

/// Starts them all at once, and prints what each printed when all have ended. The folder gets a
/// list of what to expect, `expect.txt`, so that a file that is missing is missed.
/// @param with_names  a line with the device goes before what its process printed
/// @returns the worst of their exit codes
/// @throws UsageError when the folder cannot be made; Interrupted
int run_all_devices(const std::vector<DeviceProcess>&, const std::filesystem::path& folder,
                    const std::string& host, bool quiet, bool with_names, CommandContext&);

}  // namespace parallax::cli
