// A stand-in for libcupti: it hands calls of the stand-in for the driver to its one subscriber.
#include <array>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <cupti.h>

#include "capture/tests/cuda/stand_in.hpp"

namespace {

/// The functions that it knows. The first has the number 1, unlike in the real library.
constexpr std::array names{"cuInit",
                           "cuLaunchKernel",
                           "cuLaunchKernelEx",
                           "cuMemcpyHtoD_v2",
                           "cuMemcpyDtoH_v2",
                           "cuMemcpyAsync",
                           "cuMemFree_v2",
                           "cuModuleLoadData",
                           "cuStreamBeginCapture_v2",
                           "cuStreamEndCapture",
                           "cuTexObjectCreate"};

struct Time {
    std::uint32_t correlation;
    std::uint64_t bytes;
    std::uint32_t stream;
};

constexpr std::uint32_t context_number = 3;

std::uint32_t number_of(CUstream stream) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(stream));
}

struct Library {
    CUpti_CallbackFunc subscriber = nullptr;
    std::array<bool, names.size() + 1> is_enabled{};
    CUpti_BuffersCallbackRequestFunc request = nullptr;
    CUpti_BuffersCallbackCompleteFunc complete = nullptr;
    std::vector<Time> times;
    std::size_t next = 0;
    bool has_ended = false;  ///< its own exit handler has run
};

Library& library() {
    static auto* const one = new Library;
    return *one;
}

void on_call(const char* name, const void* parameters, CUresult* result, const char* symbol,
             std::uint32_t correlation, CUcontext context) {
    // As in the real library a call within a callback makes none.
    thread_local bool is_within = false;
    if (is_within) return;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (std::string_view(names.at(i)) != name || !library().is_enabled.at(i + 1)) continue;
        is_within = true;
        CUpti_CallbackData data{};
        data.callbackSite = result ? CUPTI_API_EXIT : CUPTI_API_ENTER;
        data.functionName = name;
        data.functionParams = parameters;
        data.functionReturnValue = result;
        data.symbolName = symbol;
        data.context = context;
        data.correlationId = correlation;
        library().subscriber(nullptr, CUPTI_CB_DOMAIN_DRIVER_API,
                             static_cast<CUpti_CallbackId>(i + 1), &data);
        is_within = false;
    }
}

void on_module(const char* image, std::size_t bytes, std::uint32_t number, bool is_loaded) {
    CUpti_ModuleResourceData module{};
    module.moduleId = number;
    module.cubinSize = bytes;
    module.pCubin = image;
    CUpti_ResourceData data{};
    data.resourceDescriptor = &module;
    library().subscriber(
        nullptr, CUPTI_CB_DOMAIN_RESOURCE,
        is_loaded ? CUPTI_CBID_RESOURCE_MODULE_LOADED : CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING,
        &data);
}

void on_time(std::uint32_t correlation, std::uint64_t bytes, CUstream stream) {
    if (!library().has_ended) library().times.push_back({correlation, bytes, number_of(stream)});
}

}  // namespace

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle* handle, CUpti_CallbackFunc function, void*) {
    if (std::getenv("STAND_IN_IS_TAKEN")) return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    library().subscriber = function;
    *handle = nullptr;
    *parallax_watcher() = {on_call, on_module, on_time};
    std::atexit([] {
        library().has_ended = true;
        library().times.clear();
    });
    return CUPTI_SUCCESS;
}
CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle) {
    return CUPTI_SUCCESS;
}
CUptiResult cuptiEnableCallback(std::uint32_t enable, CUpti_SubscriberHandle,
                                CUpti_CallbackDomain domain, CUpti_CallbackId id) {
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API) library().is_enabled.at(id) = enable != 0;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain, std::uint32_t id, const char** name) {
    if (id == 0 || id > names.size()) return CUPTI_ERROR_INVALID_PARAMETER;
    *name = names.at(id - 1);
    return CUPTI_SUCCESS;
}
CUptiResult cuptiGetResultString(CUptiResult, const char** words) {
    *words = "an error";
    return CUPTI_SUCCESS;
}
CUptiResult cuptiGetContextId(CUcontext, std::uint32_t* number) {
    *number = context_number;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiGetStreamIdEx(CUcontext, CUstream stream, std::uint8_t, std::uint32_t* number) {
    *number = number_of(stream);
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                           CUpti_BuffersCallbackCompleteFunc complete) {
    library().request = request;
    library().complete = complete;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityEnable(CUpti_ActivityKind) {
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityFlushPeriod(std::uint32_t) {
    return CUPTI_SUCCESS;
}
/// Each command took a microsecond, the n-th from n microseconds on.
CUptiResult cuptiActivityFlushAll(std::uint32_t) {
    Library& l = library();
    std::uint8_t* buffer = nullptr;
    std::size_t bytes = 0, most = 0;
    l.request(&buffer, &bytes, &most);
    l.next = 0;
    l.complete(nullptr, 0, buffer, bytes, l.times.size());
    l.times.clear();
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityGetNextRecord(std::uint8_t*, std::size_t, CUpti_Activity** record) {
    static CUpti_ActivityKernel9 kernel;
    static CUpti_ActivityMemcpy5 copy;
    Library& l = library();
    if (l.next == l.times.size()) return CUPTI_ERROR_MAX_LIMIT_REACHED;
    const Time& time = l.times[l.next++];
    const auto fill = [&](auto& one, CUpti_ActivityKind kind) {
        one = {};
        one.kind = kind;
        one.correlationId = time.correlation;
        one.contextId = context_number;
        one.streamId = time.stream;
        one.start = 1000 * l.next;
        one.end = one.start + 1000;
        *record = reinterpret_cast<CUpti_Activity*>(&one);
    };
    if (time.bytes == 0) {
        fill(kernel, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    } else {
        fill(copy, CUPTI_ACTIVITY_KIND_MEMCPY);
        copy.bytes = time.bytes;
        copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
    }
    return CUPTI_SUCCESS;
}
