// The members of a record's device. For records/*.cpp alone.
#pragma once

#include "records/members.hpp"

namespace parallax {

using members::fact;
using members::flat;
using members::member;

constexpr auto members_of(const DeviceSettings*) {
    return std::tuple{
        fact("slot", &DeviceSettings::slot, kinds::small,
             "the node's own number of the device: N of NVIDIA's `/dev/nvidiaN`, elsewhere the "
             "task's number on its node"),
        fact("mig", &DeviceSettings::mig, kinds::text,
             "`off`, `on`, or of an instance its profile: `1g.10gb`"),
        fact("mps", &DeviceSettings::mps, kinds::truth,
             "work goes through a daemon of NVIDIA's Multi-Process Service"),
        fact("persistence", &DeviceSettings::persistence, kinds::truth,
             "the driver stays loaded while the device is unused"),
        fact("ecc", &DeviceSettings::ecc, kinds::truth, "errors in memory are corrected"),
        fact("power_limit_watts", &DeviceSettings::power_limit_watts, kinds::not_negative,
             "allowed, when the run first asked"),
    };
}

constexpr auto members_of(const DeviceRecord*) {
    using kinds::text;
    return std::tuple{
        member("name", &DeviceRecord::name, text, "the device's name"),
        member("backend", &DeviceRecord::backend, text, "`opencl` or `cuda`"),
        fact("platform", &DeviceRecord::platform, text, "OpenCL's platform, CUDA's runtime"),
        fact("vendor", &DeviceRecord::vendor, text, "the maker"),
        member("uuid", &DeviceRecord::uuid, text, "32 hex digits").or_unknown(),
        member("pci", &DeviceRecord::pci, text, "`0000:9b:00.0`").or_unknown(),
        fact("api", &DeviceRecord::api, text, "version of the API"),
        member("driver", &DeviceRecord::driver, text, "its version").or_unknown(),
        fact("compiler", &DeviceRecord::compiler, text, "version of the run-time compiler"),
        fact("compute_capability", &DeviceRecord::compute_capability, text, "`9.0`"),
        member("compute_units", &DeviceRecord::compute_units, kinds::small,
               "compute units, multiprocessors")
            .not_in_old(),
        member("memory_bytes", &DeviceRecord::memory_bytes, kinds::whole, "of the device"),
        member("cache_bytes", &DeviceRecord::cache_bytes, kinds::whole, "of the last level")
            .not_in_old(),
        member("timer_tick_seconds", &DeviceRecord::timer_tick_seconds, kinds::not_negative,
               "resolution of the device's timer")
            .not_in_old(),
        flat(&DeviceRecord::settings),
    };
}

constexpr auto members_of(const DeviceState*) {
    using kinds::small;
    return std::tuple{
        fact("sm_clock_mhz", &DeviceState::sm_clock_mhz, small,
             "clock frequency of the multiprocessors"),
        fact("memory_clock_mhz", &DeviceState::memory_clock_mhz, small,
             "clock frequency of the memory"),
        fact("max_sm_clock_mhz", &DeviceState::max_sm_clock_mhz, small, "the highest there is"),
        fact("temperature_celsius", &DeviceState::temperature_celsius, small, "of the chip"),
        fact("power_watts", &DeviceState::power_watts, kinds::not_negative, "drawn"),
        fact("power_limit_watts", &DeviceState::power_limit_watts, kinds::not_negative, "allowed"),
        fact("ecc", &DeviceState::ecc, kinds::truth, "errors in memory are corrected"),
        fact("throttle_reasons", &DeviceState::throttle_reasons, kinds::whole,
             "NVML's bits; 0: none"),
        fact("other_processes", &DeviceState::other_processes, small,
             "other than this one that use the device"),
        fact("others_use", &DeviceState::others_use, kinds::not_negative,
             "share of the device's time that others had during the measurement, 0 to 1"),
    };
}

/// The device's state around the measurement.
struct States {
    DeviceState before, after;
};
constexpr auto members_of(const States*) {
    return std::tuple{
        member("before", &States::before, "[what NVML said](#state) before the measurement"),
        member("after", &States::after, "the same after it"),
    };
}

}  // namespace parallax
