// Queries NVML for clock frequencies, power, throttling and other users of a device.
#include "measure/telemetry.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/device/devices.hpp"
#include "common/device/loaded_library.hpp"
#include "common/host_clock.hpp"
#include "common/process/job_place.hpp"
#include "common/process/mps.hpp"
#include "common/process/own_processes.hpp"
#include "common/profile.hpp"
#include "records/record.hpp"

namespace parallax {
namespace {

// Declared after NVIDIA's NVML API reference: not every toolkit has nvml.h.
using Handle = void*;
constexpr int success = 0;
/// NVML samples about six times a second: newer events may not be in a sample yet.
constexpr std::uint64_t sample_microseconds = 300'000;
/// They lag by more than this: an earlier query would return the same.
constexpr double lag_seconds = 0.1;
constexpr unsigned clock_sm = 1, clock_memory = 2;

struct ProcessInfo {  // nvmlProcessInfo_t of the _v3 calls
    unsigned pid;
    unsigned long long used_memory;
    unsigned gpu_instance, compute_instance;
};

struct ProcessUse {  // nvmlProcessUtilizationSample_t
    unsigned pid;
    unsigned long long microseconds;  // since 1970
    unsigned percent_of_sm, of_memory, of_encoder, of_decoder;
};

class Nvml {
    LibraryFunctions of_ = nvml_functions();

public:
    static const Nvml& instance() {
        static const Nvml nvml;
        return nvml;
    }

    /// Null: NVML does not know the device. A part of a card (MIG) has a UUID of its own.
    Handle find(const DeviceInfo& info) const {
        if (!info.uuid || !info.is_gpu || !loaded_) return nullptr;
        static std::mutex mutex;
        static std::map<Uuid, Handle> known;  // the driver scans all cards for each search
        const std::scoped_lock lock(mutex);
        const auto [found, is_new] = known.try_emplace(*info.uuid);
        if (is_new) found->second = search(*info.uuid);
        return found->second;
    }

    int (*handle_by_uuid)(const char*, Handle*) = of_["nvmlDeviceGetHandleByUUID"];
    int (*card_of_part)(Handle, Handle*) = of_["nvmlDeviceGetDeviceHandleFromMigDeviceHandle"];
    int (*minor_number)(Handle, unsigned*) = of_["nvmlDeviceGetMinorNumber"];
    int (*persistence)(Handle, unsigned*) = of_["nvmlDeviceGetPersistenceMode"];
    int (*mig)(Handle, unsigned*, unsigned*) = of_["nvmlDeviceGetMigMode"];
    int (*name)(Handle, char*, unsigned) = of_["nvmlDeviceGetName"];
    int (*clock)(Handle, unsigned, unsigned*) = of_["nvmlDeviceGetClockInfo"];
    int (*max_clock)(Handle, unsigned, unsigned*) = of_["nvmlDeviceGetMaxClockInfo"];
    int (*temperature)(Handle, unsigned, unsigned*) = of_["nvmlDeviceGetTemperature"];
    int (*power)(Handle, unsigned*) = of_["nvmlDeviceGetPowerUsage"];
    int (*power_limit)(Handle, unsigned*) = of_["nvmlDeviceGetPowerManagementLimit"];
    int (*ecc)(Handle, unsigned*, unsigned*) = of_["nvmlDeviceGetEccMode"];
    int (*throttle)(Handle, unsigned long long*) = of_["nvmlDeviceGetCurrentClocksThrottleReasons"];
    int (*processes)(Handle, unsigned*,
                     ProcessInfo*) = of_["nvmlDeviceGetComputeRunningProcesses_v3"];
    int (*use)(Handle, ProcessUse*, unsigned*,
               unsigned long long) = of_["nvmlDeviceGetProcessUtilization"];

private:
    Handle search(const Uuid& uuid) const {
        Handle device = nullptr;
        for (const char* kind : {"GPU-", "MIG-"}) {
            if (handle_by_uuid((kind + to_string(uuid)).c_str(), &device) == success) return device;
        }
        return nullptr;
    }

