// Finds CUDA devices, and explains why there are none.
#include "backends/cuda/cuda_backend.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "backends/cuda/compile.hpp"
#include "backends/cuda/cuda_device.hpp"
#include "backends/cuda/nvrtc.hpp"
#include "common/device/loaded_library.hpp"
#include "common/device/ptxas.hpp"
#include "common/device/units.hpp"
#include "common/error.hpp"

namespace parallax {
namespace cuda {
namespace {

/// Converts 13000 to 13.0.
std::string version_of(int number) {
    return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

/// The driver's own version, as `580.82.07`; the runtime only knows its CUDA version. Empty when
/// neither the kernel module nor NVML has it.
std::string driver_version() {
    std::string version;
    if (std::ifstream("/sys/module/nvidia/version") >> version) return version;
    // Declared after NVIDIA's NVML API reference: not every toolkit has nvml.h.
    LibraryFunctions nvml = nvml_functions();
    int (*const init)() = nvml["nvmlInit_v2"];
    int (*const ask)(char*, unsigned) = nvml["nvmlSystemGetDriverVersion"];
    int (*const leave)() = nvml["nvmlShutdown"];
    if (init && ask && leave && init() == 0) {
        char text[80] = "";
        if (ask(text, sizeof text) == 0) version = text;
        leave();
    }
    return version;
}

/// Why the runtime finds no devices, and what to do.
std::string why_none(cudaError_t code) {
    constexpr int major = CUDART_VERSION / 1000;
    int driver = 0;
    cudaDriverGetVersion(&driver);
    cudaGetLastError();
    const std::string call = describe(code, "cudaGetDeviceCount");
    if (code == cudaErrorInsufficientDriver || code == cudaErrorStubLibrary) {
        if (driver == 0 || code == cudaErrorStubLibrary) {
            return fmt::format(
                "No NVIDIA driver is here ({} {}). Install one for CUDA {} or newer, and in a "
                "container pass the device and the driver through (docker run --gpus all); "
                "`nvidia-smi` then lists the devices.",
                cudaGetErrorName(code), static_cast<int>(code), major);
        }
        return fmt::format(
            "The NVIDIA driver supports CUDA {}, and this program needs {} or newer ({} {}). "
            "Install "
            "a newer driver, or build the program with a CUDA {} toolkit (-Dtoolkit_root=).",
            version_of(driver), version_of(CUDART_VERSION), cudaGetErrorName(code),
            static_cast<int>(code), driver / 1000);
    }
    if (code == cudaErrorNoDevice) {
        return "The NVIDIA driver sees no device. See whether `nvidia-smi` lists one, and whether "
               "the environment variable CUDA_VISIBLE_DEVICES hides it.";
    }
    return call + " See whether `nvidia-smi` lists the devices.";
}

cudaError_t describe_device(int ordinal, DeviceInfo& info) {
    cudaDeviceProp p{};
    if (const cudaError_t code = cudaGetDeviceProperties(&p, ordinal)) return code;
    // Unknown values of these two stay empty. The clock frequency is no property since CUDA 13.
    char pci[32] = "";
    if (cudaDeviceGetPCIBusId(pci, sizeof pci, ordinal) != cudaSuccess) pci[0] = '\0';
    int kilohertz = 0;
    if (cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, ordinal) != cudaSuccess) {
        kilohertz = 0;
    }
    cudaGetLastError();
    const auto size = [](auto value) { return static_cast<std::uint64_t>(value); };
    const auto extents = [&](const int(&v)[3]) { return Size{size(v[0]), size(v[1]), size(v[2])}; };

    info.backend = "cuda";
    info.name = p.name;
    info.vendor = "NVIDIA Corporation";
    Uuid uuid;
    static_assert(sizeof uuid == sizeof p.uuid.bytes);
    std::memcpy(uuid.data(), p.uuid.bytes, sizeof uuid);
    info.uuid = uuid;
    info.pci = pci;
    std::ranges::transform(info.pci, info.pci.begin(), [](char c) {
        return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    info.compute_capability = fmt::format("{}.{}", p.major, p.minor);
    info.is_gpu = true;
    info.compute_units = static_cast<std::uint32_t>(p.multiProcessorCount);
    info.clock_mhz = static_cast<std::uint32_t>(kilohertz / 1000);
    info.memory_bytes = p.totalGlobalMem;
    // CUDA has no limit for one allocation below the total.
    info.max_allocation_bytes = p.totalGlobalMem;
    info.cache_bytes = size(p.l2CacheSize);
    // Static arrays are limited to 48 KB; a dynamic parameter can use all of this.
    info.local_bytes = std::max(p.sharedMemPerBlock, p.sharedMemPerBlockOptin);
    info.constant_bytes = p.totalConstMem;
    info.max_group_items = size(p.maxThreadsPerBlock);
    info.max_items = extents(p.maxThreadsDim);
    info.max_groups = extents(p.maxGridSize);
    info.preferred_multiple = static_cast<std::uint32_t>(p.warpSize);
    // cudaEventElapsedTime: 'a resolution of around 0.5 microseconds'.
    info.timer_tick_seconds = 0.5e-6;
    info.unified_memory = p.integrated != 0;
    info.features = {"correctly_rounded_divide_sqrt", "double", "images", "ptx"};
    int cooperates = 0;
    if (cudaDeviceGetAttribute(&cooperates, cudaDevAttrCooperativeLaunch, ordinal) == cudaSuccess &&
        cooperates != 0) {
        info.features.insert(cooperative_launches);
    }
    add_units(info);
    info.max_image_width = size(p.maxTexture2D[0]);
    info.max_image_height = size(p.maxTexture2D[1]);
    int texels = 0;
    if (cudaDeviceGetAttribute(&texels, cudaDevAttrMaxTexture1DLinearWidth, ordinal) ==
        cudaSuccess) {
        info.max_image_texels = size(texels);
    }
    cudaGetLastError();
    return cudaSuccess;
}

class CudaBackend final : public Backend {
public:
    std::string_view name() const override { return "cuda"; }

    Inventory find() override {
        Inventory inventory;
        ordinals_.clear();
        int count = 0;
        if (const cudaError_t code = cudaGetDeviceCount(&count)) {
            cudaGetLastError();
            inventory.problem = why_none(code);
            return inventory;
        }
        int driver = 0, runtime = 0;
        cudaDriverGetVersion(&driver);
        cudaRuntimeGetVersion(&runtime);
        const std::string driver_text = driver_version();
        for (int ordinal = 0; ordinal < count; ++ordinal) {
            DeviceInfo info;
            if (const cudaError_t code = describe_device(ordinal, info)) {
                cudaGetLastError();
                if (!inventory.left_out.empty()) inventory.left_out += ' ';
                inventory.left_out += fmt::format("CUDA device {} is left out. {}", ordinal,
                                                  describe(code, "cudaGetDeviceProperties"));
                continue;
            }
            info.index = static_cast<unsigned>(inventory.devices.size());
            info.platform = "CUDA runtime " + version_of(runtime);
            info.api_version = "CUDA " + version_of(driver);
            info.driver_version = driver_text;
            if (nvrtc().available()) info.compiler_version = "NVRTC " + nvrtc().version();
            inventory.devices.push_back(std::move(info));
            ordinals_.push_back(ordinal);
        }
        if (count == 0) inventory.problem = why_none(cudaErrorNoDevice);
        if (!inventory.devices.empty()) inventory.problem = nvrtc().problem();
        return inventory;
    }

    std::vector<int> architectures() const override {
        if (!nvrtc().available()) throw Unsupported(nvrtc().problem());
        return nvrtc().architectures();
    }

    CompiledProgram compile(const Program& program, int architecture) const override {
        const CompileResult result = compile_for(program, architecture);
        CompiledProgram compiled{.compiler = "NVRTC " + nvrtc().version(),
                                 .architecture = result.target.name(),
                                 .log = without_report(result.log),
                                 .kernels = {},
                                 .ptx = result.ptx,
                                 .machine_code = result.cubin};
        for (const PtxKernel& kernel : result.kernels) {
            const auto named = std::ranges::find(result.symbols, kernel.name,
                                                 [](const auto& one) { return one.second; });
            compiled.kernels.push_back({named == result.symbols.end() ? kernel.name : named->first,
                                        ptxas_resources(result.log, kernel.name)});
        }
        return compiled;
    }

private:
    std::unique_ptr<Device> do_open(const DeviceInfo& info, OpenOptions how) override {
        if (ordinals_.empty()) find();
        DeviceInfo now;
        if (info.index >= ordinals_.size() ||
            describe_device(ordinals_[info.index], now) != cudaSuccess || now.uuid != info.uuid) {
            cudaGetLastError();
            throw DeviceError(fmt::format("{} ({}) is no longer there. See `parallax devices`.",
                                          info.id(), info.name));
        }
        return std::make_unique<CudaDevice>(info, ordinals_[info.index], how);
    }

    std::vector<int> ordinals_;  ///< CUDA's ordinal of each device in the inventory
};

}  // namespace
}  // namespace cuda

std::unique_ptr<Backend> make_cuda_backend() {
    return std::make_unique<cuda::CudaBackend>();
}

}  // namespace parallax
