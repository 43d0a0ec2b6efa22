// Lists environment variables that drivers read.
#include "records/environment.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "common/process/mps.hpp"
#include "common/text/text.hpp"

namespace parallax {
namespace {

/// Prefixes of NVIDIA's drivers and libraries, AMD's, PoCL, Intel's OpenCL, and OpenCL's loaders.
constexpr std::array<std::string_view, 10> beginnings{
    "CUDA_", "CUBLAS_", "POCL_", "OCL_", "OPENCL_", "CL_", "GPU_", "AMD_", "ROCR_", "RUSTICL_"};
constexpr std::array<std::string_view, 4> whole_names{"NVIDIA_TF32_OVERRIDE", "LD_LIBRARY_PATH",
                                                      "LD_PRELOAD", "PARALLAX_GUARDS"};
constexpr std::size_t most_of_a_value = 1000;

/// The program's own cache folder, created for one run.
constexpr std::string_view own_cache = "/parallax-driver-cache-";

bool is_cuda(const DeviceRecord& where) {
    return where.backend == "cuda";
}
bool is_opencl(const DeviceRecord& where) {
    return where.backend == "opencl";
}
bool is_nvidia(const DeviceRecord& where) {
    return is_cuda(where) || where.vendor.find("NVIDIA") != std::string::npos;
}
bool is_pocl(const DeviceRecord& where) {
    return where.platform == "Portable Computing Language";
}
bool has_mps_share(const DeviceRecord& where) {
    return is_cuda(where) && where.settings.mps.value_or(false);
}

bool is_set(std::string_view value) {
    return !value.empty();
}
bool is_on(std::string_view value) {
    return !value.empty() && value != "0";
}
bool is_part(std::string_view value) {
    return !value.empty() && value != "100";
}
bool is_detour(std::string_view value) {
    return value == no_mps_folder;
}

/// A variable that affects times.
struct Effect {
    std::string_view name;
    bool (*is_read_for)(const DeviceRecord&);
    bool (*acts)(std::string_view value);
    std::string_view what;
    bool can_be_unset = true;
};
constexpr std::array effects{
    Effect{"CUDA_LAUNCH_BLOCKING", is_nvidia, is_on,
           "each launch waits for its end, through CUDA and through NVIDIA's OpenCL, and not "
           "equally long: times and ratios are not those of usual launches"},
    Effect{"CUDA_DEVICE_MAX_CONNECTIONS", is_cuda, is_set,
           "it sets how many queues the device has: commands of several streams may wait for each "
           "other"},
    Effect{"CUDA_FORCE_PTX_JIT", is_cuda, is_on, "the driver compiles all code again from its PTX"},
    Effect{"CUDA_INJECTION64_PATH", is_cuda, is_set,
           "a tool takes part in each call of CUDA while it is timed"},
    Effect{"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", has_mps_share, is_part,
           "CUDA gets this percentage of the multiprocessors (Multi-Process Service): times and "
           "ratios are those of a part of the device"},
    Effect{"CUDA_MPS_PIPE_DIRECTORY", is_nvidia, is_detour,
           "a daemon of NVIDIA's Multi-Process Service takes CUDA's work here, NVIDIA's OpenCL "
           "cannot create a context next to it, and this run bypassed it on both sides",
           false},
    Effect{"NVIDIA_TF32_OVERRIDE", is_cuda, is_set,
           "NVIDIA's libraries take TF32 as it says, and not as they are asked to"},
    Effect{"POCL_EXTRA_BUILD_FLAGS", is_pocl, is_set,
           "PoCL builds each kernel with these options, which no record names"},
    Effect{"POCL_WORK_GROUP_METHOD", is_pocl, is_set,
           "PoCL runs the work-items of a group by another method than its own choice"},
    Effect{"POCL_MAX_PTHREAD_COUNT", is_pocl, is_set, "PoCL uses no more threads than that"},
    Effect{"POCL_CPU_MAX_CU_COUNT", is_pocl, is_set, "PoCL uses no more threads than that"},
    Effect{"POCL_DEBUG", is_pocl, is_on, "PoCL prints what it does while it is timed"},
    Effect{"POCL_TRACING", is_pocl, is_set, "PoCL writes down each command while it is timed"},
    Effect{"OPENCL_LAYERS", is_opencl, is_set,
           "each call of OpenCL goes through these layers while it is timed"},
};

}  // namespace

std::map<std::string, std::string> measured_variables(const char* const* environment) {
    std::map<std::string, std::string> found;
    for (; environment && *environment; ++environment) {
        const std::string_view entry = *environment;
        const std::string_view name = entry.substr(0, entry.find('='));
        const auto begins = [&](std::string_view one) { return name.starts_with(one); };
        if (name.size() == entry.size() ||
            (std::ranges::none_of(beginnings, begins) &&
             std::ranges::find(whole_names, name) == whole_names.end())) {
            continue;
        }
        const std::string_view value = entry.substr(name.size() + 1);
        if (value.find(own_cache) != value.npos) continue;
        found.emplace(printable(name, 200), printable(value, most_of_a_value));
    }
    return found;
}

std::vector<std::string> environment_warnings(const RunInfo& run, const DeviceRecord& where) {
    std::vector<std::string> warnings;
    for (const Effect& one : effects) {
        const auto found = run.environment.find(std::string(one.name));
        if (found == run.environment.end() || !one.is_read_for(where) || !one.acts(found->second)) {
            continue;
        }
        warnings.push_back(
            fmt::format("{}={}: {}.", one.name, printable(found->second, 80), one.what));
        if (one.can_be_unset)
            warnings.back() += fmt::format(" To measure without it: unset {}.", one.name);
    }
    return warnings;
}

}  // namespace parallax
