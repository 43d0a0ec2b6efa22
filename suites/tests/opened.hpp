// The devices that are here, opened once for all tests of a program, with what was built for them.
#pragma once

#include <algorithm>
#include <list>
#include <memory>
#include <utility>
#include <vector>

#include "common/device/devices.hpp"
#include "measure/binding.hpp"

namespace parallax {

/// A device, open, and what was built for it: most of what tests of kernels take is the compilers'
/// time.
class Opened {
public:
    explicit Opened(const Entry& which) : entry(which), device(which.open()) {}

    /// All kernels that the plan launches. Who asks for the same program again gets what was built.
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

/// All but the sanitized one, which takes the same texts and is slower.
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
