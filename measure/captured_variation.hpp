// Measures how much a captured launch's results vary on the program's own side, where rounding and
// order are undefined, too.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measure/binding.hpp"
#include "measure/reference_data.hpp"

namespace parallax {

/// The variation of each output's elements on the program's own side.
struct OwnRanges;

/// Whether outputs that are further from the expected data than the tolerance allows are so for
/// what the program leaves open itself. On its own side (OpenCL, where it is compared) the launch
/// is run again: with equal inputs, with floating-point inputs one unit in the last place away, and
/// with multiply-adds fused where they were not. Three things are seen by that:
/// - the order of an output is that of atomic functions: it holds the same numbers;
/// - its numbers depend on rounding, as where floats are summed as integers: the differences are at
///   most some times the range of these runs;
/// - equal inputs give other integers there as well: a doubt, not a proof.
/// @param binding  after the launch on the device of that id
/// @param known  what was seen of this case before; made, and kept there, where nothing was
/// @returns a remark on each such output; nothing: something is wrong
/// @throws what a launch throws
std::optional<AnswerRemarks> within_own_range(const Binding& binding, const Plan&, const Case&,
                                              const ReferenceData&, const ReferenceCache&,
                                              std::string_view device,
                                              std::shared_ptr<const OwnRanges>& known);

/// Whether `beyond` integers of an output may differ from the expected ones, because the program's
/// own side is as nondeterministic.
/// @param differing  integers that differ from one run to the next with equal inputs
constexpr bool may_be_a_race(std::uint64_t beyond, std::uint64_t differing,
                             std::uint64_t elements) {
    // Where many differ, the order of work-items decides all of them: two runs on one device are
    // alike.
    return beyond <= 4 * differing || differing >= elements / 64;
}

/// Whether a source uses the result of an atomic function as an index, or stores it: the order of
/// work-items then decides about positions. Its macros are expanded.
bool takes_places_by_atomics(std::string text);

}  // namespace parallax
