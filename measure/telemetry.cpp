// Asks NVML for clocks, power, throttling and other users of a device.
#include "measure/telemetry.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include "common/devices.hpp"
#include "common/job_place.hpp"
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

    /// Null: NVML does not know the device. A part of a card (MIG) has a UUID of its own kind.
    Handle find(const DeviceInfo& info) const {
        Handle device = nullptr;
        if (!info.uuid || !info.is_gpu || !loaded_) return nullptr;
        for (const char* kind : {"GPU-", "MIG-"}) {
            const std::string uuid = kind + to_string(*info.uuid);
            if (handle_by_uuid(uuid.c_str(), &device) == success) return device;
        }
        return nullptr;
    }

    int (*handle_by_uuid)(const char*, Handle*) = nullptr;
    int (*card_of_part)(Handle, Handle*) = nullptr;
    int (*minor_number)(Handle, unsigned*) = nullptr;
    int (*persistence)(Handle, unsigned*) = nullptr;
    int (*mig)(Handle, unsigned*, unsigned*) = nullptr;
    int (*name)(Handle, char*, unsigned) = nullptr;
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
        const auto load = [&](auto& function, const char* symbol) {
            function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, symbol));
        };
        load(init, "nvmlInit_v2");
        load(handle_by_uuid, "nvmlDeviceGetHandleByUUID");
        load(card_of_part, "nvmlDeviceGetDeviceHandleFromMigDeviceHandle");
        load(minor_number, "nvmlDeviceGetMinorNumber");
        load(persistence, "nvmlDeviceGetPersistenceMode");
        load(mig, "nvmlDeviceGetMigMode");
        load(name, "nvmlDeviceGetName");
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

/// `off`, `on`, or of a part of a card its profile, which ends the name that it has:
/// `NVIDIA A100-SXM4-40GB MIG 1g.5gb`.
std::string mig_of(const Nvml& nvml, Handle card, Handle device) {
    std::array<char, 128> name{};
    constexpr std::string_view word = "MIG ";
    if (device != card && nvml.name &&
        nvml.name(device, name.data(), static_cast<unsigned>(name.size() - 1)) == success) {
        const std::string_view said = name.data();
        const std::size_t at = said.rfind(word);
        if (at != std::string_view::npos) return std::string(said.substr(at + word.size()));
    }
    unsigned current = 0, pending = 0;
    if (!nvml.mig || nvml.mig(card, &current, &pending) != success) return {};
    return current == 0 ? "off" : "on";
}

/// Whether a daemon of the Multi-Process Service listens where this process would look for it.
bool has_mps() {
    const char* folder = std::getenv("CUDA_MPS_PIPE_DIRECTORY");
    const std::filesystem::path pipes = folder && *folder ? folder : "/tmp/nvidia-mps";
    std::error_code error;
    return std::filesystem::exists(pipes / "control", error);
}

/// What stays as it is while the process lives.
struct Lasting {
    DeviceState state;
    DeviceSettings settings;
};

DeviceSettings ask_settings(const Nvml& nvml, Handle device) {
    DeviceSettings settings;
    Handle card = device;
    if (!nvml.card_of_part || nvml.card_of_part(device, &card) != success) card = device;
    settings.slot = ask(nvml.minor_number, card);
    settings.mig = mig_of(nvml, card, device);
    settings.mps = has_mps();
    if (const auto mode = ask(nvml.persistence, card)) settings.persistence = *mode != 0;
    if (unsigned current = 0, pending = 0;
        nvml.ecc && nvml.ecc(card, &current, &pending) == success) {
        settings.ecc = current != 0;
    }
    settings.power_limit_watts = watts(ask(nvml.power_limit, card));
    return settings;
}

/// Asked for once: the driver takes milliseconds for the highest clocks.
const Lasting& lasting(const Nvml& nvml, Handle device) {
    static std::mutex mutex;
    static std::map<Handle, Lasting> known;
    const std::scoped_lock lock(mutex);
    const auto [found, is_new] = known.try_emplace(device);
    auto& [state, settings] = found->second;
    if (!is_new) return found->second;
    settings = ask_settings(nvml, device);
    state.ecc = settings.ecc;
    state.max_sm_clock_mhz = ask(nvml.max_clock, device, clock_sm);
    state.max_memory_clock_mhz = ask(nvml.max_clock, device, clock_memory);
    return found->second;
}

}  // namespace

DeviceState device_state(const DeviceInfo& info) {
    const InPhase phase(Phase::other, "device state");
    DeviceState state;
    const Nvml& nvml = Nvml::instance();
    const Handle device = nvml.find(info);
    if (!device) return state;
    state = lasting(nvml, device).state;
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

DeviceSettings device_settings(const DeviceInfo& info) {
    const Nvml& nvml = Nvml::instance();
    if (const Handle device = nvml.find(info)) return lasting(nvml, device).settings;
    return {.slot = job_place().local_task};
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
