// The evidence of an explanation as a part of its line.
#pragma once

#include "records/explanation.hpp"
#include "records/record.hpp"

namespace parallax {

Json json_of(const KernelEvidence&);
/// @param json  of a valid line
KernelEvidence kernel_of(const Json& json);

}  // namespace parallax
