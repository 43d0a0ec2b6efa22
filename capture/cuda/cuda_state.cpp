// Finds the libraries, the kernels and the memory of the program.
#include "capture/cuda/cuda_state.hpp"

#include <stdexcept>

#include <dlfcn.h>
#include <fmt/format.h>

#include "backends/cuda/find_library.hpp"

namespace parallax::capture::cuda {
namespace {

/// The CUPTI that the program itself uses, or else the first that can be loaded.
void* cupti_library() {
    for (const int flag : {RTLD_NOLOAD, 0}) {
        for (const std::string& file : parallax::cuda::library_files("libcupti")) {
            if (void* const found = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | flag))
                return found;
        }
    }
    throw std::runtime_error(
        "no libcupti was found: it is in the CUDA toolkit, and PyPI has nvidia-cuda-cupti; name "
        "its folder in LD_LIBRARY_PATH");
}

template <class F>
void find(void* library, const char* name, bool is_needed, F& function) {
    function = reinterpret_cast<F>(::dlsym(library, name));
    if (!function && is_needed) throw std::runtime_error(fmt::format("there is no {}", name));
}

thread_local unsigned own_calls = 0;

constexpr const char* unseen_module = "a kernel of a module that the layer did not see loaded";

/// The machine code with the kernel. Several modules may have kernels of one name: they must be the
/// same one, if it is not known which module it is.
std::shared_ptr<const ModuleImage> image_of(CUmodule module, const std::string& name,
                                            std::string& why_not) {
    CudaState& s = cuda();
    const std::scoped_lock lock(s.mutex);
    const auto known = s.modules.find(module);
    if (known != s.modules.end()) return known->second;
    std::shared_ptr<const ModuleImage> found;
    for (const auto& [number, image] : s.images) {
        const auto code = image->kernel(name);
        if (!code || code->empty()) continue;
        if (found && found->kernel(name) != code) {
            why_not = "a kernel of a name that several modules have, each with another one";
            return nullptr;
        }
        if (!found) found = image;
    }
    if (!found) why_not = unseen_module;
    return found;
}

void note_device() {
    const Api& api = cuda().api;
    CUdevice device = 0;
    std::array<char, 256> name{};
    int version = 0;
    if (api.cuCtxGetDevice(&device) != CUDA_SUCCESS ||
        api.cuDeviceGetName(name.data(), static_cast<int>(name.size()) - 1, device) !=
            CUDA_SUCCESS) {
        return;
    }
    api.cuDriverGetVersion(&version);
    const std::scoped_lock lock(state().mutex);
    state().devices.emplace(name.data(),
                            fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10));
}

}  // namespace

CudaState& cuda() {
    static CudaState* const state = new CudaState;
    return *state;
}

void load(Api& api) {
    void* const driver = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (!driver) throw std::runtime_error("the program's libcuda.so.1 is not loaded");
// Expands names such as cuMemFree to the versions that the headers define, cuMemFree_v2.
#define PARALLAX_NAME(name) #name
#define PARALLAX_NEEDED(name) find(driver, PARALLAX_NAME(name), true, api.name);
#define PARALLAX_OPTIONAL(name) find(driver, PARALLAX_NAME(name), false, api.name);
#define PARALLAX_CUPTI(name) find(cupti, PARALLAX_NAME(name), true, api.name);
    PARALLAX_DRIVER_FUNCTIONS(PARALLAX_NEEDED)
    PARALLAX_NEW_DRIVER_FUNCTIONS(PARALLAX_OPTIONAL)
    void* const cupti = cupti_library();
    PARALLAX_CUPTI_FUNCTIONS(PARALLAX_CUPTI)
#undef PARALLAX_NAME
#undef PARALLAX_NEEDED
#undef PARALLAX_OPTIONAL
#undef PARALLAX_CUPTI
}

OwnCalls::OwnCalls(CUcontext context) {
    ++own_calls;
    const Api& api = cuda().api;
    has_pushed_ = context && api.cuCtxPushCurrent(context) == CUDA_SUCCESS;
    if (api.cuThreadExchangeStreamCaptureMode(&mode_) != CUDA_SUCCESS)
        mode_ = CU_STREAM_CAPTURE_MODE_GLOBAL;
}

OwnCalls::~OwnCalls() {
    const Api& api = cuda().api;
    api.cuThreadExchangeStreamCaptureMode(&mode_);
    CUcontext popped = nullptr;
    if (has_pushed_) api.cuCtxPopCurrent(&popped);
    --own_calls;
}

bool OwnCalls::are_running() {
    return own_calls > 0;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> range_of(std::uint64_t address) {
    // Numbers that are no addresses, without asking the driver.
    constexpr std::uint64_t least = 0x10000, most = std::uint64_t{1} << 57;
    if (address < least || address >= most) return {};
    CudaState& s = cuda();
    {
        const std::scoped_lock lock(s.mutex);
        auto next = s.ranges.upper_bound(address);
        if (next != s.ranges.begin() && address - std::prev(next)->first < std::prev(next)->second)
            return *std::prev(next);
    }
    CUdeviceptr base = 0;
    std::size_t bytes = 0;
    if (s.api.cuMemGetAddressRange(&base, &bytes, address) != CUDA_SUCCESS || bytes == 0 ||
        address - base >= bytes) {
        return {};
    }
    const std::scoped_lock lock(s.mutex);
    s.ranges[base] = bytes;
    return std::pair{std::uint64_t{base}, std::uint64_t{bytes}};
}

std::shared_ptr<const Function> function_of(const LaunchCall& call) {
    CudaState& s = cuda();
    const std::pair key{call.context, call.function};
    {
        const std::scoped_lock lock(s.mutex);
        const auto known = s.functions.find(key);
        if (known != s.functions.end()) return known->second;
    }
    note_device();
    auto made = std::make_shared<Function>();
    made->name = call.name ? call.name : "";
    CUfunction function = call.function;
    const char* name = nullptr;
    // A launch may name a CUkernel, whose function is the context's. This may load its module.
    if (s.api.cuFuncGetName && s.api.cuKernelGetFunction &&
        s.api.cuFuncGetName(&name, function) != CUDA_SUCCESS) {
        s.api.cuKernelGetFunction(&function, reinterpret_cast<CUkernel>(call.function));
    }
    if (s.api.cuFuncGetModule(&made->module, function) != CUDA_SUCCESS) {
        made->why_not = unseen_module;
    } else {
        made->image = image_of(made->module, made->name, made->why_not);
    }
    if (!s.api.cuFuncGetParamInfo) {
        made->why_not = "the driver does not say a kernel's parameters: it is older than CUDA 12.4";
    } else {
        std::size_t offset = 0, bytes = 0;
        while (s.api.cuFuncGetParamInfo(function, made->parameters.size(), &offset, &bytes) ==
               CUDA_SUCCESS) {
            made->parameters.emplace_back(offset, bytes);
        }
    }
    if (made->image) made->variables = made->image->variables();
    {
        const std::scoped_lock lock(state().mutex);
        made->tally = tally_of(made->name, made->image ? made->image->hash() : made->why_not);
    }
    const std::scoped_lock lock(s.mutex);
    return s.functions[key] = std::move(made);
}

}  // namespace parallax::capture::cuda
