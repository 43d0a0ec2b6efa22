// The instructions of a kernel's PTX or machine code by class, and its code without differences in
// numbering.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "records/explanation.hpp"

namespace parallax {

/// Instructions in the body of `.entry kernel` and, once each, in those of the functions that it
/// calls. Nothing: there is no such kernel, or the PTX ends within it.
std::optional<InstructionMix> ptx_mix(std::string_view ptx, std::string_view kernel);

/// The same of machine code as `nvdisasm` and `cuobjdump -sass` print it; of several devices' code
/// the first. `NOP`, which only fills up, is not counted.
std::optional<InstructionMix> machine_mix(std::string_view sass, std::string_view kernel);

/// The kernel's instructions, one a line, then those of the functions that it calls. Comments,
/// source lines and `.reg` are gone; registers, predicates, labels, local arrays and functions are
/// numbered in the order in which they appear, registers by their class; a parameter is `param_0`.
/// Local (`.shared`) and private (`.local`) arrays that are used are listed first with their sizes.
/// Kernels that differ in numbering only give equal results. Empty where ptx_mix() says nothing.
/// @param source_lines  gets the source's line of each of its lines, 0 where none is known
std::string normalised_ptx(std::string_view ptx, std::string_view kernel,
                           std::vector<unsigned>* source_lines = nullptr);

/// The same of machine code: addresses and encodings are gone, and every target of a branch has a
/// label, also where the input had an address. Registers of one wide value stay neighbours.
std::string normalised_machine(std::string_view sass, std::string_view kernel);

}  // namespace parallax
