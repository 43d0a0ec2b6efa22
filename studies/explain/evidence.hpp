// All that is known of a built kernel without running it.
#pragma once

#include "records/explanation.hpp"

namespace parallax {

/// Resources, occupancy, instructions and normalised texts of code that is launched like this on
/// this device. Where something is missing, the evidence says why.
/// @param machine_code  found otherwise, for code whose API hands out none; empty: not found
KernelEvidence evidence_of(const Code&, const Launch&, const DeviceInfo&,
                           std::string_view machine_code = {});

}  // namespace parallax
