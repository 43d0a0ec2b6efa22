// All that is known of a built kernel without running it.
#pragma once

#include "records/explanation.hpp"

namespace parallax {

/// Resources, occupancy, instructions and normalised texts of code that is launched like this on
/// this device. Where something is missing, the evidence says why.
/// @param machine_code  found otherwise, for code whose API hands out none; empty: not found
/// @param disassembled  whether to disassemble it, which takes half a second
KernelEvidence evidence_of(const Code&, const Launch&, const DeviceInfo&,
                           std::string_view machine_code = {}, bool disassembled = true);

}  // namespace parallax
