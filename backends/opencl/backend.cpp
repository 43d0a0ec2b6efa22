// Finds and opens OpenCL devices, on all platforms that the ICD loader knows.
#include "common/device/backend.hpp"

#include <chrono>
#include <map>
#include <mutex>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/opencl/driver_cache.hpp"
#include "backends/opencl/opencl_device.hpp"
#include "backends/opencl/platforms.hpp"
#include "common/error.hpp"
#include "common/process/confined.hpp"

namespace parallax {
namespace opencl {
namespace {

constexpr std::string_view how_to_get =
    "Install one: for the CPU 'apt install pocl-opencl-icd', or with the wheel 'pip install "
    "parallax-gpu[cpu]'; a GPU's driver brings its own, as a file in /etc/OpenCL/vendors.";

/// Time limit for a platform to list its devices: a server's eight GPUs take long to wake up.
constexpr std::chrono::seconds most_time{20};

/// Limit for a timer's tick, in seconds: a batch lasts a thousand ticks.
constexpr double longest_tick = 0.01;

struct Found {
    cl::Platform platform;
    cl::Device device;
};

class OpenClBackend final : public Backend {
public:
    std::string_view name() const override { return "opencl"; }

    Inventory find() override {
        prepare_builders();
        Inventory inventory;
        const std::string& left_out = load_platforms();
        std::vector<Found> found = look(inventory);
        for (const Found& one : found) {
            try {
                DeviceInfo info = describe(one.platform, one.device);
                info.index = static_cast<unsigned>(inventory.devices.size());
                inventory.devices.push_back(std::move(info));
            } catch (const cl::Error& error) {
                inventory.left_out = fmt::format(
                    "A device of the platform '{}' does not answer: {} ({}).",
                    one.platform.getInfo<CL_PLATFORM_NAME>(), error_name(error.err()), error.err());
            }
        }
        if (!left_out.empty() && found.empty()) inventory.problem.clear();
        if (!left_out.empty() && !inventory.left_out.empty()) inventory.left_out += ' ';
        inventory.left_out += left_out;
        return inventory;
    }

private:
    /// Must be called before the first call of the loader.
    static void prepare_builders() {
        if (!use_own_driver_cache()) return;
        std::vector<Icd> icds = installed_icds();
        std::erase_if(
            icds, [](const Icd& icd) { return icd.library.find("nvidia") == std::string::npos; });
        if (!icds.empty()) BuilderProcess::prepare(icds);
    }

    /// Processes for all devices of a model, since equal devices share one cache. Null for devices
    /// that build in this process.
    std::shared_ptr<Builders> builders_of(const DeviceInfo& info) {
        if (!BuilderProcess::is_prepared() || !info.has("ptx")) return {};
        const std::scoped_lock lock(mutex_);
        std::weak_ptr<Builders>& known = builders_[info.platform + '\n' + info.name];
        std::shared_ptr<Builders> builders = known.lock();
        if (!builders) known = builders = std::make_shared<Builders>(info);
        return builders;
    }

    /// The loader's first call, which loads the platforms that do not crash. @return the skipped
    /// platforms, and why; empty: none
    static const std::string& load_platforms() {
        static const std::string left_out = [] {
            const Harmless harmless = harmless_icds(look_closely, most_time, most_time);
            std::optional<OnlyIcds> only;
            if (harmless.icds) only.emplace(*harmless.icds);
            Inventory problems;
            look(problems);
            return fmt::format("{}", fmt::join(harmless.left_out, " "));
        }();
        return left_out;
    }

    /// Makes all calls that precede opening a device.
    static void look_closely() {
        Inventory problems;
        for (const Found& one : look(problems)) describe(one.platform, one.device);
    }

    std::unique_ptr<Device> do_open(const DeviceInfo& info, OpenOptions how) override {
        if (info.timer_tick_seconds > longest_tick) {
            throw DeviceError(fmt::format(
                "{} ({}) says that its timer ticks every {:.3g} s: nothing can be timed by it.",
                info.id(), info.name, info.timer_tick_seconds));
        }
        Inventory problems;
        unsigned index = 0;
        for (const Found& one : look(problems)) {
            if (index++ != info.index) continue;
            if (describe(one.platform, one.device).name != info.name) break;
            return std::make_unique<OpenClDevice>(info, one.platform, one.device, how,
                                                  builders_of(info));
        }
        throw DeviceError(
            fmt::format("{} ({}) is no longer there. See 'parallax devices' for what is.",
                        info.id(), info.name));
    }

    /// The first call starts PoCL's threads, which assemble kernels and run them. They inherit that
    /// no file of the user's is there for them.
    static void list_devices(const cl::Platform& platform, std::vector<cl::Device>& devices) {
        const auto list = [&] { platform.getDevices(CL_DEVICE_TYPE_ALL, &devices); };
        static std::once_flag once;
        const bool is_pocl = platform.getInfo<CL_PLATFORM_NAME>() == "Portable Computing Language";
        try {
            if (is_pocl) std::call_once(once, [&] { confined(PathSandbox({}), {}, list); });
        } catch (const cl::Error&) {
            throw;
        } catch (const std::exception&) {  // they can open what this process can
        }
        if (devices.empty()) list();
    }

    /// All devices of all platforms. They are queried again each time, so that a removed device is
    /// noticed when it is opened.
    /// @param inventory  receives problems
    static std::vector<Found> look(Inventory& inventory) {
        std::vector<Found> found;
        std::vector<cl::Platform> platforms;
        try {
            cl::Platform::get(&platforms);
        } catch (const cl::Error& error) {
            if (error.err() != -1001) {
                inventory.problem = fmt::format("The OpenCL loader failed: {} ({}).",
                                                error_name(error.err()), error.err());
                return found;
            }
        }
        if (platforms.empty()) {
            inventory.problem = fmt::format("No OpenCL platform is installed. {}", how_to_get);
            return found;
        }
        for (const cl::Platform& platform : platforms) {
            std::vector<cl::Device> devices;
            try {
                list_devices(platform, devices);
            } catch (const cl::Error& error) {
                if (error.err() == CL_DEVICE_NOT_FOUND) continue;
                inventory.left_out = fmt::format(
                    "The OpenCL platform '{}' does not list its devices: {} ({}).",
                    platform.getInfo<CL_PLATFORM_NAME>(), error_name(error.err()), error.err());
                continue;
            }
            for (const cl::Device& device : devices) found.push_back({platform, device});
        }
        if (found.empty() && inventory.left_out.empty()) {
            inventory.problem = "The OpenCL platforms here have no device.";
        }
        return found;
    }

    std::mutex mutex_;                                         ///< of the following members
    std::map<std::string, std::weak_ptr<Builders>> builders_;  ///< by platform and name
};

}  // namespace
}  // namespace opencl

std::unique_ptr<Backend> make_opencl_backend() {
    return std::make_unique<opencl::OpenClBackend>();
}

}  // namespace parallax
