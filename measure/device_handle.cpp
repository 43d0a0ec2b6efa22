// Opens a device's contexts, and reopens them after an error.
#include "measure/device_handle.hpp"

#include "common/error.hpp"
#include "common/process/watchdog.hpp"
#include "measure/program_cache.hpp"

namespace parallax {

Device& DeviceHandle::device(const Opening& opening) {
    std::shared_ptr<Device>& device = open_[opening];
    if (!device) device = entry.open(opening.options);
    return *device;
}

void DeviceHandle::reopen(const std::string& name, const std::string& reason) {
    ++generation_;
    try {
        for (const auto& [opening, device] : open_) {
            if (device && programs_) programs_->forget(*device);
        }
        open_.clear();
        open_[{}] = entry.open_again();
        is_lost_ = false;
    } catch (const Error& error) {
        go_on_in_another_process(name, reason);
        is_lost_ = true;
        trouble_ = error.what();
    }
}

}  // namespace parallax
