// Loads compiled code on a device and completes its resource numbers.
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>

#include "backends/cuda/cuda_device.hpp"
#include "backends/cuda/launch_arguments.hpp"
#include "common/device/loaded_library.hpp"
#include "common/device/ptxas.hpp"
#include "common/error.hpp"

namespace parallax::cuda {
namespace {

std::uint32_t narrow(std::size_t value) {
    return static_cast<std::uint32_t>(value);
}

/// Whether loading failed because of the code, and not because of the device.
bool is_about_the_code(cudaError_t code) {
    switch (code) {
        case cudaErrorInvalidPtx:
        case cudaErrorUnsupportedPtxVersion:
        case cudaErrorNoKernelImageForDevice:
        case cudaErrorInvalidKernelImage:
        case cudaErrorInvalidSource:
        case cudaErrorSymbolNotFound:
        case cudaErrorUnsupportedDevSideSync: return true;
        default: return false;
    }
}

/// The parameters that machine code says: their sizes. Of an older driver none, which lets no
/// launch with arguments pass.
std::vector<PtxParameter> parameters_of(cudaKernel_t kernel) {
    // cuKernelGetParamInfo of the driver API, since CUDA 12.4; its kernels are the runtime's.
    void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    int (*const ask)(cudaKernel_t, std::size_t, std::size_t*, std::size_t*) =
        LibraryFunctions(driver)["cuKernelGetParamInfo"];
    if (!ask) {
        throw Unsupported(
            "The driver does not say which parameters a cubin's kernel has. Use one for CUDA 12.4 "
            "or newer, or give the PTX.");
    }
    std::vector<PtxParameter> parameters;
    std::size_t offset = 0, bytes = 0;
    while (ask(kernel, parameters.size(), &offset, &bytes) == 0) {
        parameters.push_back({PtxParameter::Kind::bits, bytes});
    }
    return parameters;
}

}  // namespace

/// Options and log of the driver's assembler. With lazy loading it may run at the first launch, so
/// this lives as long as the library.
struct Assembler {
    static constexpr std::size_t log_bytes = std::size_t{32} * 1024;
    std::array<char, log_bytes> words{}, errors{};
    std::array<cudaJitOption, 5> options{cudaJitLogVerbose, cudaJitInfoLogBuffer,
                                         cudaJitInfoLogBufferSizeBytes, cudaJitErrorLogBuffer,
                                         cudaJitErrorLogBufferSizeBytes};
    // A number is passed in place of a pointer, and may be overwritten there. One byte less than
    // the buffer's size keeps a truncated log terminated.
    std::array<void*, 5> values{in_place(1), words.data(), in_place(log_bytes - 1), errors.data(),
                                in_place(log_bytes - 1)};

private:
    static void* in_place(std::size_t value) {
        return reinterpret_cast<void*>(static_cast<std::uintptr_t>(value));
    }
};

CudaCode::CudaCode(std::shared_ptr<Context> context, const Program& program,
                   const CompileResult& result, std::string_view name)
    : context_(std::move(context)),
      compiled_(kernel_of(result, program, name)),
      is_cubin_(program.language == Language::cubin) {
    kernel = name;
    if (program.language == Language::portable) declared_ = signature_of(program, name);
    log = result.log;
    source = result.text;
    options = result.options;
    ptx = result.ptx;
    machine_code = result.cubin;
    program_name_ = program.name;
    const cudaFuncAttributes attributes = load();
    resources = ptxas_resources(assembler_ ? assembler_->words.data() : log, compiled_.name);
    resources.registers = static_cast<std::uint32_t>(attributes.numRegs);
    resources.private_bytes = narrow(attributes.localSizeBytes);
    resources.local_bytes = narrow(attributes.sharedSizeBytes);
    if (!resources.constant_bytes) resources.constant_bytes = narrow(attributes.constSizeBytes);
    resources.max_group_items = static_cast<std::uint32_t>(attributes.maxThreadsPerBlock);
    if (assembler_ && assembler_->words.front() != '\0') {
        if (!log.empty() && log.back() != '\n') log += '\n';
        log += assembler_->words.data();
    }
    int warp = 0;
    CHECK(*context_, cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, context_->ordinal()));
    resources.preferred_multiple = static_cast<std::uint32_t>(warp);
}

CudaCode::CudaCode(const CudaCode& first)
    : Code(first),
      context_(first.context_),
      program_name_(first.program_name_),
      compiled_(first.compiled_),
      declared_(first.declared_),
      is_cubin_(first.is_cubin_) {
    load();
}

cudaFuncAttributes CudaCode::load() {
    try {
        return load_library();
    } catch (...) {
        unload();
        throw;
    }
}

