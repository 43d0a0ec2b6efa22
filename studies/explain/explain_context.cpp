// Shared state of the experiments on one case, and the choice of its size.
#include "studies/explain/explain_context.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "common/statistics/interval.hpp"
#include "measure/ceilings.hpp"
#include "measure/sizing.hpp"

namespace parallax {
namespace {

/// Seconds for what is to be exact and for one trial; of a short budget these shares.
constexpr double exact_most = 0.9, exact_share = 0.055, trial_most = 0.2, trial_share = 0.012;
/// Runs of the case that fit in the budget, at least: some fifty trials of about fifty each.
constexpr double most_runs = 2500;

/// The ceilings that a `diff` has measured on this device, or that are measured as it does.
Ceiling ceiling_of(ExplainContext& s, bool is_b, ElementType type, const RunInfo& run) {
    DeviceSession& session = s.bench->session(is_b);
    return measured_ceilings(
        s.context, session, {type}, s.exact_seconds() / 3, run,
        {.begin = [&] { s.lock(); },
         .tell =
             [&](const Case& c) {
                 s.tell(fmt::format("{} {}", session.entry.info.id(), c.title()));
             }})[type];
}

}  // namespace

void ExplainContext::lock() {
    if (device_locks.empty()) {
        device_locks = lock_devices({request.a.info, request.b.info}, context.config.locks);
    }
}

ExplainContext::ExplainContext(const ExplainRequest& what, const RunConfig& config,
                               const ExplainHelp& helper)
    : request(what), help(helper), context(config, {what.a, what.b}) {
    // Fifty trials, each checked at its end, say as much as one that is checked in between.
    context.config.check_rounds_up_to = std::uint64_t{1} << 20;
    context.config.compares_answers = false;
    bench.emplace(context, what.a, what.b);
}

Case ExplainContext::on(bool is_b, const Case& c) const {
    const Case own = is_b && request.other_kernel ? with_kernel(c, *request.other_kernel, {}) : c;
    return on_backend(own, (is_b ? request.b : request.a).info.backend);
}

void ExplainContext::tell(const std::string& what) const {
    if (context.config.check_interrupt) context.config.check_interrupt();
    if (help.tell) help.tell(what);
}

double ExplainContext::exact_seconds() const {
    return std::min(exact_most, exact_share * request.budget_seconds);
}

double ExplainContext::trial_seconds() const {
    return std::min(trial_most, trial_share * request.budget_seconds);
}

bool ExplainContext::has_gap() const {
    if (one_entry()) return false;
    return is_gap(found.verdict);
}

PairRule ExplainContext::rule(double most_seconds, bool knob) const {
    PairRule rule;
    rule.edges = edges_of(request.margin, {});
    if (knob) {
        rule.interim_analyses = {8, 16, 32};
        // Done as well when it is clear that it did nothing, or only a part.
        const double gap = found.gap.value;
        if (has_gap()) rule.edges.push_back(std::pow(gap, 1 - explained_share));
    }
    rule.most_seconds = most_seconds;
    return rule;
}

Case sized(ExplainContext& s, const Case& open, const RunInfo& run) {
    const Case smallest = with_shape(open, shapes_of(*open.suite, *open.variant).front());
    for (const bool is_b : {false, true}) {
        // Verification says why.
        const DeviceInfo& info = is_b ? s.request.b.info : s.request.a.info;
        if (!missing_capability(info, s.on(is_b, smallest)).empty()) return smallest;
    }
    const Ceiling a = ceiling_of(s, false, open.type, run);
    const Ceiling b = s.one_entry() ? a : ceiling_of(s, true, open.type, run);
    const Sized both[]{{&s.request.a.info, a}, {&s.request.b.info, b}};
    return with_shape(open, choose_shape(open, both, s.request.budget_seconds / most_runs));
}

}  // namespace parallax
