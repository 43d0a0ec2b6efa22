// Queries the properties of an OpenCL device.
#include <fmt/format.h>

#include "backends/opencl/api.hpp"
#include "common/device/units.hpp"
#include "common/text/characters.hpp"

namespace parallax::opencl {
namespace {

// From the extensions' specifications (cl_ext.h); the bindings have no names for them.
constexpr cl_device_info device_uuid_khr = 0x106A;          // cl_khr_device_uuid
constexpr cl_device_info device_pci_bus_info_khr = 0x410F;  // cl_khr_pci_bus_info
constexpr cl_device_info compute_capability_major_nv = 0x4000, compute_capability_minor_nv = 0x4001;
constexpr cl_device_info pci_bus_id_nv = 0x4008, pci_slot_id_nv = 0x4009, warp_size_nv = 0x4003;

/// A property that a device may not support; then nothing.
template <class T>
std::optional<T> ask(const cl::Device& device, cl_device_info what) {
    T value{};
    std::size_t size = 0;
    if (clGetDeviceInfo(device(), what, sizeof value, &value, &size) != CL_SUCCESS ||
        size != sizeof value) {
        return {};
    }
    return value;
}

std::string pci_address(const cl::Device& device, std::string_view extensions) {
    struct Address {
        cl_uint domain, bus, device, function;
    };
    if (extensions.find("cl_khr_pci_bus_info") != std::string_view::npos) {
        if (const auto a = ask<Address>(device, device_pci_bus_info_khr)) {
            return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", a->domain, a->bus, a->device,
                               a->function);
        }
    }
    if (extensions.find("cl_nv_device_attribute_query") != std::string_view::npos) {
        const auto bus = ask<cl_uint>(device, pci_bus_id_nv);
        const auto slot = ask<cl_uint>(device, pci_slot_id_nv);
        if (bus && slot) return fmt::format("0000:{:02x}:{:02x}.{:x}", *bus, *slot >> 3, *slot & 7);
    }
    return {};
}

std::string plain_text(const std::string& text) {
    return std::string(trimmed(text, {" \0", 2}));
}

bool has_group_functions(const cl::Device& device) {
    const auto said = ask<cl_bool>(device, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT);
    if (said) return *said != 0;
    // Part of every 2.x, optional from 3.0 on, where the query above exists.
    const std::string version = device.getInfo<CL_DEVICE_VERSION>();
    return version.rfind("OpenCL 2", 0) == 0;
}

void add_features(DeviceInfo& info, const cl::Device& device, const std::string& extensions) {
    const auto has = [&](std::string_view name) {
        return extensions.find(name) != std::string::npos;
    };
    if (ask<cl_device_fp_config>(device, CL_DEVICE_DOUBLE_FP_CONFIG).value_or(0) != 0) {
        info.features.insert("double");
    }
    const auto single = ask<cl_device_fp_config>(device, CL_DEVICE_SINGLE_FP_CONFIG).value_or(0);
    if (single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) {
        info.features.insert("correctly_rounded_divide_sqrt");
    }
    if (device.getInfo<CL_DEVICE_IMAGE_SUPPORT>()) {
        info.features.insert("images");
        info.max_image_width = device.getInfo<CL_DEVICE_IMAGE2D_MAX_WIDTH>();
        info.max_image_height = device.getInfo<CL_DEVICE_IMAGE2D_MAX_HEIGHT>();
        // Needs OpenCL 1.2 or later.
        info.max_image_texels =
            ask<std::size_t>(device, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE).value_or(0);
    }
    if (has("cl_khr_fp16")) info.features.insert("half");
    if (has("cl_khr_subgroups")) info.features.insert("sub_groups");
    if (has("cl_nv_compiler_options")) {
        info.features.insert("ptx");
        add_units(info);
    }
    if (has_group_functions(device)) {
        info.features.insert("work_group_functions");
    } else if (info.has("ptx")) {
        // NVIDIA's driver says no, and its compiler takes them under CL3.0.
        info.unclaimed.insert("work_group_functions");
    }
}

}  // namespace

DeviceInfo describe(const cl::Platform& platform, const cl::Device& device) {
    DeviceInfo info;
    info.backend = "opencl";
    info.name = plain_text(device.getInfo<CL_DEVICE_NAME>());
    info.vendor = plain_text(device.getInfo<CL_DEVICE_VENDOR>());
    info.platform = plain_text(platform.getInfo<CL_PLATFORM_NAME>());
    info.api_version = plain_text(device.getInfo<CL_DEVICE_VERSION>());
    info.driver_version = plain_text(device.getInfo<CL_DRIVER_VERSION>());
    info.compiler_version = plain_text(device.getInfo<CL_DEVICE_OPENCL_C_VERSION>());
    const std::string extensions = device.getInfo<CL_DEVICE_EXTENSIONS>();
    const auto has = [&](std::string_view name) {
        return extensions.find(name) != std::string::npos;
    };
    if (has("cl_khr_device_uuid")) info.uuid = ask<Uuid>(device, device_uuid_khr);
    info.pci = pci_address(device, extensions);
    info.is_gpu = (device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_GPU) != 0;
    info.compute_units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
    info.clock_mhz = device.getInfo<CL_DEVICE_MAX_CLOCK_FREQUENCY>();
    info.memory_bytes = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
    info.max_allocation_bytes = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
    info.cache_bytes = device.getInfo<CL_DEVICE_GLOBAL_MEM_CACHE_SIZE>();
    info.local_bytes = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
    info.constant_bytes = device.getInfo<CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE>();
    info.max_group_items = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
    const auto most = device.getInfo<CL_DEVICE_MAX_WORK_ITEM_SIZES>();
    if (most.size() >= 3) info.max_items = {most[0], most[1], most[2]};
    info.timer_tick_seconds =
        1e-9 * static_cast<double>(device.getInfo<CL_DEVICE_PROFILING_TIMER_RESOLUTION>());
    info.unified_memory = device.getInfo<CL_DEVICE_HOST_UNIFIED_MEMORY>() != 0;
    if (const auto warp = ask<cl_uint>(device, warp_size_nv)) info.preferred_multiple = *warp;
    const auto major = ask<cl_uint>(device, compute_capability_major_nv);
    const auto minor = ask<cl_uint>(device, compute_capability_minor_nv);
    if (has("cl_nv_device_attribute_query") && major && minor) {
        info.compute_capability = fmt::format("{}.{}", *major, *minor);
    }
    add_features(info, device, extensions);
    return info;
}

}  // namespace parallax::opencl
