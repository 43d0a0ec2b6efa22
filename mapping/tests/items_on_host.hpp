// The items of one group as fibres of one thread, which wait for each other.
#pragma once

#include <functional>

namespace parallax::corpus {

/// Runs `body(item)` for all items of a group, each in a fibre of its own, until all have returned.
/// `before(item)` is called whenever an item goes on, to say who it is. An item that has to wait
/// calls one of the functions below.
/// @throws Error when items wait for some that have returned or wait elsewhere.
void run_group(unsigned items, bool descending, const std::function<void(unsigned)>& before,
               const std::function<void(unsigned)>& body);

/// To be called by an item: waits until all items of its group, or of its 32, are here.
void wait_for_group();
void wait_for_warp();
/// To be called by an item: ends the group, which throws an Error with this reason.
void stop_group(const char* why);

}  // namespace parallax::corpus
