// Why is there no OpenCL or CUDA device here? Files, links and variables are looked at, and nothing
// is loaded: what a driver would only answer with a number is named with its cure.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

#include "common/device/device.hpp"
#include "common/process/job_place.hpp"

namespace parallax {

/// Whose rights count for device files.
struct FileUser {
    uid_t user = 0;
    std::vector<gid_t> groups = {};
};
/// The user of this process.
FileUser own_user();

/// The inspected system.
struct DoctorView {
    std::filesystem::path root = "/";  ///< all paths begin here: another system's files will do
    Variables variable;                ///< of the environment
    FileUser user = {};
};

/// Something that keeps devices away, or may.
struct DoctorFinding {
    std::string api;         ///< `OpenCL`, `CUDA`, `both`
    std::string name;        ///< a short name that stays: `icd-file-missing`
    std::string what;        ///< a sentence or two: what was seen, with its path
    std::string cure;        ///< the remedy
    bool keeps_away = true;  ///< false: worth knowing, but devices are there without it
};

/// The state of the system, as far as files show it.
struct DoctorReport {
    unsigned cards = 0;  ///< NVIDIA's, on the PCI bus; in a container that hides it, device files
    std::string driver;  ///< of the kernel module: `580.159.04`; empty: it is not loaded
    std::vector<DoctorFinding> findings;
    std::string clang = {};  ///< parser of CUDA C++: `clang 14.0.6`; may be empty

    bool keeps_away() const;
};

/// Inspects the system, and opens device files for a moment. Never throws when the system lacks
/// something.
DoctorReport look_for_causes(const DoctorView&);

/// A file that programs may get as OpenCL's loader.
struct OpenClLoader {
    std::filesystem::path file;
    bool knows_layers = false;  ///< it reads OPENCL_LAYERS, as `parallax capture` needs it
};
/// The loaders for this program's processor architecture, in the order in which the dynamic linker
/// searches: a program that names no folder gets the first.
std::vector<OpenClLoader> opencl_loaders(const DoctorView&);
/// The loader to put in front of the first, which does not support layers; empty: not needed, or
/// there is none.
std::filesystem::path loader_with_layers(const std::vector<OpenClLoader>&);

/// Once the devices are known: where OpenCL lists NVIDIA's although no file names its library (some
/// loaders know the name), that keeps nothing away.
void hold_against_devices(DoctorReport&, const std::vector<DeviceInfo>& listed);

/// The least version of the driver (its first number) that CUDA of this version runs on.
/// @param major  of the toolkit or of NVRTC; 0: not known
unsigned least_driver_for(unsigned major);

}  // namespace parallax
