// The knobs of the host: queues, memory, transfers and launches, as changes of a case's plan and of
// how its queues are made.
#pragma once

#include "studies/explain/knobs.hpp"

namespace parallax::host_knobs {

std::vector<KnobChange> queues(const KnobSite&);
std::vector<KnobChange> memory(const KnobSite&);
std::vector<KnobChange> transfers(const KnobSite&);
std::vector<KnobChange> events(const KnobSite&);
std::vector<KnobChange> flushes(const KnobSite&);
std::vector<KnobChange> profiling(const KnobSite&);

/// All steps in one queue, one after the other.
void in_one_queue(Plan&);
/// The same with all buffers in the device's memory: what is left of a case without its host.
void on_device_alone(Plan&);
/// Steps that do not depend on each other, as far as the ranges of their buffers show, in queues of
/// their own; a plan of very many steps stays. @returns the number of queues
unsigned split_queues(Plan&);
/// Successive transfers of neighbouring ranges become one. Plans with events stay.
void merge_transfers(Plan&);
/// Each large transfer becomes some small ones. Plans with events stay.
void split_transfers(Plan&, std::uint64_t pieces);

}  // namespace parallax::host_knobs
