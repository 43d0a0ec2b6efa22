// Takes the host's part of a case away, and times the rest.
#include <algorithm>

#include <fmt/format.h>

#include "common/text/text.hpp"
#include "studies/explain/explain_context.hpp"
#include "studies/explain/host_knobs.hpp"

namespace parallax {
namespace {

constexpr const char* kernel_step = "kernels alone";

std::vector<OriginStep> parts(ExplainContext& s, double of_kernels, const std::string& what,
                              const std::optional<Ratio>& alone) {
    OriginStep kernels{kernel_step, what, alone, {}, of_kernels};
    if (!alone) {
        kernels.reason = "It has no comparison of its own.";
        kernels.share.reset();
    }
    OriginStep host{
        host_step, "What that leaves of the whole gap.", s.found.gap, {}, 1 - of_kernels};
    std::vector<OriginStep> steps{std::move(kernels), std::move(host)};
    if (1 - of_kernels >= host_share) std::swap(steps[0], steps[1]);
    return steps;
}

/// For a short case in one queue: a difference of empty launches is not the kernel's.
std::vector<OriginStep> parts_by_launches(ExplainContext& s) {
    const auto launch = std::ranges::find(s.found.stages, "launch", &Stage::name);
    if (!s.found.launching || launch == s.found.stages.end() || !launch->seconds.a ||
        !launch->seconds.b) {
        return {};
    }
    const auto count = static_cast<double>(s.built.a.outcome.plan.steps.size());
    const double of_launches =
        count * (*launch->seconds.b - *launch->seconds.a) / (s.found.seconds.b - s.found.seconds.a);
    if (!(of_launches >= host_share && of_launches <= most_share)) return {};
    return parts(s, 1 - of_launches,
                 fmt::format("An empty launch takes {} on A and {} on B.",
                             duration(*launch->seconds.a), duration(*launch->seconds.b)),
                 {});
}

}  // namespace

double share_of_host(const std::vector<OriginStep>& steps) {
    const auto found = std::ranges::find(steps, host_step, &OriginStep::name);
    return found == steps.end() ? 0 : found->share.value_or(0);
}

std::vector<OriginStep> parts_of_host(ExplainContext& s) {
    if (s.built.a.outcome.plan.is_plain() && s.built.b.outcome.plan.is_plain()) {
        return parts_by_launches(s);
    }
    if (launches_of(s.built.a.outcome.plan).empty()) {
        return parts(s, 0, "The case has no kernel, only transfers.", {});
    }
    s.tell("the kernels alone");
    Both<Configuration> alone = s.base;
    Both<Built> built;
    for (const bool is_b : {false, true}) {
        alone.of(is_b).plan_changes.emplace_back(host_knobs::on_device_alone);
        Built& one = built.of(is_b) = s.bench->build(is_b, alone.of(is_b));
        if (one.outcome.status == Status::skipped) s.bench->check(is_b, one);
        if (!one.ok()) return {};
    }
    const auto timing = s.bench->time_paired(built.a, alone.a, built.b, alone.b,
                                             s.rule(s.exact_seconds() / 2, true));
    if (!timing || !timing->doubt().empty() || !timing->ratio()) return {};
    const auto seconds = [&](bool is_b) { return built.of(is_b).outcome.timing->estimate.median; };
    const double of_kernels =
        (seconds(true) - seconds(false)) / (s.found.seconds.b - s.found.seconds.a);
    return parts(
        s, of_kernels,
        fmt::format("In one queue and in the device's memory they take {} on A and {} on B.",
                    duration(seconds(false)), duration(seconds(true))),
        timing->ratio());
}

}  // namespace parallax
