// Chooses problem sizes for a device: large enough to measure, small enough to fit.
#pragma once

#include <cstdint>
#include <span>

#include "common/suite/suite.hpp"
#include "records/record.hpp"

namespace parallax {

/// Bytes of memory of this machine; 1 GiB where the system does not tell.
std::uint64_t host_memory_bytes();

/// Whether `sets` sets of the plan's buffers leave enough room on the device, and on the host for
/// their reference.
bool has_room(const DeviceInfo&, const Plan&, unsigned sets = 1);

/// A device that a size must suit, with its ceilings.
struct Sized {
    const DeviceInfo* info = nullptr;
    Ceiling ceiling;
};

/// A shape for an open case: the smallest that exceeds every cache and keeps every device busy long
/// enough, else the largest that fits everywhere and takes at most `most_seconds` by the ceilings.
Shape choose_shape(const Case&, std::span<const Sized> devices, double most_seconds);

/// Whether nothing else may run while the case is timed on a GPU, because host work is part of the
/// time: with several queues or host memory, and with short steps by the ceilings.
/// @param c  an open shape counts as the largest
bool host_bound(Case c, const Ceiling&);

/// Whether the pool pauses while a case is timed on its own. A ceiling of long launches on a GPU
/// does not mind: builds of what comes after it go on.
bool pauses_the_pool(const Case&, const DeviceInfo&);

/// A lower bound of the case's seconds on a device with these ceilings; 0: not known.
double least_seconds(const Case&, const Ceiling&);

}  // namespace parallax
