// The layer's entry point: OpenCL's loader finds it by OPENCL_LAYERS and requests its functions.
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "capture/state.hpp"

namespace parallax::capture {

State& state() {
    static State* const state = new State;
    return *state;
}

namespace {

std::filesystem::path live_file() {
    const State& s = state();
    return (s.store->folder() / s.file).replace_extension(".live");
}

/// Ends the program together with `parallax capture` if that is killed.
void end_with_starter() {
    const char* const starter = std::getenv("PARALLAX_PARENT");
    if (!starter || std::to_string(::getppid()) != starter) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/// Writes the remaining data at exit. No function of OpenCL is called any more.
struct AtTheEnd {
    ~AtTheEnd() {
        State& s = state();
        quietly([&] { s.at_end(); });
        quietly([&] {
            {
                const std::scoped_lock lock(s.mutex);
                publish();
                // Marks the end even where the folder cannot be written any more.
                s.live->ended = 1;
            }
            write_capture(When::at_end);
            std::error_code error;
            std::filesystem::remove(live_file(), error);
        });
        s.on = false;
    }
};

}  // namespace

bool begin_capture() {
    static std::mutex mutex;
    const std::scoped_lock lock(mutex);
    State& s = state();
    // A loader that is loaded again, and the other API, find it running.
    if (s.store) return s.on;
    s.settings = settings_from_environment();
    if (s.settings.folder.empty()) return false;
    s.store = std::make_unique<Store>(s.settings.folder, s.settings.max_bytes, s.settings.no_data);
    // Each process of a program has its own file.
    s.file = s.store->claim("capture", '.') + ".json";
    s.started =
        std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    begin_live(live_file());
    s.on = true;
    end_with_starter();
    // A forked child has no driver threads: it is not captured.
    pthread_atfork(nullptr, nullptr, [] { state().on = false; });
    static AtTheEnd at_the_end;
    quietly([] { write_capture(When::soon); });
    return s.on;
}

}  // namespace parallax::capture

extern "C" {

#define PARALLAX_EXPORTED __attribute__((visibility("default")))

PARALLAX_EXPORTED cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void* value,
                                                    size_t* size_ret) {
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    const char text[] = "parallax capture";
    const void* source = nullptr;
    size_t bytes = 0;
    if (name == CL_LAYER_API_VERSION) {
        source = &version, bytes = sizeof(version);
    } else if (name == CL_LAYER_NAME) {
        source = text, bytes = sizeof(text);
    } else {
        return CL_INVALID_VALUE;
    }
    if (value) {
        if (size < bytes) return CL_INVALID_VALUE;
        std::memcpy(value, source, bytes);
    }
    if (size_ret) *size_ret = bytes;
    return CL_SUCCESS;
}

PARALLAX_EXPORTED cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch* target,
                                                 cl_uint* entries_ret,
                                                 const cl_icd_dispatch** own_ret) {
    using namespace parallax::capture;
    constexpr size_t known = sizeof(cl_icd_dispatch) / sizeof(void*);
    if (!target || !entries_ret || !own_ret || entries < known) return CL_INVALID_VALUE;
    try {
        State& s = state();
        s.next = *target;
        s.own = *target;
        try {
            begin_capture();
        } catch (...) {
            // If the folder cannot be written, the program runs unchanged.
        }
        if (s.on) {
            hook_programs(s.own);
            hook_memory(s.own);
            hook_queues(s.own);
            hook_launches(s.own);
        }
        *entries_ret = known;
        *own_ret = &s.own;
        return CL_SUCCESS;
    } catch (...) {
        return CL_OUT_OF_HOST_MEMORY;
    }
}
}
