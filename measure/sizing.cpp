// Weighs a case's buffers and work against a device.
#include "measure/sizing.hpp"

#include <algorithm>

#include <unistd.h>

namespace parallax {

std::uint64_t host_memory_bytes() {
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
    return pages > 0 && size > 0
               ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size)
               : std::uint64_t{1} << 30;
}

bool has_room(const DeviceInfo& info, const Plan& plan, unsigned sets) {
    const Footprint need = footprint(plan);
    return sets * need.total < info.memory_bytes / 2 && need.largest < info.max_allocation_bytes &&
           need.total < host_memory_bytes() / 8;
}

double least_seconds(const Case& c, const Ceiling& ceiling) {
    const Work work = c.suite->work(c);
    double seconds = 0;
    if (ceiling.bytes_per_second > 0) seconds = work.bytes / ceiling.bytes_per_second;
    if (ceiling.operations_per_second > 0) {
        seconds = std::max(seconds, work.operations / ceiling.operations_per_second);
    } else if (ceiling.bytes_per_second > 0) {
        // No ceiling of operations was measured for this type: one counts as a byte.
        seconds = std::max(seconds, work.operations / ceiling.bytes_per_second);
    }
    return seconds;
}

}  // namespace parallax