    int (*init_)() = of_["nvmlInit_v2"];
    bool loaded_ = init_ && handle_by_uuid && init_() == success;
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

constexpr int not_found = 6, insufficient_size = 7;

/// All entries that NVML lists. Empty: not available.
/// @param call  fills `list`, which is never null, up to its size
template <class T, class Call>
std::optional<std::vector<T>> list_of(Call&& call) {
    std::vector<T> list(64);
    unsigned count = 0;
    int result = insufficient_size;
    while (result == insufficient_size && list.size() <= 4096) {
        list.resize(std::max<std::size_t>(2 * list.size(), count));
        count = static_cast<unsigned>(list.size());
        result = call(list.data(), &count);
    }
    if (result == not_found) count = 0;
    if (result != success && result != not_found) return {};
    list.resize(std::min<std::size_t>(count, list.size()));
    return list;
}

bool is_own(unsigned pid) {
    return own_processes().has(static_cast<pid_t>(pid));
}

std::optional<std::uint32_t> other_processes(const Nvml& nvml, Handle device) {
    if (!nvml.processes) return {};
    const auto list = list_of<ProcessInfo>(
        [&](ProcessInfo* room, unsigned* count) { return nvml.processes(device, count, room); });
    if (!list) return {};
    return static_cast<std::uint32_t>(
        std::ranges::count_if(*list, [](const ProcessInfo& one) { return !is_own(one.pid); }));
}

/// The share of the multiprocessors' time that other processes used since then. NVML reports
/// process IDs of the host: where this process is not among them, as in a container with its own
/// PID namespace, only processes that are certainly others count.
std::optional<double> use_by_others(const Nvml& nvml, Handle device, std::uint64_t since) {
    // With the Multi-Process Service all work belongs to its server.
    if (!nvml.use || !nvml.processes || has_mps()) return {};
    const auto samples = list_of<ProcessUse>(
        [&](ProcessUse* room, unsigned* count) { return nvml.use(device, room, count, since); });
    const auto list = list_of<ProcessInfo>(
        [&](ProcessInfo* room, unsigned* count) { return nvml.processes(device, count, room); });
    if (!samples || !list) return {};
    std::map<unsigned, unsigned> percents;
    bool has_own = false, has_unknown = false;
    for (const ProcessUse& one : *samples) {
        if (one.microseconds < since) continue;
        has_own |= is_own(one.pid);
        if (!is_own(one.pid)) percents[one.pid] = std::max(percents[one.pid], one.percent_of_sm);
    }
    double sum = 0;
    for (const auto& [pid, percent] : percents) {
        const bool is_listed = std::ranges::find(*list, pid, &ProcessInfo::pid) != list->end();
        if (is_listed || has_own) {
            sum += percent;
        } else {
            has_unknown = true;
        }
    }
    if (sum == 0 && has_unknown) return {};
    return std::min(1.0, sum / 100);
}

std::uint64_t microseconds_since_1970() {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000 +
           static_cast<std::uint64_t>(now.tv_nsec) / 1000;
}

/// `off`, `on`, or for a part of a card its profile, the end of its name: `NVIDIA A100-SXM4-40GB
/// MIG 1g.5gb`.
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

/// Properties that do not change while the process lives.
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

/// Queried once: the highest clock frequencies take the driver milliseconds.
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

void ask_clock(const Nvml& nvml, Handle device, DeviceState& state) {
    state.sm_clock_mhz = ask(nvml.clock, device, clock_sm);
    state.throttle_reasons.reset();
    if (unsigned long long reasons = 0;
        nvml.throttle && nvml.throttle(device, &reasons) == success) {
        state.throttle_reasons = reasons;
    }
}

}  // namespace

DeviceState device_state(const DeviceInfo& info) {
    const InPhase phase(Phase::other, "device state");
    DeviceState state;
    const Nvml& nvml = Nvml::instance();
    const Handle device = nvml.find(info);
    if (!device) return state;
    state = lasting(nvml, device).state;
    state.memory_clock_mhz = ask(nvml.clock, device, clock_memory);
    state.temperature_celsius = ask(nvml.temperature, device, 0u);
    state.power_watts = watts(ask(nvml.power, device));
    state.power_limit_watts = watts(ask(nvml.power_limit, device));
    ask_clock(nvml, device, state);
    state.other_processes = other_processes(nvml, device);
    return state;
}

void renew_clock(const DeviceInfo& info, DeviceState& state) {
    const InPhase phase(Phase::other, "device state");
    const Nvml& nvml = Nvml::instance();
    if (const Handle device = nvml.find(info)) ask_clock(nvml, device, state);
}

/// CPU time of all processors so far, and of this process; seconds.
struct OthersUse::Processors {
    double all = 0, busy = 0, own = 0;

