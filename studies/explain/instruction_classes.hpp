// Which class an instruction belongs to, by its name.
#pragma once

#include <algorithm>
#include <string_view>

#include "records/explanation.hpp"

namespace parallax {

/// The class of a PTX instruction without its predicate: `ld.global.nc.v4.f32`. Names as in
/// NVIDIA's "PTX ISA" 9.0. A load without a state space counts as one from global memory.
InstructionClass class_of_ptx(std::string_view opcode);

/// The class of a machine instruction, sm_75 to sm_120: `LDG.E.128.CONSTANT`. Names as in NVIDIA's
/// "CUDA Binary Utilities". Some arithmetic instructions only move constants
/// (`HFMA2.MMA R1, -RZ, RZ, 0, 0`): these are moves.
InstructionClass class_of_machine(std::string_view opcode, std::string_view operands);

/// Bits of the value that a machine instruction loads or stores: 128 of `LDS.128`, 32 at least.
unsigned machine_access_bits(std::string_view opcode);

/// The one of three access classes that has this width in bits.
constexpr InstructionClass by_width(unsigned bits, InstructionClass of_32, InstructionClass of_64,
                                    InstructionClass of_128) {
    return bits <= 32 ? of_32 : bits <= 64 ? of_64 : of_128;
}

/// Parts of a name between its dots are visited: `visit("ld")`, `visit("global")`, ...
template <class Visit>
void for_each_part(std::string_view opcode, Visit visit) {
    for (std::size_t begin = 0; begin <= opcode.size();) {
        const std::size_t end = std::min(opcode.find('.', begin), opcode.size());
        visit(opcode.substr(begin, end - begin));
        begin = end + 1;
    }
}

}  // namespace parallax
