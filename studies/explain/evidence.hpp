// All that is known of a built kernel without running it.
#pragma once

#include "records/explanation.hpp"

namespace parallax {

/// Resources, occupancy, instructions and normalised disassembly of code in this launch
/// configuration on this device. Where something is missing, the evidence says why.
/// @param machine_code  from another source, for code whose API returns none; empty: not found
/// @param disassembled  whether to disassemble it, which takes half a second
KernelEvidence evidence_of(const Code&, const Launch&, const DeviceInfo&,
                           std::string_view machine_code = {}, bool disassembled = true);

}  // namespace parallax
