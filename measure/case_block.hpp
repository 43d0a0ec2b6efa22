// Verifies a block of cases on their devices before they are timed.
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
    std::size_t number = 0;  ///< of the case in its block: one entry for each of its devices
    /// The result of an earlier worker of this run: it is not verified again. Null: none.
    const Record* earlier = nullptr;
    DeviceSession::VerifiedCase verified = {};
};

/// Hooks of the studies that verify blocks.
struct BlockRule {
    std::function<bool()> may_check;  ///< whether a verification may begin; thread-safe
    bool is_timed = true;             ///< inputs and references for timing are prepared, too
    double checks_per_item = 1;       ///< for TimeBudget::note_check
    double reserved_seconds = 0;      ///< for TimeBudget::begin_block
    /// Called after an entry was queued for the background.
    std::function<void(const BlockItem&)> was_queued = {};
    std::function<void(const BlockItem&)> tell = {};  ///< before it is waited for
    /// Stores an entry that was finished before the block was interrupted.
    std::function<void(const BlockItem&)> keep_ended = {};
};

/// Verifies the entries in order, in the background if there is a pool. When the time for
/// verification ends but time for timing remains, it stops after the complete cases, one at least;
/// the caller starts its next block with the others.
/// @param items  in the order of their numbers, which begin at 0. On return it has the finished
/// ones
/// @returns the number of finished cases
/// @throws Interrupted
std::size_t verify_block(MeasurementContext&, std::vector<BlockItem>& items, const BlockRule&);

}  // namespace parallax
