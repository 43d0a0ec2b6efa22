// Finds the cause of a gap among earlier explanations.
#include "studies/explain/known_causes.hpp"

#include <fmt/format.h>

#include "common/text/unique_values.hpp"
#include "records/result_store.hpp"
#include "studies/diff/diff.hpp"

namespace parallax {
namespace {

/// The same kernel and constants; of whatever size.
bool is_same_case(const CaseKey& one, const CaseKey& other) {
    return one.suite == other.suite && one.variant == other.variant && one.type == other.type &&
           completed(one).constants == completed(other).constants;
}

}  // namespace

void add_known_causes(Diff& diff, const std::vector<Explanation>& earlier) {
    const Both<std::string> sides = side_names(diff);
    for (CaseDiff& c : diff.cases) {
        if (!is_gap(c.verdict) || c.explanation) continue;
        const std::string& slower = sides.of(c.verdict == Verdict::slower);
        for (const Explanation& e : earlier) {
            if (!e.conclusion.has_gap || e.conclusion.cause.empty() ||
                !is_same_case(c.key, e.key) || api_of(e.device.of(e.b_is_slower())) != slower ||
                api_of(e.device.of(!e.b_is_slower())) != sides.of(c.verdict != Verdict::slower)) {
                continue;
            }
            c.known_cause =
                fmt::format("{} Found on {}.{}", e.conclusion.cause, e.device_name.a,
                            e.conclusion.remedy.empty() ? "" : " " + e.conclusion.remedy);
            break;
        }
    }
}

std::vector<std::string> known_changes(const Case& c, const std::vector<Explanation>& earlier) {
    std::vector<std::string> settings;
    for (const Explanation& e : earlier) {
        if (e.key.suite != c.suite->name || e.key.variant != c.variant->name) continue;
        if (e.conclusion.by.empty()) continue;
        const Trial& named = e.trials.at(e.conclusion.by.front());
        if (named.knobs.size() == 1) add_once(settings, named.setting);
    }
    return settings;
}

}  // namespace parallax
