// Hands the cases of a diff to the experiments, and finds causes among earlier explanations.
#include "studies/explain/diff_explain.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/text/text.hpp"
#include "common/text/unique_values.hpp"
#include "measure/device_lock.hpp"
#include "records/result_store.hpp"
#include "studies/case_of.hpp"
#include "studies/diff/diff.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax {

bool has_gap_to_explain(const CaseDiff& c) {
    return is_gap(c.verdict) && !c.doubted && !c.native;
}

namespace {

/// A case is begun where at least this much of the time is left.
constexpr double begun_seconds = gap_seconds / 4;
/// Of those that are left, this number is named.
constexpr std::size_t most_named = 2;

std::vector<const CaseDiff*> largest_gaps_first(const Diff& diff) {
    std::vector<const CaseDiff*> gaps;
    for (const CaseDiff& c : diff.cases) {
        if (has_gap_to_explain(c)) gaps.push_back(&c);
    }
    std::ranges::stable_sort(gaps, std::greater{}, [](const CaseDiff* c) {
        return c->ratio ? std::fabs(std::log(c->ratio->value)) : 0;
    });
    return gaps;
}

/// The command that explains this case alone.
std::string command_for(const CaseDiff& one, const ExplainRequest& request) {
    const Case c = case_of(one.key);
    const std::string suite = word_for(*c.suite);
    std::string text = fmt::format("parallax explain {}/{}", suite, one.key.variant);
    if (!one.other_variant.empty()) text += fmt::format(" {}/{}", suite, one.other_variant);
    text += fmt::format(" {} {} -n {}", request.a.info.id(), request.b.info.id(),
                        to_string(c.shape));
    if (c.type != c.suite->types.front()) text += fmt::format(" --type {}", name_of(c.type));
    const Case plain = make_case(*c.suite, *c.variant, c.shape, c.type);
    for (const Constant& constant : c.constants) {
        if (constant.value == plain[constant.name]) continue;
        text += fmt::format(" --define {}={}", constant.name, constant.value);
    }
    return text;
}

std::string left_out(std::span<const CaseDiff* const> left, const ExplainRequest& request,
                     double seconds) {
    std::vector<std::string> names;
    for (const CaseDiff* c : left) {
        if (names.size() < most_named) names.push_back(c->title);
    }
    std::string named = fmt::format("{}", fmt::join(names, ", "));
    if (left.size() > most_named) {
        named += fmt::format(" and {} more", left.size() - most_named);
    }
    return fmt::format("Not explained, since {:.0f} s had passed: {}; about {:.0f} s each: '{}'.",
                       all_gaps_seconds, named, seconds,
                       command_for(*left.front(), request));
}

}  // namespace

void explain_gaps(const Diff& diff, ExplainRequest request,
                  const std::function<Explanation(const ExplainRequest&)>& explain,
                  const std::function<void(const Explanation&)>& keep,
                  const std::function<void(const std::string&)>& trouble) {
    const std::vector<const CaseDiff*> gaps = largest_gaps_first(diff);
    const BudgetClock clock;
    for (std::size_t i = 0; i < gaps.size(); ++i) {
        const double passed = clock.elapsed(), left = all_gaps_seconds - passed;
        if (left < begun_seconds) {
            return trouble(printable(left_out(std::span(gaps).subspan(i), request,
                                              passed / static_cast<double>(i)),
                                     1000));
        }
        const CaseDiff& c = *gaps[i];
        request.the_case = case_of(c.key);
        request.budget_seconds = std::min(gap_seconds, left);
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
