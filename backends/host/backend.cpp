// The host device, which runs CUDA sources without a GPU: for verification, never for speed.
#include "common/device/backend.hpp"

#include <algorithm>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "backends/host/host_device.hpp"
#include "backends/host/host_source.hpp"

namespace parallax {
namespace host {
namespace {

std::uint64_t from_system(int what, std::uint64_t otherwise) {
    const long value = sysconf(what);
    return value > 0 ? static_cast<std::uint64_t>(value) : otherwise;
}

DeviceInfo describe(bool is_sanitized) {
    DeviceInfo info;
    info.backend = "host";
    info.index = is_sanitized ? 1 : 0;
    info.name = is_sanitized ? "CUDA C++ on the host, sanitized" : "CUDA C++ on the host";
    info.vendor = "this program";
    info.platform =
        is_sanitized
            ? "work-items as fibers, with the sanitizers of addresses and undefined behaviour"
            : "work-items as fibers";
    info.api_version = "CUDA C++ as C++17";
    info.compiler_version = compiler().version;
    info.only_checks = true;
    info.compute_units = std::max(1U, std::thread::hardware_concurrency());
    info.memory_bytes = from_system(_SC_PHYS_PAGES, 1U << 18U) * from_system(_SC_PAGE_SIZE, 4096);
    info.max_allocation_bytes = info.memory_bytes / 4;
    info.cache_bytes = from_system(_SC_LEVEL3_CACHE_SIZE, 0);
    info.local_bytes = dynamic_bytes;
    info.constant_bytes = 65536;
    info.max_group_items = 1024;
    info.max_items = {1024, 1024, 64};
    info.max_groups = {0x7fffffff, 65535, 65535};
    info.preferred_multiple = 32;
    info.timer_tick_seconds = 1e-9;
    info.unified_memory = true;
    info.features = {"asynchronous_copies", "correctly_rounded_divide_sqrt", "double", "images"};
    if (is_sanitized) info.features.insert("sanitizers");
    info.max_image_width = info.max_image_height = 32768;
    info.max_image_texels = std::uint64_t{1} << 27U;
    return info;
}

class HostBackend final : public Backend {
public:
    std::string_view name() const override { return "host"; }

    Inventory find() override {
        Inventory inventory;
        if (compiler().program.empty()) {
            inventory.problem =
                "No C++ compiler is here, which would build CUDA sources for the host: c++, g++ "
                "and clang++ are looked for. On Debian: apt-get install g++.";
            return inventory;
        }
        inventory.devices.push_back(describe(false));
        if (compiler().has_sanitizers) inventory.devices.push_back(describe(true));
        return inventory;
    }

private:
    std::unique_ptr<Device> do_open(const DeviceInfo& info, OpenOptions) override {
        const Inventory here = find();
        if (info.index >= here.devices.size()) {
            throw DeviceError(fmt::format("{} ({}) is no longer there. See `parallax devices`.",
                                          info.id(), info.name));
        }
        return std::make_unique<HostDevice>(info, info.index == 1);
    }
};

}  // namespace
}  // namespace host

std::unique_ptr<Backend> make_host_backend() {
    return std::make_unique<host::HostBackend>();
}

}  // namespace parallax
