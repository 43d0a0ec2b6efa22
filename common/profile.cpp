// Adds up the seconds of phases; a thread is in its innermost phase.
#include "common/profile.hpp"

#include <algorithm>
#include <array>

namespace parallax {
namespace {

constexpr std::array<std::string_view, 12> phase_names{
    "opening",   "translating",  "building", "loading",     "inputs",  "references",
    "transfers", "verification", "timing",   "self checks", "waiting", "other"};

thread_local Profile* profile_of_thread = nullptr;
thread_local bool is_beside = false;
thread_local InPhase* innermost_phase = nullptr;

}  // namespace

std::string_view name_of(Phase phase) {
    return phase_names.at(static_cast<std::size_t>(phase));
}

void Profile::add(Phase phase, std::string_view detail, bool beside, double seconds) {
    const std::scoped_lock lock(mutex_);
    Sum& sum = sums_[{beside, phase, std::string(detail)}];
    sum.seconds += seconds;
    ++sum.count;
}

std::vector<PhaseTime> Profile::times(double wall_seconds) const {
    const std::scoped_lock lock(mutex_);
    std::vector<PhaseTime> times, beside;
    double own = 0;
    for (const auto& [key, sum] : sums_) {
        const auto& [is_beside_one, phase, detail] = key;
        (is_beside_one ? beside : times)
            .push_back(
                {std::string(name_of(phase)), detail, is_beside_one, sum.seconds, sum.count});
        if (!is_beside_one) own += sum.seconds;
    }
    times.push_back(
        {std::string(name_of(Phase::other)), {}, false, std::max(0.0, wall_seconds - own), 1});
    times.insert(times.end(), beside.begin(), beside.end());
    return times;
}

Profile* current_profile() {
    return profile_of_thread;
}

Profiled::Profiled(Profile* profile, bool beside)
    : before_(profile_of_thread), beside_before_(is_beside) {
    profile_of_thread = profile;
    is_beside = beside;
}

Profiled::~Profiled() {
    profile_of_thread = before_;
    is_beside = beside_before_;
}

InPhase::InPhase(Phase phase, std::string_view detail)
    : profile_(profile_of_thread), phase_(phase) {
    if (!profile_) return;
    around_ = innermost_phase;
    if (around_) {
        around_->end_of_part();
        if (around_->phase_ == Phase::self_checks && phase != Phase::timing)
            phase_ = around_->phase_;
    }
    if (phase_ == phase) detail_ = detail;
    innermost_phase = this;
    start_ = HostClock::now();
}

void InPhase::end_of_part() {
    const HostClock::time_point now = HostClock::now();
    seconds_ += std::chrono::duration<double>(now - start_).count();
    start_ = now;
}

InPhase::~InPhase() {
    if (!profile_) return;
    end_of_part();
    profile_->add(phase_, detail_, is_beside, seconds_);
    innermost_phase = around_;
    if (around_) around_->start_ = start_;
}

}  // namespace parallax
