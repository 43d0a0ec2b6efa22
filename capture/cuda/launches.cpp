// CUPTI's callbacks: launches, loaded modules, and what matters for keeping them.
#include <algorithm>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "capture/cuda/cuda_state.hpp"

namespace parallax::capture::cuda {
namespace {

/// The layer's action for a function of the driver.
enum class Call : std::uint8_t {
    none,
    launch,         ///< cuLaunchKernel
    launch_config,  ///< cuLaunchKernelEx
    cooperative,    ///< cuLaunchCooperativeKernel
    other_launch,   ///< whose parameters are not read
    copy,           ///< CUPTI reports its time
    command,        ///< fills, and functions of the host
    load,           ///< code, and returns a handle of it
    free,           ///< memory may go
    end_context,    ///< and its memory
    begin_graph,
    end_graph,
    make_texture,
    drop_texture,
    open_foreign
};

/// By the start of the name: the driver has several versions of most.
Call call_named(std::string_view name) {
    constexpr std::pair<std::string_view, Call> starts[] = {
        {"cuLaunchKernelEx", Call::launch_config},
        {"cuLaunchKernel", Call::launch},
        {"cuLaunchCooperativeKernelMultiDevice", Call::other_launch},
        {"cuLaunchCooperativeKernel", Call::cooperative},
        {"cuLaunchHostFunc", Call::command},
        {"cuLaunch", Call::other_launch},
        {"cuGraphLaunch", Call::other_launch},
        {"cuMemcpy", Call::copy},
        {"cuMemset", Call::command},
        {"cuModuleLoad", Call::load},
        {"cuLibraryLoad", Call::load},
        {"cuMemFree", Call::free},
        {"cuMemUnmap", Call::free},
        {"cuMemPool", Call::free},  // TrimTo and Destroy
        {"cuMemHostUnregister", Call::free},
        {"cuIpcCloseMemHandle", Call::free},
        {"cuCtxDestroy", Call::end_context},
        {"cuDevicePrimaryCtxRe", Call::end_context},  // Release and Reset
        {"cuStreamBeginCapture", Call::begin_graph},
        {"cuStreamEndCapture", Call::end_graph},
        {"cuTexObjectCreate", Call::make_texture},
        {"cuSurfObjectCreate", Call::make_texture},
        {"cuTexObjectDestroy", Call::drop_texture},
        {"cuSurfObjectDestroy", Call::drop_texture},
        {"cuIpcOpenMemHandle", Call::open_foreign}};
    for (const auto& [start, call] : starts) {
        if (name.starts_with(start)) return call;
    }
    return Call::none;
}

/// One function of the driver, by CUPTI's number.
struct Known {
    Call call = Call::none;
    bool is_per_thread = false;  ///< a null stream is the thread's
    bool is_launch() const { return call >= Call::launch && call <= Call::cooperative; }
};
std::vector<Known>& known_calls() {
    static auto* const all = new std::vector<Known>;
    return *all;
}

/// The running calls of a thread.
struct Running {
    Noted noted;
    std::unique_lock<std::mutex> alone;
    std::uint64_t commands = 0;
    std::uint32_t correlation = 0;
    std::vector<std::shared_ptr<const ModuleImage>> loaded;
    std::chrono::steady_clock::time_point start;
};
Running& running() {
    thread_local Running one;
    return one;
}

LaunchCall call_of(const CUlaunchConfig& config) {
    LaunchCall call{.grid = {config.gridDimX, config.gridDimY, config.gridDimZ},
                    .block = {config.blockDimX, config.blockDimY, config.blockDimZ},
                    .shared_bytes = config.sharedMemBytes,
                    .stream = config.hStream};
    for (const CUlaunchAttribute& one : std::span(config.attrs, config.numAttrs)) {
        const CUlaunchAttributeValue& value = one.value;
        if (one.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) call.is_cooperative = value.cooperative != 0;
        if (one.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
            call.has_clusters = value.clusterDim.x * value.clusterDim.y * value.clusterDim.z > 1;
    }
    return call;
}

LaunchCall call_of(const Known& known, const CUpti_CallbackData& data) {
    LaunchCall call;
    if (known.call == Call::launch_config) {
        const auto& p = *static_cast<const cuLaunchKernelEx_params*>(data.functionParams);
        call = call_of(*p.config);
        call.function = p.f;
        call.parameters = p.kernelParams;
        call.packed = p.extra;
    } else {
        // cuLaunchCooperativeKernel takes the same, but for the packed parameters at the end.
        const auto& p = *static_cast<const cuLaunchKernel_params*>(data.functionParams);
        call = {.function = p.f,
                .grid = {p.gridDimX, p.gridDimY, p.gridDimZ},
                .block = {p.blockDimX, p.blockDimY, p.blockDimZ},
                .shared_bytes = p.sharedMemBytes,
                .stream = p.hStream,
                .parameters = p.kernelParams};
        call.is_cooperative = known.call == Call::cooperative;
        if (!call.is_cooperative) call.packed = p.extra;
    }
    call.context = data.context;
    call.name = data.symbolName;
    if (known.is_per_thread && !call.stream) call.stream = CU_STREAM_PER_THREAD;
    return call;
}

void begin_launch(const Known& known, const CUpti_CallbackData& data) {
    State& s = state();
    Running& now = running();
    now.noted = {};
    now.commands = ++s.commands;
    now.correlation = data.correlationId;
    const OwnCalls own(data.context);
    const LaunchCall call = call_of(known, data);
    const std::shared_ptr<const Function> function = function_of(call);
    now.noted.tally = function->tally;
    if (!s.settings.timeline) now.noted.contents = contents_of(call, function);
    {
        const std::scoped_lock lock(s.mutex);
        const std::uint64_t number = ++s.launches;
        if (now.noted.contents) choose(now.noted, number);
    }
    take_before(now.noted, now.alone);
}

/// Remembers a command whose time CUPTI will report. Of too many, some are counted without a time.
void remember(std::uint32_t correlation, const PendingTime& one) {
    constexpr std::size_t most_pending = 65536;
    CudaState& s = cuda();
    const std::scoped_lock lock(s.times_mutex);
    if (s.pending.size() < most_pending) s.pending[correlation] = one;
}

void end_launch(const CUpti_CallbackData& data) {
    constexpr std::uint64_t worth_a_look = 256;
    State& s = state();
    Running& now = running();
    if (now.correlation != data.correlationId || !now.noted.tally) return;
    const auto failed = *static_cast<const CUresult*>(data.functionReturnValue) != CUDA_SUCCESS;
    const bool kept = now.noted.contents != nullptr;
    {
        const std::scoped_lock lock(s.mutex);
        if (failed) {
            --s.launches;
            if (kept) let_go(now.noted, "launches that failed", false);
        } else {
            Sum& sum = count(now.noted);
            remember(data.correlationId, {&sum, now.noted.tally, s.snapshot_seconds});
        }
        publish();
        if (kept || s.launches % worth_a_look == 0) add_times();
    }
    if (now.noted.contents) {
        const OwnCalls own(data.context);
        take_after(now.noted, now.commands);
    }
    now.noted.contents.reset();
    if (now.alone.owns_lock()) now.alone.unlock();
    if (kept || now.noted.is_first) write_capture(When::soon);
}

void begin_call(const Known& known, const CUpti_CallbackData& data) {
    if (known.is_launch()) return begin_launch(known, data);
    if (known.call == Call::load) {
        running().loaded.clear();
        running().start = std::chrono::steady_clock::now();
    } else if (known.call == Call::copy || known.call == Call::command ||
               known.call == Call::other_launch) {
        ++state().commands;
        const std::scoped_lock lock(state().mutex);
        if (known.call == Call::copy)
            remember(data.correlationId, {nullptr, nullptr, state().snapshot_seconds});
    }
}

void end_call(const Known& known, const CUpti_CallbackData& data) {
    if (known.is_launch()) return end_launch(data);
    const bool worked = *static_cast<const CUresult*>(data.functionReturnValue) == CUDA_SUCCESS;
    {
        const std::scoped_lock lock(state().mutex);
        if (known.call == Call::load) {
            ++state().builds.count;
            state().builds.seconds += seconds_since(running().start);
        } else if (known.call == Call::other_launch && worked) {
            ++state().left_out[fmt::format("launches by {}", data.functionName)];
        }
    }
    CudaState& s = cuda();
    const std::scoped_lock lock(s.mutex);
    if (known.call == Call::end_graph && s.graphs > 0) --s.graphs;
    if (!worked) return;
    // The first parameter of functions that make something says where they return it.
    const auto made = [&]<class Handle>(Handle) {
        return **static_cast<Handle* const*>(data.functionParams);
    };
    if (known.call == Call::load && running().loaded.size() == 1)
        s.modules[made(CUmodule{})] = running().loaded.front();
    if (known.call == Call::begin_graph) ++s.graphs;
    if (known.call == Call::make_texture) s.textures.insert(made(CUtexObject{}));
    if (known.call == Call::drop_texture)
        s.textures.erase(*static_cast<const CUtexObject*>(data.functionParams));
    if (known.call == Call::open_foreign) s.foreign.insert(made(CUdeviceptr{}));
}

void on_call(CUpti_CallbackId id, const CUpti_CallbackData& data) {
    const Known known = id < known_calls().size() ? known_calls()[id] : Known{};
    CudaState& s = cuda();
    if (OwnCalls::are_running()) return;
    // What CUPTI holds of a context goes with it.
    if (known.call == Call::end_context && data.callbackSite == CUPTI_API_ENTER) end_times();
    if (known.call == Call::free || known.call == Call::end_context) {
        const std::scoped_lock lock(s.mutex);
        s.ranges.clear();
        return;
    }
    (data.callbackSite == CUPTI_API_ENTER ? begin_call : end_call)(known, data);
}

void on_module(CUpti_CallbackId id, const CUpti_ResourceData& data) {
    constexpr std::size_t most_images = std::size_t{2} << 30;
    CudaState& s = cuda();
    const auto& module = *static_cast<const CUpti_ModuleResourceData*>(data.resourceDescriptor);
    if (id == CUPTI_CBID_RESOURCE_MODULE_LOADED) {
        if (!module.pCubin) return;
        auto image =
            std::make_shared<const ModuleImage>(std::string(module.pCubin, module.cubinSize));
        running().loaded.push_back(image);
        const std::scoped_lock lock(s.mutex);
        std::size_t all = image->bytes().size();
        for (const auto& [number, one] : s.images) all += one->bytes().size();
        if (all <= most_images) s.images[module.moduleId] = std::move(image);
    } else if (id == CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING) {
        const std::scoped_lock lock(s.mutex);
        // Handles may be used again, for others.
        const auto gone = s.images.find(module.moduleId);
        if (gone != s.images.end()) {
            std::erase_if(s.modules, [&](const auto& one) { return one.second == gone->second; });
            s.images.erase(gone);
        }
        s.functions.clear();
    }
}

void CUPTIAPI on_event(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
    quietly([&] {
        if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
            on_module(id, *static_cast<const CUpti_ResourceData*>(data));
        } else if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
            on_call(id, *static_cast<const CUpti_CallbackData*>(data));
        }
    });
}

void check(CUptiResult code) {
    if (code == CUPTI_SUCCESS) return;
    if (code == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED)
        throw std::runtime_error("another tool uses CUPTI in the program");
    const char* words = "";
    cuda().api.cuptiGetResultString(code, &words);
    throw std::runtime_error(fmt::format("CUPTI: {}", words));
}

void subscribe() {
    CudaState& s = cuda();
    load(s.api);
    check(s.api.cuptiSubscribe(&s.subscriber, on_event, nullptr));
    for (const CUpti_CallbackId id :
         {CUPTI_CBID_RESOURCE_MODULE_LOADED, CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING}) {
        check(s.api.cuptiEnableCallback(1, s.subscriber, CUPTI_CB_DOMAIN_RESOURCE, id));
    }
    // The library may be newer than the headers: it says its own functions.
    constexpr CUpti_CallbackId most = 4096;
    for (CUpti_CallbackId id = 1; id < most; ++id) {
        const char* name = nullptr;
        if (s.api.cuptiGetCallbackName(CUPTI_CB_DOMAIN_DRIVER_API, id, &name) != CUPTI_SUCCESS ||
            !name) {
            break;
        }
        const std::string_view word = name;
        known_calls().resize(id + 1);
        known_calls()[id] = {call_named(word), word.ends_with("_ptsz") || word.ends_with("_ptds")};
        if (known_calls()[id].call != Call::none)
            check(s.api.cuptiEnableCallback(1, s.subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id));
    }
    begin_times();
    // It runs before the end of CUPTI, which began earlier.
    std::atexit([] { quietly(end_times); });
    state().at_end = [] {
        end_times();
        const std::scoped_lock lock(state().mutex);
        add_times();
    };
}

}  // namespace
}  // namespace parallax::capture::cuda

/// The driver calls it where CUDA_INJECTION64_PATH names this library.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
    using namespace parallax::capture;
    try {
        if (!begin_capture()) return 1;
        try {
            cuda::subscribe();
        } catch (const std::exception& error) {
            const std::scoped_lock lock(state().mutex);
            state().problems.insert(
                fmt::format("launches of CUDA are not recorded: {}", error.what()));
        }
        quietly([] { write_capture(When::soon); });
    } catch (...) {
        // The program runs unchanged.
    }
    return 1;
}
