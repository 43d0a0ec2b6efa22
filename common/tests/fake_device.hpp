// A backend for tests: kernels are host functions, the timer is scripted, calls fail on demand.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/device/backend.hpp"
#include "common/error.hpp"

namespace parallax::fake {

/// The arguments of one launch for a host function.
struct HostLaunch {
    Geometry geometry;
    std::vector<Argument> arguments;
    const Program* program = nullptr;

    /// The payload of a buffer argument.
    template <class T>
    std::span<T> buffer(std::size_t index) const {
        const std::span<std::byte> bytes = payload(index);
        return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
    }
    template <class T>
    T scalar(std::size_t index) const {
        return std::get<T>(std::get<Scalar>(arguments.at(index)));
    }
    /// The value of a constant of the program.
    std::int64_t constant(std::string_view name) const;

private:
    std::span<std::byte> payload(std::size_t index) const;
};

using HostKernel = std::function<void(const HostLaunch&)>;

/// The behaviour of a fake device, shared by all instances. Tests change it while it runs.
struct Script {
    std::map<std::string, HostKernel, std::less<>> kernels;
    /// Device seconds of the next batches; then `seconds_per_run` each.
    std::deque<double> clock;
    double seconds_per_run = 1e-3;
    /// Seconds of one run, by the program of its first launch; none: `seconds_per_run`.
    std::function<double(const Program&)> seconds_of = {};
    /// Seconds of one run, by its commands and how the device was opened; before `seconds_of`.
    std::function<double(std::span<const Command>, const OpenOptions&)> seconds_of_commands = {};
    /// Returns the PTX of a program, or throws to make its build fail. None: no PTX.
    std::function<std::string(const Program&)> ptx_of = {};
    std::function<std::uint32_t(const Program&)> registers_of = {};
    /// Called before each call into the device with its name (`allocate`, `page_locked`, `write`,
    /// `read`, `load again`, `renew queue`, `write page-locked`, `read page-locked`, `compile`,
    /// `run`, `open`, `open without profiling`): throw to make it fail.
    std::function<void(std::string_view call)> before = [](std::string_view) {};
    std::atomic<unsigned> opened = 0;  ///< devices in total
    std::atomic<unsigned> runs = 0, compiles = 0;
    unsigned builds_at_once = 64;                         ///< at most, of those that are expected
    std::atomic<std::size_t> expected_builds = 0;         ///< from the last call
    std::atomic<unsigned> loads = 0;                      ///< of code that was compiled before
    std::atomic<std::size_t> live_bytes = 0;              ///< allocated and not yet freed
    std::map<const std::byte*, std::size_t> page_locked;  ///< live memory, with its bytes

    /// Whether all of it is page-locked.
    bool locks(std::span<const std::byte> data) const;
};

/// A backend with one fake device for each DeviceInfo.
class FakeBackend final : public Backend {
public:
    explicit FakeBackend(std::shared_ptr<Script> script, std::string name = "fake");

    std::string_view name() const override { return name_; }
    Inventory find() override { return inventory; }

    Inventory inventory;  ///< initially one device; tests change it

private:
    std::unique_ptr<Device> do_open(const DeviceInfo&, OpenOptions) override;

    std::shared_ptr<Script> script_;
    std::string name_;
};

/// A device with the fake's capabilities.
DeviceInfo fake_info(std::string backend = "fake");

/// An exception-throwing `Script::before` that fails the `nth` call (from 1) of that name.
std::function<void(std::string_view)> fail_nth(std::string call, unsigned nth);

}  // namespace parallax::fake
