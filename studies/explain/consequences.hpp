// The changes that a knob made to a kernel, in few words.
#pragma once

#include <string>
#include <vector>

#include "measure/outcome.hpp"
#include "records/explanation.hpp"

namespace parallax {

/// Evidence of all kernels that the outcome's plan launches, each once, by name.
/// @param machine_code, disassembled  as evidence_of()
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
