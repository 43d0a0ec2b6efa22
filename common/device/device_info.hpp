// Properties of a device as its driver reports them, and the launch configuration.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace parallax {

/// Three extents; unused ones are 1.
struct Size {
    std::uint64_t x = 1, y = 1, z = 1;
    constexpr std::uint64_t product() const { return x * y * z; }
    bool operator==(const Size&) const = default;
};

/// The launch configuration. OpenCL counts work-items, CUDA work-groups: both factors are given.
struct Geometry {
    Size groups;  ///< work-groups / blocks per dimension
    Size items;   ///< work-items / threads per work-group and dimension
    bool operator==(const Geometry&) const = default;
};
/// Work-items of all work-groups, as a double: the product may exceed 64 bits.
constexpr double work_items(const Geometry& geometry) {
    double all = 1;
    for (const Size& size : {geometry.groups, geometry.items}) {
        for (const std::uint64_t extent : {size.x, size.y, size.z}) {
            all *= static_cast<double>(extent);
        }
    }
    return all;
}

/// The feature of devices whose work-groups can wait for each other.
inline constexpr const char* cooperative_launches = "cooperative_launches";

using Uuid = std::array<std::uint8_t, 16>;

/// Properties of a device. Sizes are in bytes; an empty string or optional: not reported.
struct DeviceInfo {
    std::string backend;  ///< `opencl`, `cuda`, ...
    unsigned index = 0;   ///< within the backend: `backend:index` names the device
    std::string name;
    std::string vendor;
    std::string platform;     ///< OpenCL's platform; CUDA's runtime
    std::string api_version;  ///< of the API that the device offers
    std::string driver_version;
    std::string compiler_version;  ///< of the run-time compiler
    std::optional<Uuid> uuid;
    std::string pci;  ///< `domain:bus:device.function`, lower-case hex, as `0000:9b:00.0`
    std::string compute_capability;  ///< `9.0`
    bool is_gpu = false;
    std::uint32_t compute_units = 0;  ///< compute units / multiprocessors
    std::uint32_t clock_mhz = 0;
    std::uint64_t memory_bytes = 0;
    std::uint64_t max_allocation_bytes = 0;
    std::uint64_t cache_bytes = 0;  ///< of the last level
    std::uint64_t local_bytes = 0;  ///< local (shared) memory that one work-group can have
    std::uint64_t constant_bytes = 0;
    std::uint64_t max_group_items = 0;
    Size max_items;            ///< of one work-group, in each dimension
    Size max_groups{0, 0, 0};  ///< of one launch, in each dimension; 0: not stated
    std::uint64_t max_image_width = 0, max_image_height = 0;  ///< of two dimensions; 0: it has none
    std::uint64_t max_image_texels = 0;                       ///< of one dimension; 0: it has none
    std::uint32_t preferred_multiple = 0;                     ///< warp size, or what comes nearest
    double timer_tick_seconds = 0;                            ///< resolution of the device's timer
    bool unified_memory = false;
    /// A device for verification only: never timed, used only when selected by name.
    bool only_checks = false;
    /// Optional features: `double`, `half`, `images`, `work_group_functions`,
    /// `correctly_rounded_divide_sqrt`, `ptx`, ...
    std::set<std::string, std::less<>> features;

    /// Features that the driver does not report; its compiler may support them: a build shows.
    std::set<std::string, std::less<>> unclaimed;

    /// `backend:index`
    std::string id() const;
    bool has(std::string_view feature) const { return features.contains(feature); }
    /// Whether it is the processor, through PoCL.
    bool is_pocl() const { return platform == "Portable Computing Language"; }
};

}  // namespace parallax
