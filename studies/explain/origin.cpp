// Exchanges code between the two sides, and compares what each makes of it.
#include "studies/explain/origin.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "studies/explain/exchange.hpp"

namespace parallax {
namespace {

std::optional<Ratio> compare(VariantBuilder& probes, const PairRule& rule, Built& x,
                             const Configuration& sx, Built& y, const Configuration& sy,
                             std::string& reason) {
    const auto timing = probes.turns(x, sx, y, sy, rule);
    if (!timing) {
        reason = (x.ok() ? y : x).outcome.reason;
        return {};
    }
    if (!timing->doubt().empty() || !timing->ratio()) {
        reason = timing->doubt();
        return {};
    }
    return timing->ratio();
}

Ratio inverse(Ratio ratio) {
    ratio.value = 1 / ratio.value;
    std::swap(ratio.low, ratio.high);
    ratio.low = 1 / ratio.low;
    ratio.high = 1 / ratio.high;
    std::swap(ratio.units_a, ratio.units_b);
    return ratio;
}

}  // namespace

std::string Origin::why_not() const {
    const DeviceInfo &a = probes_.info(false), &b = probes_.info(true);
    if (a.backend == b.backend) {
        return "Both sides are of one API, so there is no other compiler's code to load.";
    }
    if (!a.has("ptx") && a.backend != "cuda") return a.id() + " takes no PTX.";
    if (!b.has("ptx") && b.backend != "cuda") return b.id() + " takes no PTX.";
    if (built_.a.outcome.program.language != Language::portable) {
        return "The text is in one API's own language.";
    }
    if (!one_hardware_) return "The sides are different pieces of hardware.";
    return {};
}

Configuration Origin::exchanged(bool is_b) const {
    Configuration context = base_.of(is_b);
    const DeviceInfo& here = probes_.info(is_b);
    const DeviceInfo& there = probes_.info(!is_b);
    const Outcome& other = built_.of(!is_b).outcome;
    const auto signatures_here =
        signatures(other.program.name, edited_source(other.program), other.program.type);
    std::map<std::string, Size> groups;
    for (const Launch* launch : launches_of(other.plan)) {
        groups[launch->kernel] = launch->geometry.items;
    }
    for (const Signature& kernel : signatures_here) {
        for (const Parameter& parameter : kernel.parameters) {
            const bool other_way = parameter.kind == Parameter::Kind::local ||
                                   parameter.kind == Parameter::Kind::constant ||
                                   parameter.kind == Parameter::Kind::image;
            if (!other_way || !other.codes.contains(kernel.kernel)) continue;
            throw Unsupported(fmt::format(
                "'{}' has a parameter in local or constant memory or an image, which the two "
                "drivers pass in different ways.",
                kernel.kernel));
        }
    }
    for (const auto& [name, code] : other.codes) {
        if (code->ptx.empty()) {
            throw Unsupported(fmt::format("{} hands out no PTX.", there.id()));
        }
        context.ptx[name] = here.backend == "cuda"
                                ? ptx_for_cuda(code->ptx)
                                : ptx_for_opencl(code->ptx, signatures_here, groups);
    }
    return context;
}

std::vector<OriginStep> Origin::steps(const OriginSearch& search) const {
    std::vector<OriginStep> steps;
    const bool cuda_is_b = probes_.info(true).backend == "cuda";
    const DeviceInfo& opencl = probes_.info(!cuda_is_b);
    const DeviceInfo& cuda = probes_.info(cuda_is_b);
    // Ratios are OpenCL's time first; the gap is B over A.
    const auto add = [&](std::string name, std::string what, std::optional<Ratio> ratio,
                         std::string reason, bool part = true) {
        OriginStep step{std::move(name), std::move(what), {}, std::move(reason), {}};
        if (ratio) {
            step.ratio = cuda_is_b ? *ratio : inverse(*ratio);
            if (part) step.share = std::log(step.ratio->value) / search.log_gap;
        }
        steps.push_back(std::move(step));
    };
    const auto ready = [&](bool is_b, Configuration& context, std::string& reason) -> Built {
        Built built;
        try {
            if (search.tell)
                search.tell(fmt::format("{}: the other side's code", probes_.info(is_b).id()));
            context = exchanged(is_b);
            if (search.try_elsewhere) reason = search.try_elsewhere(case_, is_b);
            if (!reason.empty()) return built;
            built = probes_.build(is_b, context);
            if (built.outcome.status == Status::skipped) probes_.check(is_b, built);
            if (!built.ok()) reason = built.outcome.reason;
        } catch (const Unsupported& error) {
            reason = error.what();
        }
        return built;
    };
    // Copies: what goes wrong in a comparison stays here.
    Built own_opencl = built_.of(!cuda_is_b);
    Built own_cuda = built_.of(cuda_is_b);

    std::string reason;
    Configuration there_setup;
    Built there = ready(cuda_is_b, there_setup, reason);
    std::optional<Ratio> ratio;
    if (reason.empty()) {
        ratio = compare(probes_, search.rule, own_opencl, base_.of(!cuda_is_b), there, there_setup,
                        reason);
    }
    add("run-time and back end",
        fmt::format("OpenCL's PTX on {}, and the same PTX loaded by CUDA on {}", opencl.id(),
                    cuda.id()),
        ratio, reason);

    Configuration assembled = base_.of(cuda_is_b);
    assembled.by_driver = true;
    std::string reason_assembled;
    Built by_driver = probes_.build(cuda_is_b, assembled);
    if (by_driver.outcome.status == Status::skipped) probes_.check(cuda_is_b, by_driver);
    if (!by_driver.ok()) reason_assembled = by_driver.outcome.reason;

    std::string reason_front = reason.empty() ? reason_assembled : reason;
    ratio.reset();
    if (there.ok() && by_driver.ok()) {
        ratio =
            compare(probes_, search.rule, there, there_setup, by_driver, assembled, reason_front);
    }
    add("front end",
        fmt::format("OpenCL's PTX and NVRTC's, both assembled by the driver and run by {}",
                    cuda.id()),
        ratio, reason_front);

    ratio.reset();
    if (by_driver.ok()) {
        ratio = compare(probes_, search.rule, by_driver, assembled, own_cuda, base_.of(cuda_is_b),
                        reason_assembled);
    }
    add("back end",
        fmt::format("NVRTC's PTX assembled by the driver and by NVRTC, both run by {}", cuda.id()),
        ratio, reason_assembled);

    // The other way round: a second look at the front ends, through OpenCL.
    reason.clear();
    Configuration back_setup;
    Built back = ready(!cuda_is_b, back_setup, reason);
    ratio.reset();
    if (reason.empty()) {
        ratio = compare(probes_, search.rule, own_opencl, base_.of(!cuda_is_b), back, back_setup,
                        reason);
    }
    add("front end, seen through OpenCL",
        fmt::format("OpenCL's PTX and NVRTC's, both assembled and run by {}", opencl.id()), ratio,
        reason, false);
    return steps;
}

}  // namespace parallax
