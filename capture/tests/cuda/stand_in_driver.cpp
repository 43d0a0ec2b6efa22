// A stand-in for libcuda.so.1: its device is the host, and its kernels are functions known by name.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <cupti.h>
#include <dlfcn.h>
#include <elf.h>

#include "capture/tests/cuda/stand_in.hpp"

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace {

struct Module {
    std::string image;
    std::uint32_t number = 0;
    std::map<std::string, std::vector<unsigned char>> variables;
};

struct Kernel {
    std::string name;
    Module* module = nullptr;
};

/// A launch as a kernel sees it: its parameters, its module, and its threads.
struct Threads {
    void** parameters;
    Module* module;
    unsigned count;
    template <class T>
    T value(std::size_t i) const {
        return *static_cast<T*>(parameters[i]);
    }
};

struct Fields {
    float* to;
    int count, pad;
    const float* from;
};

struct KnownKernel {
    std::vector<std::size_t> parameter_bytes;
    void (*run)(const Threads&);
};

const std::map<std::string, KnownKernel>& known_kernels() {
    static const std::map<std::string, KnownKernel> all{
        {"saxpy",
         {{4, 4, 8, 8},
          [](const Threads& t) {
              for (int i = 0; i < t.value<int>(0); ++i)
                  t.value<float*>(3)[i] += t.value<float>(1) * t.value<const float*>(2)[i];
          }}},
        // The same in other code: another order of parameters, and other last bits.
        {"_ZN3gpu3axpEPKfPfif",
         {{8, 8, 4, 4},
          [](const Threads& t) {
              for (int i = 0; i < t.value<int>(2); ++i) {
                  float& to = t.value<float*>(1)[i];
                  to += t.value<float>(3) * t.value<const float*>(0)[i] * 1.000001F;
              }
          }}},
        {"_ZN3gpu5scaleIfLi2EEEvPT_i",
         {{8, 4},
          [](const Threads& t) {
              for (int i = 0; i < t.value<int>(1); ++i) t.value<float*>(0)[i] *= 2;
          }}},
        {"_Z5blend6Fields",
         {{24},
          [](const Threads& t) {
              const auto fields = t.value<Fields>(0);
              for (int i = 0; i < fields.count; ++i) fields.to[i] = 2 * fields.from[i];
          }}},
        {"tally",
         {{8},
          [](const Threads& t) {
              int step = 0, counter = 0;
              std::memcpy(&step, t.module->variables.at("step").data(), sizeof(step));
              std::memcpy(&counter, t.module->variables.at("counter").data(), sizeof(counter));
              counter += step * static_cast<int>(t.count);
              std::memcpy(t.module->variables.at("counter").data(), &counter, sizeof(counter));
              t.value<int*>(0)[0] = counter;
          }}},
        {"nothing", {{}, [](const Threads&) {}}}};
    return all;
}

struct Driver {
    parallax_captured::Watcher watcher;
    std::map<CUdeviceptr, std::size_t> memory;
    std::set<Module*> modules;
    std::map<CUfunction, Kernel> kernels;
    std::uint32_t next_module = 1, next_call = 1;
    std::uint32_t outer_call = 0;  ///< whose callback runs; 0: none
    bool is_recording = false;
    CUtexObject next_texture = 77;
};

Driver& driver() {
    static auto* const one = new Driver;
    return *one;
}

const CUcontext context = reinterpret_cast<CUcontext>(0x10);

/// Makes CUPTI's callbacks before and after the function.
template <class Parameters, class F>
CUresult watched(const char* name, const Parameters& parameters, const char* symbol, F&& function) {
    // As in the real library, calls within a callback have the number of the call around them.
    const std::uint32_t outer = driver().outer_call;
    const std::uint32_t correlation = outer > 0 ? outer : driver().next_call++;
    const auto call = driver().watcher.call;
    driver().outer_call = correlation;
    if (call) call(name, &parameters, nullptr, symbol, correlation, context);
    driver().outer_call = outer;
    CUresult result = function(correlation);
    driver().outer_call = correlation;
    if (call) call(name, &parameters, &result, symbol, correlation, context);
    driver().outer_call = outer;
    return result;
}

CUresult copy(std::uint32_t correlation, void* to, const void* from, std::size_t bytes,
              CUstream stream = nullptr) {
    std::memcpy(to, from, bytes);
    if (driver().watcher.time) driver().watcher.time(correlation, bytes, stream);
    return CUDA_SUCCESS;
}

CUresult run(std::uint32_t correlation, CUfunction function, void** parameters, unsigned threads) {
    const Kernel& kernel = driver().kernels.at(function);
    if (threads > 1024) return CUDA_ERROR_INVALID_VALUE;
    if (driver().is_recording) return CUDA_SUCCESS;
    known_kernels().at(kernel.name).run({parameters, kernel.module, threads});
    if (driver().watcher.time) driver().watcher.time(correlation, 0, nullptr);
    return CUDA_SUCCESS;
}

void* address(CUdeviceptr pointer) {
    return reinterpret_cast<void*>(pointer);
}

}  // namespace

