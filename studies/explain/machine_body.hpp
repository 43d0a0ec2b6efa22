// Machine code as text, taken apart into instructions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace parallax {

/// An instruction: `@!P2 LDG.E R22, desc[UR4][R22.64]`.
struct MachineInstruction {
    std::string_view guard;   ///< `@!P2`; empty: none
    std::string_view opcode;  ///< `LDG.E`
    std::string_view operands;
};

/// The code of one kernel, with the functions in its section.
struct MachineBody {
    std::vector<MachineInstruction> instructions;
    /// Indices into `instructions`: of labels, and of addresses.
    std::unordered_map<std::string_view, std::size_t> labels;
    std::unordered_map<std::uint64_t, std::size_t> addresses;
};

/// The first code of `kernel` in what `nvdisasm` or `cuobjdump -sass` printed; nothing: there is
/// none. Any bytes will do; views are of `sass`. Takes time in proportion to it.
std::optional<MachineBody> machine_body(std::string_view sass, std::string_view kernel);

}  // namespace parallax
