// The names of an explanation's parts.
#include "records/explanation.hpp"

#include <algorithm>
#include <numeric>

namespace parallax {

namespace {

constexpr std::array<std::string_view, 6> status_names{"measured",    "no effect", "wrong",
                                                       "unsupported", "failed",    "skipped"};

}  // namespace

std::string_view name_of(KnobSide side) {
    return std::array<std::string_view, 3>{"A", "B", "both"}.at(static_cast<std::size_t>(side));
}

std::string_view name_of(TrialStatus status) {
    return status_names.at(static_cast<std::size_t>(status));
}

std::optional<TrialStatus> trial_status_named(std::string_view name) {
    const auto found = std::ranges::find(status_names, name);
    if (found == status_names.end()) return {};
    return static_cast<TrialStatus>(found - status_names.begin());
}

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
