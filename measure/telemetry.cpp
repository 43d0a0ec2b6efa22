// Asks NVML for clocks, power, throttling and other users of a device.
#include "measure/telemetry.hpp"

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include "common/own_processes.hpp"
#include "common/profile.hpp"

namespace parallax {
namespace {

// Declared here, after NVIDIA's NVML API reference, because nvml.h is not part of every toolkit.
using Handle = void*;
constexpr int success = 0;
constexpr unsigned clock_sm = 1, clock_memory = 2;

struct ProcessInfo {  // nvmlProcessInfo_t of the _v3 calls
    unsigned pid;
    unsigned long long used_memory;
    unsigned gpu_instance, compute_instance;
};

class Nvml {
public:
    static const Nvml& instance() {
        static const Nvml nvml;
        return nvml;
    }

    bool loaded() const { return loaded_; }

    int (*handle_by_uuid)(const char*, Handle*) = nullptr;
    int (*clock)(Handle, unsigned, unsigned*) = nullptr;
    int (*max_clock)(Handle, unsigned, unsigned*) = nullptr;
    int (*temperature)(Handle, unsigned, unsigned*) = nullptr;
    int (*power)(Handle, unsigned*) = nullptr;
    int (*power_limit)(Handle, unsigned*) = nullptr;
    int (*ecc)(Handle, unsigned*, unsigned*) = nullptr;
    int (*throttle)(Handle, unsigned long long*) = nullptr;
    int (*processes)(Handle, unsigned*, ProcessInfo*) = nullptr;

private:
    Nvml() {
        // Never closed: other threads may be inside it until the process ends.
        void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
        if (!library) return;
        int (*init)() = nullptr;
        const auto load = [&](auto& function, const char* name) {
            function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
        };
        load(init, "nvmlInit_v2");
        load(handle_by_uuid, "nvmlDeviceGetHandleByUUID");
        load(clock, "nvmlDeviceGetClockInfo");
        load(max_clock, "nvmlDeviceGetMaxClockInfo");
        load(temperature, "nvmlDeviceGetTemperature");
        load(power, "nvmlDeviceGetPowerUsage");
        load(power_limit, "nvmlDeviceGetPowerManagementLimit");
        load(ecc, "nvmlDeviceGetEccMode");
        load(throttle, "nvmlDeviceGetCurrentClocksThrottleReasons");
        load(processes, "nvmlDeviceGetComputeRunningProcesses_v3");
        loaded_ = init && handle_by_uuid && init() == success;
    }

    bool loaded_ = false;
};

template <class Function, class... Arguments>
std::optional<std::uint32_t> ask(Function function, Handle device, Arguments... arguments) {
    unsigned value = 0;
    if (!function || function(device, arguments..., &value) != success) return {};
    return value;
}

std::optional<double> watts(std::optional<std::uint32_t> milliwatts) {
    if (!milliwatts) return {};
    return *milliwatts / 1000.0;
}

std::optional<std::uint32_t> other_processes(const Nvml& nvml, Handle device) {
    if (!nvml.processes) return {};
    constexpr int insufficient_size = 7;
    unsigned count = 0;
    std::vector<ProcessInfo> list;
    int result = nvml.processes(device, &count, nullptr);
    while (result == insufficient_size && count < 4096) {
        list.resize(count + 8);
        count = static_cast<unsigned>(list.size());
        result = nvml.processes(device, &count, list.data());
    }
    if (result != success) return {};
    std::uint32_t others = 0;
    for (unsigned i = 0; i < count && i < list.size(); ++i) {
        others += !own_processes().has(static_cast<pid_t>(list[i].pid));
    }
    return others;
}

/// What stays as it is while the process lives: the driver takes milliseconds for the highest
/// clocks.
const DeviceState& lasting_state(const Nvml& nvml, Handle device) {
    static std::mutex mutex;
    static std::map<Handle, DeviceState> known;
    const std::scoped_lock lock(mutex);
    const auto [found, is_new] = known.try_emplace(device);
    DeviceState& state = found->second;
    if (!is_new) return state;
    state.max_sm_clock_mhz = ask(nvml.max_clock, device, clock_sm);
    state.max_memory_clock_mhz = ask(nvml.max_clock, device, clock_memory);
    if (unsigned current = 0, pending = 0;
        nvml.ecc && nvml.ecc(device, &current, &pending) == success) {
        state.ecc = current != 0;
    }
    return state;
}

std::string nvml_uuid(const Uuid& uuid) {
    std::string text = "GPU-";
    for (std::size_t i = 0; i < uuid.size(); ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        text += fmt::format("{:02x}", uuid[i]);
    }
    return text;
}

}  // namespace

DeviceState device_state(const DeviceInfo& info) {
    const InPhase phase(Phase::other, "device state");
    DeviceState state;
    const Nvml& nvml = Nvml::instance();
    Handle device = nullptr;
    if (!info.uuid || !info.is_gpu || !nvml.loaded() ||
        nvml.handle_by_uuid(nvml_uuid(*info.uuid).c_str(), &device) != success) {
        return state;
    }
    state = lasting_state(nvml, device);
    state.sm_clock_mhz = ask(nvml.clock, device, clock_sm);
    state.memory_clock_mhz = ask(nvml.clock, device, clock_memory);
    state.temperature_celsius = ask(nvml.temperature, device, 0u);
    state.power_watts = watts(ask(nvml.power, device));
    state.power_limit_watts = watts(ask(nvml.power_limit, device));
    if (unsigned long long reasons = 0;
        nvml.throttle && nvml.throttle(device, &reasons) == success) {
        state.throttle_reasons = reasons;
    }
    state.other_processes = other_processes(nvml, device);
    return state;
}

std::string throttle_words(std::uint64_t reasons) {
    struct Bit {
        std::uint64_t mask;
        std::string_view word;
    };
    constexpr std::array bits{Bit{0x04, "power cap"},          Bit{0x08, "hardware slowdown"},
                              Bit{0x10, "sync boost"},         Bit{0x20, "thermal (software)"},
                              Bit{0x40, "thermal (hardware)"}, Bit{0x80, "power brake"}};
    std::string words;
    for (const Bit& bit : bits) {
        if (!(reasons & bit.mask)) continue;
        if (!words.empty()) words += ", ";
        words += bit.word;
    }
    return words;
}

}  // namespace parallax
