// The section about measurements of cases against themselves.
#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "common/text/grouping.hpp"
#include "report/diff/findings.hpp"

namespace parallax::report {
namespace {

/// The one that is furthest from 1 of those that are meant; null: none is.
template <class Meant>
const SelfCheck* furthest_of(const std::vector<SelfCheck>& checks, Meant is_meant) {
    const SelfCheck* worst = nullptr;
    for (const SelfCheck& check : checks) {
        if (!std::invoke(is_meant, check)) continue;
        if (!worst || distance_of(check.ratio) > distance_of(worst->ratio)) worst = &check;
    }
    return worst;
}

}  // namespace

bool clock_lied(const Diff& diff) {
    return std::ranges::any_of(diff.self, &SelfCheck::is_lie);
}

std::string clock_lie(const Diff& diff) {
    const SelfCheck* worst = furthest_of(diff.self, &SelfCheck::is_lie);
    if (!worst) return {};
    return fmt::format(
        "THE CLOCK LIED: {} of {} measured against itself came out different, by up to {}; "
        "mistrust ratios as near to 1 as that.",
        std::ranges::count_if(diff.self, &SelfCheck::is_lie), counted(diff.self.size(), "case"),
        factor(worst->ratio.value));
}

Sentences against_itself(const Diff& diff) {
    Sentences lines;
    std::vector<std::string> devices;
    for (const SelfCheck& check : diff.self) add_once(devices, check.device);
    for (const std::string& device : devices) {
        const auto is_its = [&](const SelfCheck& check) { return check.device == device; };
        const auto same = std::ranges::count_if(diff.self, [&](const SelfCheck& check) {
            return is_its(check) && check.verdict == Verdict::same;
        });
        const SelfCheck* worst = furthest_of(diff.self, is_its);
        lines.push_back(fmt::format("{} against itself: {} of {} SAME; furthest from 1: {}, {}.",
                                    printable(device), same,
                                    std::ranges::count_if(diff.self, is_its),
                                    ratio_text(worst->ratio), printable(worst->title)));
    }
    for (const SelfCheck& check : diff.self) {
        if (!check.is_lie()) continue;
        lines.push_back(fmt::format("THE CLOCK LIED: {} on {} came out {} apart from itself, {}.",
                                    printable(check.title), printable(check.device),
                                    factor(check.ratio.value), ratio_text(check.ratio)));
    }
    return lines;
}

Grid against_itself_grid(const Diff& diff) {
    Grid grid{.title = "The cases that were measured against themselves",
              .columns = {"case", "device", "verdict", "ratio", {"time", {}, true}}};
    for (const SelfCheck& check : diff.self) {
        grid.rows.push_back(
            {.cells = {
                 printable(check.title),
                 printable(check.device),
                 {verdict_text(check.verdict, check.ratio, {"first", "second"}), {}, check.verdict},
                 ratio_text(check.ratio),
                 time_text(check.seconds)}});
    }
    return grid;
}

}  // namespace parallax::report
