// Opens a device's contexts, and reopens them after an error.
#include "measure/device_handle.hpp"

#include "common/error.hpp"
#include "common/process/watchdog.hpp"
#include "measure/program_cache.hpp"

namespace parallax {

Device& DeviceHandle::device(Opening opening) {
    std::shared_ptr<Device>& device = open_.at(static_cast<std::size_t>(opening));
    if (!device) device = entry.open({.profiling = opening != Opening::without_profiling});
    return *device;
}

void DeviceHandle::reopen(const std::string& name, const std::string& reason) {
    ++generation_;
    try {
        for (std::shared_ptr<Device>& device : open_) {
            if (device && programs_) programs_->forget(*device);
            device = nullptr;
        }
        open_.front() = entry.open_again();
        is_lost_ = false;
    } catch (const Error& error) {
        go_on_in_another_process(name, reason);
        is_lost_ = true;
        trouble_ = error.what();
    }
}

}  // namespace parallax
