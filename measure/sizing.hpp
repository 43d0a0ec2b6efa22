// Sizes that suit a device: large enough to say something, small enough to have room.
#pragma once

#include <cstdint>
#include <span>

#include "common/suite/suite.hpp"
#include "records/record.hpp"

namespace parallax {

/// Bytes of memory that this machine has; 1 GiB when it does not say.
std::uint64_t host_memory_bytes();

/// Whether `sets` sets of the plan's buffers leave room for others on the device, and for their
/// reference on the host.
bool has_room(const DeviceInfo&, const Plan&, unsigned sets = 1);

/// A device that a size has to suit, and what it can do at most.
struct Sized {
    const DeviceInfo* info = nullptr;
    Ceiling ceiling;
};

/// The shape of a case that was left open: the smallest that no cache holds and that keeps every
/// device busy for long enough to be judged, else the largest that all have room for and that takes
/// no more than `most_seconds` by their ceilings.
Shape choose_shape(const Case&, std::span<const Sized> devices, double most_seconds);

/// Whether nothing else may go on while batches of the case are timed on a GPU, because the host's
/// work is a part of what is timed: with several queues or memory of the host, and where a step is
/// short by the ceilings.
/// @param c  an open shape counts as the largest
bool host_bound(Case c, const Ceiling&);

/// Seconds that the case's work takes at least on a device with these ceilings; 0: not known.
double least_seconds(const Case&, const Ceiling&);

}  // namespace parallax
