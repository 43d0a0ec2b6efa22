// Names and sums of classes of instructions.
#include "studies/explain/instructions.hpp"

#include <array>
#include <numeric>

namespace parallax {

std::string_view name_of(InstructionClass c) {
    constexpr std::array<std::string_view, static_cast<std::size_t>(InstructionClass::count_)>
        names{"32-bit global loads",
              "64-bit global loads",
              "128-bit global loads",
              "global stores",
              "32-bit shared loads",
              "64-bit shared loads",
              "128-bit shared loads",
              "shared stores",
              "loads and stores of private memory",
              "constant and parameter loads",
              "fused multiply-adds",
              "other float arithmetic",
              "double arithmetic",
              "divisions and special functions",
              "conversions",
              "integer arithmetic",
              "64-bit integer arithmetic",
              "comparisons and selections",
              "branches",
              "barriers",
              "atomics",
              "warp operations",
              "moves",
              "others"};
    static_assert(!names.back().empty());
    return names.at(static_cast<std::size_t>(c));
}

std::uint32_t InstructionMix::total() const {
    return std::accumulate(count.begin(), count.end(), 0u);
}

}  // namespace parallax
