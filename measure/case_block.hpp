// Verifies a block of cases on the devices that take them, before they are timed.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "measure/device_session.hpp"

namespace parallax {

/// A case of a block on one device.
struct BlockItem {
    DeviceSession* session = nullptr;
    Case the_case;
    std::size_t number = 0;  ///< of the case in its block: one item for each device that takes it
    /// What an earlier process of this run has made of it: it is not verified again. Null: nothing.
    const Record* earlier = nullptr;
    DeviceSession::VerifiedCase verified = {};
};

/// What differs between the studies that verify blocks.
struct BlockRule {
    std::function<bool()> may_check;  ///< whether a verification may begin; thread-safe
    bool is_timed = true;             ///< inputs and references for timing are needed, too
    double checks_per_item = 1;       ///< for TimeBudget::note_check
    double reserved_seconds = 0;      ///< for TimeBudget::begin_block
    /// After an item was queued for the background.
    std::function<void(const BlockItem&)> was_queued = {};
    std::function<void(const BlockItem&)> tell = {};  ///< before it is waited for
    /// Keeps an item that came to its end before the block was interrupted.
    std::function<void(const BlockItem&)> keep_ended = {};
};

/// Verifies the items in order, in the background as far as there is a pool. Where the time for
/// verification ends and some for timing is left, it stops after the cases that are complete, one
/// at least; the caller begins its next block with the others.
/// @param items  in the order of their numbers, which begin at 0. Those that were not reached are
/// removed
/// @returns the number of cases that were reached
/// @throws Interrupted
std::size_t verify_block(MeasurementContext&, std::vector<BlockItem>& items, const BlockRule&);

}  // namespace parallax
