// The names of what an explanation is made of.
#include "records/explanation.hpp"

#include <array>
#include <numeric>

namespace parallax {

std::string_view name_of(KnobSide side) {
    switch (side) {
        case KnobSide::a: return "A";
        case KnobSide::b: return "B";
        case KnobSide::both: break;
    }
    return "both";
}

std::string_view name_of(TrialStatus status) {
    switch (status) {
        case TrialStatus::measured: return "measured";
        case TrialStatus::no_effect: return "no effect";
        case TrialStatus::wrong: return "wrong";
        case TrialStatus::unsupported: return "unsupported";
        case TrialStatus::failed: return "failed";
        case TrialStatus::skipped: break;
    }
    return "skipped";
}

std::optional<TrialStatus> trial_status_named(std::string_view name) {
    using enum TrialStatus;
    for (const TrialStatus status : {measured, no_effect, wrong, unsupported, failed, skipped}) {
        if (name_of(status) == name) return status;
    }
    return {};
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
