// A shared library with NVML's interface that reports what a test sets.
#include <algorithm>
#include <ctime>

#include "measure/tests/fake_nvml.hpp"

using parallax::fake::FakeNvml;
using parallax::fake::GpuProcess;

namespace {

constexpr int success = 0, not_supported = 3, not_found = 6, insufficient_size = 7;

FakeNvml& state() {
    static FakeNvml one;
    return one;
}

struct ProcessInfo {
    unsigned pid;
    unsigned long long used_memory;
    unsigned gpu_instance, compute_instance;
};
struct ProcessUse {
    unsigned pid;
    unsigned long long microseconds;
    unsigned percent_of_sm, of_memory, of_encoder, of_decoder;
};

}  // namespace

extern "C" {

FakeNvml* fake_nvml_state() {
    return &state();
}
int nvmlInit_v2() {
    return success;
}
int nvmlDeviceGetHandleByUUID(const char*, void** device) {
    *device = &state();
    return success;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, ProcessInfo* list) {
    const unsigned room = *count;
    *count = 0;
    for (const GpuProcess& one : state().processes) {
        if (!one.is_listed) continue;
        if (*count < room) list[*count] = {one.pid, 0, 0, 0};
        ++*count;
    }
    return *count > room ? insufficient_size : success;
}
int nvmlDeviceGetProcessUtilization(void*, ProcessUse* list, unsigned* count,
                                    unsigned long long since) {
    if (!state().knows_use) return not_supported;
    const unsigned room = *count;
    *count = 0;
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    for (const GpuProcess& one : state().processes) {
        const unsigned long long at =
            1'000'000ull * static_cast<unsigned long long>(now.tv_sec - one.age_seconds) +
            static_cast<unsigned long long>(now.tv_nsec) / 1000;
        if (one.percent == 0 || at < since) continue;
        if (*count < room) list[*count] = {one.pid, at, one.percent, 0, 0, 0};
        ++*count;
    }
    return *count == 0 ? not_found : *count > room ? insufficient_size : success;
}

}  // extern "C"