cudaFuncAttributes CudaCode::load_library() {
    context_->use();
    if (machine_code.empty()) assembler_ = std::make_unique<Assembler>();
    const std::string& image = assembler_ ? ptx : machine_code;
    cudaFuncAttributes attributes{};

    // With lazy loading, the default, the assembler may run in any of these three calls.
    const char* call = "cudaLibraryLoadData";
    cudaError_t code = cudaLibraryLoadData(
        &library_, image.data(), assembler_ ? assembler_->options.data() : nullptr,
        assembler_ ? assembler_->values.data() : nullptr, assembler_ ? 5 : 0, nullptr, nullptr, 0);
    if (code == cudaSuccess) {
        call = "cudaLibraryGetKernel";
        code = cudaLibraryGetKernel(&kernel_, library_, compiled_.name.c_str());
    }
    if (code == cudaSuccess) {
        call = "cudaFuncGetAttributes";
        code = cudaFuncGetAttributes(&attributes, kernel_);
    }
    if (is_about_the_code(code)) {
        cudaGetLastError();
        const std::string said = assembler_ ? assembler_->errors.data() : "";
        throw BuildFailed(fmt::format("{}: the driver did not take kernel '{}'. {}", program_name_,
                                      kernel, describe(code, call)),
                          said.empty() ? log : said, assembler_ ? ptx : source);
    }
    context_->check(code, call);
    local_limit_ = static_cast<std::uint32_t>(std::max(attributes.maxDynamicSharedSizeBytes, 0));
    if (is_cubin_) compiled_.parameters = parameters_of(kernel_);
    return attributes;
}

std::pair<void*, std::size_t> CudaCode::symbol(const std::string& name) const {
    void* address = nullptr;
    std::size_t bytes = 0;
    if (cudaLibraryGetGlobal(&address, &bytes, library_, name.c_str()) == cudaSuccess) {
        return {address, bytes};
    }
    cudaGetLastError();
    throw BuildFailed(
        fmt::format("{} has no variable '{}' in its machine code. A static one, one in a "
                    "namespace, and one "
                    "that no kernel uses have no such name; the manifest's 'symbols' says it.",
                    program_name_, name),
        {}, source);
}

void CudaCode::unload() noexcept {
    if (!library_ || !context_->use_quietly()) return;
    cudaLibraryUnload(library_);
    cudaGetLastError();
}

CudaCode::~CudaCode() {
    unload();
}

void CudaCode::allow_local(std::uint32_t bytes) const {
    if (bytes <= local_limit_) return;
    CHECK(*context_, cudaFuncSetAttribute(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                          static_cast<int>(bytes)));
    local_limit_ = bytes;
}

void CudaCode::prefer_local(std::optional<std::uint32_t> percent) const {
    if (percent == local_carveout_) return;
    CHECK(*context_, cudaFuncSetAttribute(
                         kernel_, cudaFuncAttributePreferredSharedMemoryCarveout,
                         percent ? static_cast<int>(*percent) : cudaSharedmemCarveoutDefault));
    local_carveout_ = percent;
}

void CudaCode::check(const Dispatch& dispatch) const {
    check_arguments(declared_ ? &*declared_ : nullptr, compiled_, dispatch.arguments);
    if (!dispatch.is_cooperative) return;
    const std::uint64_t local = local_layout(dispatch.arguments).bytes;
    int units = 0;
    CHECK(*context_,
          cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, context_->ordinal()));
    const std::uint64_t each = groups_per_unit(dispatch.geometry, local).value_or(0);
    const std::uint64_t most = each * static_cast<std::uint64_t>(units);
    if (dispatch.geometry.groups.product() <= most) return;
    throw Unsupported(fmt::format(
        "A cooperative launch of {} work-groups of '{}': the device runs {} of them at once, {} on "
        "each of its {} multiprocessors, and all have to. Write fewer 'groups' and a loop over the "
        "grid, or a smaller size.",
        dispatch.geometry.groups.product(), kernel, most, each, units));
}

std::optional<std::uint32_t> CudaCode::groups_per_unit(const Geometry& geometry,
                                                       std::uint64_t local_bytes) const {
    const std::uint64_t most = resources.max_group_items.value_or(0);
    const Size& items = geometry.items;
    if (items.x > most || items.y > most || items.z > most || items.product() > most) return 0;
    int groups = 0;
    try {
        context_->use();
        allow_local(static_cast<std::uint32_t>(local_bytes));
    } catch (const DeviceError&) {
        return {};
    }
    const cudaError_t code = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &groups, kernel_, static_cast<int>(items.product()), local_bytes);
    if (code != cudaSuccess) {
        cudaGetLastError();
        return {};
    }
    return static_cast<std::uint32_t>(groups);
}

}  // namespace parallax::cuda
