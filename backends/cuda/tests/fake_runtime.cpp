// A fake CUDA runtime; its functions take precedence over the library's.
#include "backends/cuda/tests/fake_runtime.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace parallax::cuda {

FakeRuntime& fake() {
    static FakeRuntime runtime;
    return runtime;
}

void new_fake() {
    for (const auto& [address, device] : fake().memory) std::free(address);
    for (const auto* living : {&fake().streams, &fake().events, &fake().libraries,
                               &fake().page_locked, &fake().arrays, &fake().textures}) {
        for (void* handle : *living) std::free(handle);
    }
    fake() = {};
}

std::size_t FakeRuntime::count(const std::string& call) const {
    return static_cast<std::size_t>(std::ranges::count(calls, call));
}

namespace {

cudaError_t result_of(const char* call) {
    FakeRuntime& f = fake();
    f.calls.emplace_back(call);
    cudaError_t code = f.sticky;
    if (const auto found = f.fails.find(call); code == cudaSuccess && found != f.fails.end()) {
        code = found->second;
    }
    if (code != cudaSuccess) f.last = code;
    return code;
}

cudaError_t wait(const char* call) {
    FakeRuntime& f = fake();
    if (f.asynchronous != cudaSuccess) f.sticky = f.asynchronous;
    return result_of(call);
}

template <class Handle>
cudaError_t make(const char* call, Handle* handle, std::set<void*>& living) {
    const cudaError_t code = result_of(call);
    if (code != cudaSuccess) return code;
    void* made = std::malloc(1);
    living.insert(made);
    *handle = static_cast<Handle>(made);
    return code;
}

template <class Handle>
cudaError_t unmake(const char* call, Handle handle, std::set<void*>& living) {
    const cudaError_t code = result_of(call);
    if (living.erase(handle) == 0) return cudaErrorInvalidResourceHandle;
    std::free(handle);
    return code;
}

cudaError_t launched(const char* call, dim3 groups, dim3 items, void** arguments,
                     std::size_t local_bytes) {
    const cudaError_t code = result_of(call);
    if (code != cudaSuccess) return code;
    FakeLaunch launch{groups, items, local_bytes, {}, {}};
    for (std::size_t i = 0; i < fake().parameters; ++i) {
        launch.arguments.push_back(arguments[i]);
        launch.bits.emplace_back();
        std::memcpy(&launch.bits.back(), arguments[i], sizeof launch.bits.back());
    }
    fake().launches.push_back(std::move(launch));
    if (fake().at_launch) fake().at_launch();
    return code;
}

}  // namespace
}  // namespace parallax::cuda

using namespace parallax::cuda;

