// Real devices that report small sizes.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "common/device/backend.hpp"

namespace parallax {

/// Another backend's devices with a tiny cache and little memory, so that the sizes that the
/// program chooses, for ceilings above all, exceed the cache and stay small.
class SmallBackend final : public Backend {
public:
    explicit SmallBackend(Backend& real) : real_(real) {}

    std::string_view name() const override { return real_.name(); }
    Inventory find() override {
        Inventory inventory = real_.find();
        for (DeviceInfo& info : inventory.devices) {
            info.cache_bytes = std::min(info.cache_bytes, std::uint64_t{1} << 16);
            info.max_allocation_bytes = std::min(info.max_allocation_bytes, std::uint64_t{1} << 23);
        }
        return inventory;
    }
    std::vector<int> architectures() const override { return real_.architectures(); }
    CompiledProgram compile(const Program& program, int architecture) const override {
        return real_.compile(program, architecture);
    }

private:
    std::unique_ptr<Device> do_open(const DeviceInfo& info, OpenOptions how) override {
        return real_.open(info, how);
    }

    Backend& real_;
};

/// One for each of the program's backends.
inline std::span<const std::unique_ptr<Backend>> small_backends() {
    static const std::vector<std::unique_ptr<Backend>> all = [] {
        std::vector<std::unique_ptr<Backend>> list;
        for (const auto& real : backends()) list.push_back(std::make_unique<SmallBackend>(*real));
        return list;
    }();
    return all;
}

}  // namespace parallax
