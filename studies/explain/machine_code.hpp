// Machine code as text, by NVIDIA's disassembler where there is one.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace parallax {

struct MachineText {
    std::string text;    ///< the tool's output; empty: none
    std::string source;  ///< the tool's path; without output, the reason and advice
};

/// Where the tools are looked for: the folders of PATH, $CUDA_PATH/bin, /usr/local/cuda/bin.
std::vector<std::filesystem::path> disassembler_folders();

/// Runs `nvdisasm`, or else `cuobjdump -sass`, on a device's code (`cubin`) in a temporary file
/// that is gone afterwards. $PARALLAX_NVDISASM, when it is set, is the tool instead. Throws nothing
/// but for want of memory; the tool and what it started are killed after `limit`.
MachineText disassemble(std::string_view cubin,
                        const std::vector<std::filesystem::path>& folders = disassembler_folders(),
                        std::chrono::milliseconds limit = std::chrono::seconds(20));

}  // namespace parallax
