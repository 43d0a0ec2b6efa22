// The sets of random inputs that timed launches of a case get, in an order that no kernel knows.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "common/device/device.hpp"
#include "measure/reference_data.hpp"
#include "measure/run_case.hpp"

namespace parallax {

/// Inputs and what is right for them.
struct InputSet {
    InputPattern pattern;
    std::shared_ptr<const ReferenceData> data;
};

/// `random`, and `drawn_again` where the suite has it. Both follow from the seed, which no build
/// gets to know.
/// @param device  as of ReferenceCache::get
/// @throws what the reference provider throws
std::vector<InputSet> input_sets_of(const Case&, const RunConfig&, std::string_view device);

/// Whether there are two of them.
bool draws_again(const Case&);

/// Whether `sides` devices of this kind have room for a case's buffers and both sets.
bool has_room_for_both(const DeviceInfo&, const Plan&, unsigned sides);

/// The index of the set for the timed launches of a round.
std::size_t set_of_round(std::uint64_t seed, unsigned round, std::size_t sets);

/// A case's inputs on a device, as the source of copies.
using Uploaded = std::vector<std::shared_ptr<Memory>>;
Uploaded uploaded(Device&, const ReferenceData&);

/// Launches on the inputs of `before` and at once on those of `now`, and compares what the second
/// launch leaves. Nothing but the inputs is reset: the outputs hold what launches before left.
/// Adds to `checked`.
/// @param on_device  both sets, `before` first; empty: they are not there yet
void verify_changed_inputs(Device&, Binding&, const Case&, std::uint64_t seed,
                           const InputSet& before, const InputSet& now,
                           const std::vector<const Uploaded*>& on_device,
                           VerificationResult& checked);

}  // namespace parallax