extern "C" {

cudaError_t cudaGetLastError() {
    FakeRuntime& f = fake();
    const cudaError_t code = f.last;
    f.last = f.sticky;
    return code;
}
const char* cudaGetErrorName(cudaError_t code) {
    return code == cudaErrorIllegalAddress ? "cudaErrorIllegalAddress" : "cudaErrorSomething";
}
const char* cudaGetErrorString(cudaError_t) {
    return "something went wrong";
}
cudaError_t cudaGetDeviceCount(int* count) {
    *count = fake().devices;
    return result_of("cudaGetDeviceCount");
}
cudaError_t cudaDriverGetVersion(int* version) {
    *version = fake().driver_version;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
    const cudaError_t code = result_of("cudaGetDeviceProperties");
    if (code != cudaSuccess) return code;
    if (device >= fake().devices) return cudaErrorInvalidDevice;
    *p = {};
    std::strcpy(p->name, "Fake");
    std::memset(p->uuid.bytes, 0x10 + device, sizeof p->uuid.bytes);
    p->major = 9;
    p->totalGlobalMem = 1 << 24;
    p->sharedMemPerBlock = 49152;
    p->sharedMemPerBlockOptin = 232448;
    p->maxThreadsPerBlock = 1024;
    for (int i = 0; i < 3; ++i) {
        p->maxThreadsDim[i] = i < 2 ? 1024 : 64;
        p->maxGridSize[i] = i < 1 ? 2147483647 : 65535;
    }
    p->maxTexture2D[0] = 1000;
    p->maxTexture2D[1] = 500;
    p->multiProcessorCount = 132;
    p->warpSize = 32;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int bytes, int device) {
    std::snprintf(text, static_cast<std::size_t>(bytes), "0000:9B:0%d.0", device);
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
    *value = attribute == cudaDevAttrComputeCapabilityMajor   ? 9
             : attribute == cudaDevAttrComputeCapabilityMinor ? 0
             : attribute == cudaDevAttrWarpSize               ? 32
             : attribute == cudaDevAttrMultiProcessorCount    ? 2
                                                              : 1980000;
    return result_of("cudaDeviceGetAttribute");
}
cudaError_t cudaSetDevice(int device) {
    const cudaError_t code = result_of("cudaSetDevice");
    if (code == cudaSuccess) fake().current = device;
    return code;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
    return make("cudaStreamCreateWithFlags", stream, fake().streams);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return unmake("cudaStreamDestroy", stream, fake().streams);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) {
    return result_of("cudaStreamWaitEvent");
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
    return wait("cudaStreamSynchronize");
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
    return make("cudaEventCreateWithFlags", event, fake().events);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return unmake("cudaEventDestroy", event, fake().events);
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) {
    return result_of("cudaEventRecord");
}
cudaError_t cudaEventSynchronize(cudaEvent_t) {
    return wait("cudaEventSynchronize");
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
    *milliseconds = fake().milliseconds;
    return result_of("cudaEventElapsedTime");
}
cudaError_t cudaMalloc(void** address, std::size_t bytes) {
    const cudaError_t code = result_of("cudaMalloc");
    if (code != cudaSuccess) return code;
    *address = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    fake().memory[*address] = fake().current;
    return code;
}
cudaError_t cudaFree(void* address) {
    const auto found = fake().memory.find(address);
    if (found == fake().memory.end() || found->second != fake().current) {
        return cudaErrorInvalidValue;
    }
    fake().memory.erase(found);
    std::free(address);
    return result_of("cudaFree");
}
cudaError_t cudaHostAlloc(void** address, std::size_t bytes, unsigned) {
    const cudaError_t code = result_of("cudaHostAlloc");
    if (code != cudaSuccess) return code;
    *address = std::malloc(bytes);
    fake().page_locked.insert(*address);
    return code;
}
cudaError_t cudaFreeHost(void* address) {
    return unmake("cudaFreeHost", address, fake().page_locked);
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    *free = 1000;
    *total = 1 << 24;
    return result_of("cudaMemGetInfo");
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind,
                            cudaStream_t) {
    const cudaError_t code = result_of("cudaMemcpyAsync");
    if (code == cudaSuccess) std::memcpy(to, from, bytes);
    return code;
}
// An array of the fake runtime: its width in bytes, and its rows.
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                            std::size_t width, std::size_t height, unsigned) {
    const cudaError_t code = result_of("cudaMallocArray");
    if (code != cudaSuccess) return code;
    const std::size_t row =
        width * static_cast<std::size_t>(format->x + format->y + format->z + format->w) / 8;
    void* made = std::malloc(row * height);
    fake().arrays.insert(made);
    *array = static_cast<cudaArray_t>(made);
    return code;
}
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                              cudaExtent extent, unsigned how) {
    fake().array_flags = how;
    return cudaMallocArray(array, format, extent.width, extent.height * extent.depth, how);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* all, cudaStream_t) {
    const cudaError_t code = result_of("cudaMemcpy3DAsync");
    const bool to_array = all->dstArray != nullptr;
    const cudaPitchedPtr& host = to_array ? all->srcPtr : all->dstPtr;
    void* array = to_array ? all->dstArray : all->srcArray;
    if (fake().arrays.count(array) == 0 || all->extent.width != host.xsize ||
        all->extent.height != host.ysize) {
        return cudaErrorInvalidValue;
    }
    const std::size_t bytes = host.pitch * host.ysize * all->extent.depth;
    if (code == cudaSuccess) {
        std::memcpy(to_array ? array : host.ptr, to_array ? host.ptr : array, bytes);
    }
    return code;
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc*) {
    void* made = nullptr;
    const cudaError_t code = make("cudaCreateSurfaceObject", &made, fake().textures);
    *surface = reinterpret_cast<cudaSurfaceObject_t>(made);
    return code;
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
    return unmake("cudaDestroySurfaceObject", reinterpret_cast<void*>(surface), fake().textures);
}
cudaError_t cudaFreeArray(cudaArray_t array) {
    return unmake("cudaFreeArray", array, fake().arrays);
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t array, std::size_t x, std::size_t y,
                                     const void* from, std::size_t pitch, std::size_t width,
                                     std::size_t height, cudaMemcpyKind, cudaStream_t) {
    const cudaError_t code = result_of("cudaMemcpy2DToArrayAsync");
    if (x != 0 || y != 0 || pitch != width || fake().arrays.count(array) == 0) {
        return cudaErrorInvalidValue;
    }
    if (code == cudaSuccess) std::memcpy(static_cast<void*>(array), from, width * height);
    return code;
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, cudaArray_const_t array,
                                       std::size_t x, std::size_t y, std::size_t width,
                                       std::size_t height, cudaMemcpyKind, cudaStream_t) {
    const cudaError_t code = result_of("cudaMemcpy2DFromArrayAsync");
    if (x != 0 || y != 0 || pitch != width) return cudaErrorInvalidValue;
    if (code == cudaSuccess) std::memcpy(to, static_cast<const void*>(array), width * height);
    return code;
}
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* how, const cudaResourceViewDesc*) {
    void* made = nullptr;
    const cudaError_t code = make("cudaCreateTextureObject", &made, fake().textures);
    if (code != cudaSuccess) return code;
    *texture = reinterpret_cast<cudaTextureObject_t>(made);
    fake().resource = *resource;
    fake().texture = *how;
    return code;
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
    return unmake("cudaDestroyTextureObject", reinterpret_cast<void*>(texture), fake().textures);
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t) {
    const cudaError_t code = result_of("cudaMemsetAsync");
    if (code == cudaSuccess) std::memset(to, value, bytes);
    return code;
}
cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void*, cudaJitOption* options,
                                void** values, unsigned count, cudaLibraryOption*, void**,
                                unsigned) {
    const auto say = [&](cudaJitOption buffer, const std::string& text) {
        const auto end = options + count;
        const auto at = std::find(options, end, buffer);
        const auto size = std::find(options, end, static_cast<cudaJitOption>(buffer + 1));
        if (at == end || size == end) return;
        const std::size_t room = reinterpret_cast<std::size_t>(values[size - options]);
        std::strncpy(static_cast<char*>(values[at - options]), text.c_str(), room);
        values[size - options] = reinterpret_cast<void*>(std::min(room, text.size()));
    };
    say(cudaJitInfoLogBuffer, fake().jit_words);
    say(cudaJitErrorLogBuffer, fake().jit_errors);
    return make("cudaLibraryLoadData", library, fake().libraries);
}
cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
    return unmake("cudaLibraryUnload", library, fake().libraries);
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char*) {
    *kernel = reinterpret_cast<cudaKernel_t>(library);
    return result_of("cudaLibraryGetKernel");
}
cudaError_t cudaLibraryGetGlobal(void** address, std::size_t* bytes, cudaLibrary_t,
                                 const char* name) {
    const auto found = fake().variables.find(name);
    if (found == fake().variables.end()) return cudaErrorSymbolNotFound;
    *address = found->second.data();
    *bytes = found->second.size();
    return result_of("cudaLibraryGetGlobal");
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
    *attributes = {};
    attributes->numRegs = 24;
    attributes->localSizeBytes = 8;
    attributes->sharedSizeBytes = 128;
    attributes->maxThreadsPerBlock = 512;
    attributes->maxDynamicSharedSizeBytes = fake().dynamic_limit;
    return result_of("cudaFuncGetAttributes");
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute attribute, int value) {
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaErrorInvalidValue;
    fake().dynamic_limit = value;
    return result_of("cudaFuncSetAttribute");
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int items,
                                                          std::size_t) {
    *blocks = 2048 / items;
    return result_of("cudaOccupancyMaxActiveBlocksPerMultiprocessor");
}
cudaError_t cudaLaunchKernel(const void*, dim3 groups, dim3 items, void** arguments,
                             std::size_t local_bytes, cudaStream_t) {
    return launched("cudaLaunchKernel", groups, items, arguments, local_bytes);
}
cudaError_t cudaLaunchCooperativeKernel(const void*, dim3 groups, dim3 items, void** arguments,
                                        std::size_t local_bytes, cudaStream_t) {
    return launched("cudaLaunchCooperativeKernel", groups, items, arguments, local_bytes);
}

}  // extern "C"
