// All that is known of a built kernel without running it, and what a change does to that.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "measure/outcome.hpp"
#include "records/explanation.hpp"

namespace parallax {

/// Resources, occupancy, instructions and normalised disassembly of code in this launch
/// configuration on this device. Where something is missing, the evidence says why.
/// @param machine_code  from another source, for code whose API returns none; empty: not found
/// @param disassembled  whether to disassemble it, which takes half a second
KernelEvidence evidence_of(const Code&, const Launch&, const DeviceInfo&,
                           std::string_view machine_code = {}, bool disassembled = true);

/// Evidence of all kernels that the outcome's plan launches, each once, by name.
/// @param machine_code, disassembled  as above
std::vector<KernelEvidence> evidence_of_all(const Outcome&, const DeviceInfo&,
                                            const std::string& machine_code = {},
                                            bool disassembled = true);

/// The classes whose counts differ most, and by more than a little, the most first.
std::vector<InstructionClass> moved_classes(const InstructionMix&, const InstructionMix&);

/// `registers 96 -> 128`, `128-bit shared loads 0 -> 72 (PTX)`: what differs and by how much, the
/// kernel's name before it where there are several. Counts of instructions that moved little are
/// left out.
std::vector<std::string> consequences_of(const std::vector<KernelEvidence>& before,
                                         const std::vector<KernelEvidence>& after);

}  // namespace parallax