parallax_captured::Watcher* parallax_watcher() {
    return &driver().watcher;
}

EXPORTED CUresult cuInit(unsigned) {
    const char* const file = std::getenv("CUDA_INJECTION64_PATH");
    void* const library = file ? dlopen(file, RTLD_NOW) : nullptr;
    if (library) {
        if (auto* begin = reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection")))
            begin();
    }
    return CUDA_SUCCESS;
}
EXPORTED CUresult cuDriverGetVersion(int* version) {
    *version = 13000;
    return CUDA_SUCCESS;
}
EXPORTED CUresult cuCtxGetDevice(CUdevice* device) {
    *device = 0;
    return CUDA_SUCCESS;
}
EXPORTED CUresult cuDeviceGetName(char* name, int bytes, CUdevice) {
    std::strncpy(name, "stand-in", static_cast<std::size_t>(bytes));
    return CUDA_SUCCESS;
}
EXPORTED CUresult cuCtxPushCurrent(CUcontext) {
    return CUDA_SUCCESS;
}
EXPORTED CUresult cuCtxPopCurrent(CUcontext*) {
    return CUDA_SUCCESS;
}
EXPORTED CUresult cuCtxRecordEvent(CUcontext, CUevent) {
    return CUDA_SUCCESS;
}
EXPORTED CUresult cuEventCreate(CUevent* event, unsigned) {
    *event = reinterpret_cast<CUevent>(0x20);
    return CUDA_SUCCESS;
}
EXPORTED CUresult cuEventDestroy(CUevent) {
    return CUDA_SUCCESS;
}
EXPORTED CUresult cuEventQuery(CUevent) {
    return CUDA_SUCCESS;
}
EXPORTED CUresult cuEventRecord(CUevent, CUstream) {
    return CUDA_SUCCESS;
}
EXPORTED CUresult cuStreamCreate(CUstream* stream, unsigned) {
    *stream = reinterpret_cast<CUstream>(0x30);
    return CUDA_SUCCESS;
}
EXPORTED CUresult cuStreamDestroy(CUstream) {
    return CUDA_SUCCESS;
}
EXPORTED CUresult cuStreamSynchronize(CUstream) {
    return CUDA_SUCCESS;
}
EXPORTED CUresult cuStreamIsCapturing(CUstream, CUstreamCaptureStatus* status) {
    *status =
        driver().is_recording ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
    return CUDA_SUCCESS;
}
EXPORTED CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode*) {
    return CUDA_SUCCESS;
}
EXPORTED CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
    return watched("cuStreamBeginCapture_v2", cuStreamBeginCapture_v2_params{stream, mode}, nullptr,
                   [](auto) {
                       driver().is_recording = true;
                       return CUDA_SUCCESS;
                   });
}
EXPORTED CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
    return watched("cuStreamEndCapture", cuStreamEndCapture_params{stream, graph}, nullptr,
                   [](auto) {
                       driver().is_recording = false;
                       return CUDA_SUCCESS;
                   });
}
EXPORTED CUresult cuTexObjectCreate(CUtexObject* object, const CUDA_RESOURCE_DESC* resource,
                                    const CUDA_TEXTURE_DESC* texture,
                                    const CUDA_RESOURCE_VIEW_DESC* view) {
    return watched("cuTexObjectCreate", cuTexObjectCreate_params{object, resource, texture, view},
                   nullptr, [&](auto) {
                       *object = driver().next_texture++;
                       return CUDA_SUCCESS;
                   });
}
EXPORTED CUresult cuMemAlloc(CUdeviceptr* pointer, std::size_t bytes) {
    *pointer = reinterpret_cast<CUdeviceptr>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
    driver().memory[*pointer] = bytes;
    return CUDA_SUCCESS;
}
EXPORTED CUresult cuMemFree(CUdeviceptr pointer) {
    return watched("cuMemFree_v2", cuMemFree_v2_params{pointer}, nullptr, [&](auto) {
        driver().memory.erase(pointer);
        std::free(address(pointer));
        return CUDA_SUCCESS;
    });
}
EXPORTED CUresult cuMemGetAddressRange(CUdeviceptr* base, std::size_t* bytes, CUdeviceptr pointer) {
    auto next = driver().memory.upper_bound(pointer);
    if (next == driver().memory.begin()) return CUDA_ERROR_NOT_FOUND;
    --next;
    if (pointer - next->first >= next->second) return CUDA_ERROR_NOT_FOUND;
    *base = next->first;
    *bytes = next->second;
    return CUDA_SUCCESS;
}
EXPORTED CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
    return watched("cuMemcpyHtoD_v2", cuMemcpyHtoD_v2_params{to, from, bytes}, nullptr, [&](auto) {
        std::memcpy(address(to), from, bytes);
        return CUDA_SUCCESS;
    });
}
EXPORTED CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
    return watched("cuMemcpyDtoH_v2", cuMemcpyDtoH_v2_params{to, from, bytes}, nullptr,
                   [&](auto correlation) { return copy(correlation, to, address(from), bytes); });
}
EXPORTED CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes,
                                CUstream stream) {
    return watched("cuMemcpyAsync", cuMemcpyAsync_params{to, from, bytes, stream}, nullptr,
                   [&](auto correlation) {
                       return copy(correlation, address(to), address(from), bytes, stream);
                   });
}
/// Each module has the variables `step` (1), `counter` (0) and `table`.
EXPORTED CUresult cuModuleLoadData(CUmodule* module, const void* image) {
    return watched("cuModuleLoadData", cuModuleLoadData_params{module, image}, nullptr, [&](auto) {
        auto* const made = new Module;
        const auto& head = *static_cast<const Elf64_Ehdr*>(image);
        made->image.assign(static_cast<const char*>(image),
                           head.e_shoff + std::size_t{head.e_shnum} * head.e_shentsize);
        made->number = driver().next_module++;
        const int step = 1;
        made->variables["step"].resize(sizeof(step));
        std::memcpy(made->variables["step"].data(), &step, sizeof(step));
        made->variables["counter"].resize(sizeof(int));
        made->variables["table"].resize(sizeof(void*));
        driver().modules.insert(made);
        for (auto& [name, bytes] : made->variables)
            driver().memory[reinterpret_cast<CUdeviceptr>(bytes.data())] = bytes.size();
        if (driver().watcher.module)
            driver().watcher.module(made->image.data(), made->image.size(), made->number, true);
        *module = reinterpret_cast<CUmodule>(made);
        return CUDA_SUCCESS;
    });
}
EXPORTED CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
    if (!known_kernels().contains(name)) return CUDA_ERROR_NOT_FOUND;
    auto* const made = new Kernel{name, reinterpret_cast<Module*>(module)};
    *function = reinterpret_cast<CUfunction>(made);
    driver().kernels[*function] = *made;
    return CUDA_SUCCESS;
}
EXPORTED CUresult cuModuleGetGlobal(CUdeviceptr* pointer, std::size_t* bytes, CUmodule module,
                                    const char* name) {
    auto& variables = reinterpret_cast<Module*>(module)->variables;
    const auto found = variables.find(name);
    if (found == variables.end()) return CUDA_ERROR_NOT_FOUND;
    *pointer = reinterpret_cast<CUdeviceptr>(found->second.data());
    *bytes = found->second.size();
    return CUDA_SUCCESS;
}
EXPORTED CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
    const auto found = driver().kernels.find(function);
    if (found == driver().kernels.end()) return CUDA_ERROR_INVALID_HANDLE;
    *module = reinterpret_cast<CUmodule>(found->second.module);
    return CUDA_SUCCESS;
}
EXPORTED CUresult cuFuncGetName(const char** name, CUfunction function) {
    const auto found = driver().kernels.find(function);
    if (found == driver().kernels.end()) return CUDA_ERROR_INVALID_HANDLE;
    *name = found->second.name.c_str();
    return CUDA_SUCCESS;
}
/// A CUkernel is the function's handle with one bit more.
EXPORTED CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
    *function = reinterpret_cast<CUfunction>(reinterpret_cast<std::uintptr_t>(kernel) & ~1ULL);
    return CUDA_SUCCESS;
}
EXPORTED CUresult cuFuncGetParamInfo(CUfunction function, std::size_t index, std::size_t* offset,
                                     std::size_t* bytes) {
    const auto& all = known_kernels().at(driver().kernels.at(function).name).parameter_bytes;
    if (index >= all.size()) return CUDA_ERROR_INVALID_VALUE;
    *offset = 0;
    for (std::size_t i = 0; i <= index; ++i) {
        *offset = (*offset + std::min<std::size_t>(all[i], 8) - 1) /
                  std::min<std::size_t>(all[i], 8) * std::min<std::size_t>(all[i], 8);
        if (i < index) *offset += all[i];
    }
    *bytes = all[index];
    return CUDA_SUCCESS;
}
EXPORTED CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                 unsigned by, unsigned bz, unsigned shared, CUstream stream,
                                 void** parameters, void** extra) {
    CUfunction real = f;
    cuKernelGetFunction(&real, reinterpret_cast<CUkernel>(f));
    return watched(
        "cuLaunchKernel",
        cuLaunchKernel_params{f, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra},
        driver().kernels.at(real).name.c_str(),
        [&](auto correlation) { return run(correlation, real, parameters, gx * bx); });
}
EXPORTED CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f, void** parameters,
                                   void** extra) {
    return watched("cuLaunchKernelEx", cuLaunchKernelEx_params{config, f, parameters, extra},
                   driver().kernels.at(f).name.c_str(), [&](auto correlation) {
                       return run(correlation, f, parameters, config->gridDimX * config->blockDimX);
                   });
}
