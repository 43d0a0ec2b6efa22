// Hands the cases of a diff to the experiments, and finds causes among earlier explanations.
#include "studies/explain/diff_explain.hpp"

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/text.hpp"
#include "common/text/unique_values.hpp"
#include "records/result_store.hpp"
#include "studies/case_of.hpp"
#include "studies/diff/diff.hpp"

namespace parallax {
bool has_gap_to_explain(const CaseDiff& c) {
    return is_gap(c.verdict) && !c.doubted && !c.native;
}

void explain_gaps(const Diff& diff, ExplainRequest request,
                  const std::function<Explanation(const ExplainRequest&)>& explain,
                  const std::function<void(const Explanation&)>& keep,
                  const std::function<void(const std::string&)>& trouble) {
    for (const CaseDiff& c : diff.cases) {
        if (!has_gap_to_explain(c)) continue;
        request.the_case = case_of(c.key);
        request.other_kernel = nullptr;
        if (!c.other_variant.empty()) {
            request.other_kernel = &variant_named(*request.the_case.suite, c.other_variant);
        }
        try {
            keep(explain(request));
        } catch (const Interrupted&) {
            throw;
        } catch (const UsageError&) {
            throw;  // what is kept cannot be written
        } catch (const Error& error) {
            trouble(printable(fmt::format("{} is not explained: {}", c.title, error.what()), 1000));
        }
    }
}

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
