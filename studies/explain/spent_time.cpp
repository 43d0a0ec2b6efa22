// Names the parts of a profile that took most of the time.
#include "studies/explain/spent_time.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"

namespace parallax {
namespace {

/// Smaller parts are not named.
constexpr double named_share = 0.05;

/// What a phase is for.
std::string part_of(const PhaseTime& one) {
    const auto is = [&](std::initializer_list<Phase> phases) {
        return std::ranges::any_of(phases,
                                   [&](Phase phase) { return one.phase == name_of(phase); });
    };
    if (is({Phase::building, Phase::translating, Phase::loading})) return "building";
    if (is({Phase::timing, Phase::self_checks})) return "timing";
    if (is({Phase::verification, Phase::inputs, Phase::references, Phase::transfers})) {
        return "verification";
    }
    if (is({Phase::waiting})) {
        return one.detail == "processes" ? "builds in other processes" : "waiting for builds";
    }
    return one.detail.empty() ? one.phase : one.detail;
}

}  // namespace

SpentTime::SpentTime()
    : profile_(current_profile() ? current_profile() : &own_),
      profiled_(profile_),
      before_(seconds()) {}

std::map<std::string, double> SpentTime::seconds() const {
    std::map<std::string, double> parts;
    for (const PhaseTime& one : profile_->times(0)) {
        if (!one.beside) parts[part_of(one)] += one.seconds;
    }
    return parts;
}

std::string SpentTime::in_words() const {
    std::vector<std::pair<double, std::string>> parts;
    double all = 0;
    for (const auto& [part, seconds] : this->seconds()) {
        const auto before = before_.find(part);
        parts.emplace_back(seconds - (before == before_.end() ? 0 : before->second), part);
        all += parts.back().first;
    }
    std::ranges::sort(parts, std::greater{});
    std::vector<std::string> said;
    for (const auto& [seconds, part] : parts) {
        if (said.empty() || seconds > named_share * all) {
            said.push_back(fmt::format("{} {}", part, duration(seconds)));
        }
    }
    return fmt::format("{}", fmt::join(said, ", "));
}

}  // namespace parallax
