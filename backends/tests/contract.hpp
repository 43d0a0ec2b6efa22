// The devices under the contract, and shared parts of its tests.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "common/device/devices.hpp"
#include "common/tests/fake_device.hpp"
#include "common/text/embedded_file.hpp"

namespace parallax {

/// Found by argument-dependent lookup: GoogleTest would print bytes.
void PrintTo(const Entry&, std::ostream*);

/// contract.cl alone.
std::span<const EmbeddedFile> contract_kernels();

/// The kernels of contract.cl, as host functions.
std::shared_ptr<fake::Script> contract_script();

/// Work-items of the whole launch in each dimension.
inline Size global_of(const fake::HostLaunch& launch) {
    const Geometry& g = launch.geometry;
    return {g.groups.x * g.items.x, g.groups.y * g.items.y, g.groups.z * g.items.z};
}

/// Calls `body(group, item, at)` with the indices of all work-items of a launch.
template <class Body>
void each_item(const fake::HostLaunch& launch, Body&& body) {
    const Size items = launch.geometry.items, all = global_of(launch);
    for (std::uint64_t z = 0; z < all.z; ++z) {
        for (std::uint64_t y = 0; y < all.y; ++y) {
            for (std::uint64_t x = 0; x < all.x; ++x) {
                const Size groups = launch.geometry.groups;
                const std::uint64_t group =
                    ((z / items.z) * groups.y + y / items.y) * groups.x + x / items.x;
                const std::uint64_t item =
                    ((z % items.z) * items.y + y % items.y) * items.x + x % items.x;
                body(group, item, (z * all.y + y) * all.x + x);
            }
        }
    }
}

/// A fake device, and every available device.
std::vector<Entry> all_devices();

/// contract.cl
Program contract_program(std::vector<Constant> constants = {{"LENGTH", 64}});
/// A program with one of its kernels, which builds faster.
Program contract_program_of(std::string_view kernel,
                            std::vector<Constant> constants = {{"LENGTH", 64}});

/// `opencl_0`
std::string name_of_device(const testing::TestParamInfo<Entry>&);

class Contract : public testing::TestWithParam<Entry> {
protected:
    std::unique_ptr<Device> device_ = GetParam().open();
    Device& device() { return *device_; }

    std::vector<std::int32_t> ints(const std::shared_ptr<Memory>& memory) {
        const HostArray array = device().download(*memory, ElementType::i32);
        const auto values = array.as<std::int32_t>();
        return {values.begin(), values.end()};
    }
    std::shared_ptr<Memory> upload_ints(const std::vector<std::int32_t>& values) {
        HostArray array(ElementType::i32, values.size());
        std::ranges::copy(values, array.as<std::int32_t>().begin());
        return device().upload(array);
    }
    Elapsed run(Command command, unsigned repeats = 1) {
        return device().run(std::span(&command, 1), repeats);
    }
};

}  // namespace parallax
