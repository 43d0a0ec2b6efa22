// Names sides, and spells shares, factors and outcomes.
#include "studies/explain/explanation_names.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "common/statistics/interval.hpp"
#include "studies/diff/diff.hpp"

namespace parallax {

std::string clause(std::string text) {
    while (text.ends_with('.')) text.pop_back();
    return text;
}

Both<std::string> short_names(const Explanation& e) {
    if (!e.kernel.a.empty()) return e.kernel;
    const std::string a = api_of(e.device.a), b = api_of(e.device.b);
    if (a != b) return {a, b};
    if (e.device.a != e.device.b) return e.device;
    return {"A", "B"};
}

Both<std::string> full_names(const Explanation& e) {
    if (!e.kernel.a.empty()) {
        return {e.kernel.a + " (" + e.device.a + ")", e.kernel.b + " (" + e.device.b + ")"};
    }
    const std::string a = api_of(e.device.a), b = api_of(e.device.b);
    if (a != b) return {a + " (" + e.device.a + ")", b + " (" + e.device.b + ")"};
    return {"A (" + e.device.a + ")", "B (" + e.device.b + ")"};
}

bool lacks_budget(const Trial& trial) {
    return trial.status == TrialStatus::skipped && !trial.reason.starts_with(failed_in_a_launch);
}

std::string larger_budget(const Explanation& e) {
    double seconds = e.needed_seconds;
    if (seconds == 0) {
        // An older program did not record it.
        const auto all = static_cast<double>(e.trials.size());
        const auto left = static_cast<double>(std::ranges::count_if(e.trials, lacks_budget));
        seconds = e.took_seconds * std::max(2.0, all / std::max(1.0, all - left));
    }
    return fmt::format("--budget {:.0f}", std::ceil(seconds));
}

std::string changed_side(const Explanation& e, KnobSide side) {
    return side == KnobSide::both ? "both sides" : short_names(e).of(side == KnobSide::b);
}

std::string share_words(double share) {
    const double percent = 100 * share;
    return std::abs(percent) < 9.95 ? fmt::format("{:.2g} %", percent)
                                    : fmt::format("{:.0f} %", percent);
}

std::string times_words(double factor) {
    const double size = std::abs(factor);
    if (size >= 1e4) return fmt::format("{:.2e}x", factor);
    const int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 1.0995 ? 2 : 3;
    return fmt::format("{:.{}f}x", factor, decimals);
}

Ratio slower_over_faster(const Explanation& e, const Ratio& ratio) {
    return e.b_is_slower() ? ratio : turned_round(ratio);
}

}  // namespace parallax
