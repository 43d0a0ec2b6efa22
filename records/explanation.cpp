// The names of what an explanation is made of.
#include "records/explanation.hpp"

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

}  // namespace parallax