    static Processors now() {
        Processors sums;
        std::ifstream stat("/proc/stat");
        std::string word;
        stat >> word;  // `cpu`: user nice system idle iowait irq softirq steal, in ticks
        const auto tick = static_cast<double>(sysconf(_SC_CLK_TCK));
        double ticks = 0;
        for (unsigned i = 0; i < 8 && stat >> ticks; ++i) {
            sums.all += ticks / tick;
            if (i != 3 && i != 4) sums.busy += ticks / tick;
        }
        for (const int whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
            rusage use{};
            getrusage(whose, &use);
            for (const timeval& part : {use.ru_utime, use.ru_stime}) {
                sums.own +=
                    static_cast<double>(part.tv_sec) + 1e-6 * static_cast<double>(part.tv_usec);
            }
        }
        return sums;
    }
};

OthersUse::OthersUse(const DeviceInfo& info) : device_(Nvml::instance().find(info)) {
    if (info.is_pocl()) processors_ = std::make_unique<Processors>(Processors::now());
    begin();
}

OthersUse::~OthersUse() = default;

void OthersUse::begin() {
    since_ = microseconds_since_1970();
    if (processors_) *processors_ = Processors::now();
}

std::optional<double> OthersUse::share() const {
    const InPhase phase(Phase::other, "device state");
    if (device_) return use_by_others(Nvml::instance(), device_, since_ - sample_microseconds);
    if (!processors_) return {};
    const Processors now = Processors::now();
    const double all = now.all - processors_->all;
    // Ticks of 10 ms: less than ten of them are meaningless.
    if (!(all >= 0.1)) return {};
    const double others = now.busy - processors_->busy - (now.own - processors_->own);
    return std::round(std::clamp(others / all, 0.0, 1.0) * 1000) / 1000;
}

std::optional<double> OthersUse::recent_share() const {
    struct Known {
        HostClock::time_point at;
        std::uint64_t since = 0;
        std::optional<double> share;
    };
    static std::mutex mutex;
    static std::map<Handle, Known> all;
    if (!device_) return share();
    const std::scoped_lock lock(mutex);
    const auto known = all.find(device_);
    // A query over a longer time includes use that has ended.
    if (known != all.end() && seconds_since(known->second.at) < lag_seconds &&
        known->second.since + sample_microseconds >= since_) {
        return known->second.share;
    }
    const Known now{HostClock::now(), since_, share()};
    return all.insert_or_assign(device_, now).first->second.share;
}

DeviceSettings device_settings(const DeviceInfo& info) {
    const Nvml& nvml = Nvml::instance();
    if (const Handle device = nvml.find(info)) return lasting(nvml, device).settings;
    return {.slot = job_place().local_task};
}

std::string words_of_others(const DeviceState& state, std::string_view device) {
    if (state.others_use.value_or(0) > others_noticed) {
        return fmt::format("Others used {:.0f} % of {} while it was timed.",
                           100 * *state.others_use, device);
    }
    const std::uint32_t count = state.other_processes.value_or(0);
    if (count == 0) return {};
    const std::string share = !state.others_use ? "an unknown share"
                              : *state.others_use > 0
                                  ? fmt::format("less than {:.0f} %", 100 * others_noticed)
                                  : "none";
    return fmt::format("{} other process{} {} {}, and used {} of its time.", count,
                       count == 1 ? "" : "es", count == 1 ? "holds" : "hold", device, share);
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
