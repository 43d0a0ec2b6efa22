// Explains a wrong result by further launches of the same kernel with the same inputs.
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
    std::size_t output = 0;  ///< index of the buffer in the plan
    std::uint64_t index = 0;
    std::vector<std::byte> got;
};

/// Poison bytes of the first and the second launch.
struct Poisons {
    std::byte own, other;
};

/// Sentences, each with a leading blank: the element is not written; it comes from uninitialised
/// local memory (on the host, which fills it); launches differ, here or on the device of the
/// reference, so that the order of work-items matters; or they depend on the contents of outputs
/// and memory around buffers. Empty: none of these.
/// @param binding  after the wrong launch
/// @param answered_again  recomputes the reference, if a device provides it
/// @throws what a launch throws
std::string why_wrong(Device&, const Plan&, const Codes&, const ReferenceData&,
                      const Binding& binding, const Poisons&, const WrongElement&,
                      const std::function<std::vector<Expected>()>& answered_again);

/// The owner of the reference of a wrong result, as in `opencl:0 has`.
/// @param against  ReferenceData::against
std::string whose_answer(std::string_view against);

}  // namespace parallax
