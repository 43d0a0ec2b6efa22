// Devices that are opened once for all tests of a program, with their compiled kernels.
#pragma once

#include <algorithm>
#include <list>
#include <memory>
#include <utility>
#include <vector>

#include "common/device/devices.hpp"
#include "measure/binding.hpp"

namespace parallax {

/// An open device and its compiled kernels, since tests of kernels mostly wait for compilers.
class Opened {
public:
    explicit Opened(const Entry& which) : entry(which), device(which.open()) {}

    /// All kernels of the plan, cached by program.
    const Codes& built(const Program& program, const Plan& plan) {
        const auto launches = launches_of(plan);
        const auto has_all = [&](const auto& one) {
            return one.first == program && std::ranges::all_of(launches, [&](const Launch* launch) {
                       return one.second.contains(launch->kernel);
                   });
        };
        const auto known = std::ranges::find_if(built_, has_all);
        if (known != built_.end()) return known->second;
        return built_.emplace_back(program, build(*device, program, plan)).second;
    }

    const Entry entry;
    const std::unique_ptr<Device> device;

private:
    std::list<std::pair<Program, Codes>> built_;
};

/// All devices except the sanitized one, which takes the same sources and is slower.
inline std::list<Opened>& opened_devices() {
    static std::list<Opened> all = [] {
        std::list<Opened> list;
        for (const Entry& entry : find_devices(backends()).entries) {
            if (!entry.info.has("sanitizers")) list.emplace_back(entry);
        }
        return list;
    }();
    return all;
}

}  // namespace parallax
