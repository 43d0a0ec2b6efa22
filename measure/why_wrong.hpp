// Why an answer is wrong, as far as more launches of the same kernel with the same inputs tell.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "measure/binding.hpp"
#include "measure/reference_data.hpp"

namespace parallax {

/// The first wrong element of an output.
struct WrongElement {
    std::size_t output = 0;  ///< the buffer's place in the plan
    std::uint64_t index = 0;
    std::vector<std::byte> got;
};

/// Bytes that outputs are poisoned with: of a launch, and of another one.
struct Poisons {
    std::byte own, other;
};

/// Sentences, each with a blank before it: the element is not written; it comes of local memory
/// that was not written (on the host, which fills it); launches differ, here or on the device that
/// it was held against, so something is left to the order of work-items; or they differ with what
/// is in outputs and around buffers. Empty: none of these.
/// @param binding  after the launch that was wrong
/// @param answered_again  has what it was held against, if a device has it, computed once more
/// @throws what a launch throws
std::string why_wrong(Device&, const Plan&, const Codes&, const ReferenceData&,
                      const Binding& binding, const Poisons&, const WrongElement&,
                      const std::function<std::vector<Expected>()>& answered_again);

/// Whose answer was held against the one that is wrong, as in `opencl:0 has`.
/// @param against  ReferenceData::against
std::string whose_answer(std::string_view against);

}  // namespace parallax
