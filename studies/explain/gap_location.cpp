// Exchanges code between the two sides, and compares the results.
#include "studies/explain/gap_location.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/statistics/interval.hpp"
#include "studies/explain/exchange.hpp"

namespace parallax {
namespace {

std::optional<Ratio> compare(CaseBench& bench, const PairRule& rule, Built& x,
                             const Configuration& sx, Built& y, const Configuration& sy,
                             std::string& reason) {
    const auto timing = bench.time_paired(x, sx, y, sy, rule);
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

}  // namespace

std::string Origin::why_not() const {
    const DeviceInfo &a = bench_.info(false), &b = bench_.info(true);
    if (a.backend == b.backend) {
        return "Both sides are of one API, so there is no other compiler's code to load.";
    }
    if (!a.has("ptx") && a.backend != "cuda") return a.id() + " takes no PTX.";
    if (!b.has("ptx") && b.backend != "cuda") return b.id() + " takes no PTX.";
    if (built_.a.outcome.the_case.variant != built_.b.outcome.the_case.variant) {
        return "The sides have two sources, whose kernels need not take the same arguments.";
    }
    if (built_.a.outcome.program.language != Language::portable) {
        return "The text is in one API's own language.";
    }
    if (!one_hardware_) return "The sides are different pieces of hardware.";
    return {};
}

Configuration Origin::exchanged(bool is_b) const {
    Configuration configuration = base_.of(is_b);
    const DeviceInfo& here = bench_.info(is_b);
    const DeviceInfo& there = bench_.info(!is_b);
    const Outcome& other = built_.of(!is_b).outcome;
    auto signatures_here =
        signatures(other.program.name, edited_source(other.program), other.program.type);
    std::erase_if(signatures_here, [&](const Signature& kernel) {
        return !other.codes.contains(kernel.kernel);  // it is not launched
    });
    std::map<std::string, Size> groups;
    for (const Launch* launch : launches_of(other.plan)) {
        groups[launch->kernel] = launch->geometry.items;
    }
    for (const Signature& kernel : signatures_here) {
        for (const Parameter& parameter : kernel.parameters) {
            const bool other_way = parameter.kind == Parameter::Kind::constant ||
                                   parameter.kind == Parameter::Kind::image;
            if (!other_way) continue;
            throw Unsupported(
                fmt::format("'{}' has a parameter in constant memory or an image, which the two "
                            "drivers pass in different ways.",
                            kernel.kernel));
        }
    }
    for (const auto& [name, code] : other.codes) {
        if (code->ptx.empty()) {
            throw Unsupported(fmt::format("{} hands out no PTX.", there.id()));
        }
        configuration.ptx[name] = here.backend == "cuda"
                                      ? ptx_for_cuda(code->ptx, signatures_here)
                                      : ptx_for_opencl(code->ptx, signatures_here, groups);
    }
    return configuration;
}

Origin::Foreign Origin::with_others_code(const OriginSearch& search, bool is_b) const {
    Foreign made;
    try {
        if (search.tell)
            search.tell(fmt::format("{}: the other side's code", bench_.info(is_b).id()));
        made.configuration = exchanged(is_b);
        if (search.try_elsewhere) made.reason = search.try_elsewhere(case_, is_b);
        if (!made.reason.empty()) return made;
        made.built = built_and_verified(is_b, made.configuration);
        if (!made.built.ok()) made.reason = made.built.outcome.reason;
    } catch (const Unsupported& error) {
        made.reason = error.what();
    }
    return made;
}

Built Origin::built_and_verified(bool is_b, const Configuration& configuration) const {
    Built built = bench_.build(is_b, configuration);
    if (built.outcome.status == Status::skipped) bench_.check(is_b, built);
    return built;
}

std::vector<OriginStep> Origin::steps(const OriginSearch& search) const {
    const bool cuda_is_b = bench_.info(true).backend == "cuda";
    const std::string opencl = bench_.info(!cuda_is_b).id(), cuda = bench_.info(cuda_is_b).id();
    const Configuration &opencl_base = base_.of(!cuda_is_b), &cuda_base = base_.of(cuda_is_b);
    // Copies: errors of a comparison stay here.
    Built own_opencl = built_.of(!cuda_is_b), own_cuda = built_.of(cuda_is_b);
    std::vector<OriginStep> steps;
    // Ratios are OpenCL's time first; the gap is B over A.
    const auto add = [&](std::string name, std::string what, std::optional<Ratio> ratio,
                         std::string reason, bool part = true) {
        OriginStep step{std::move(name), std::move(what), {}, std::move(reason), {}};
        if (ratio) {
            step.ratio = cuda_is_b ? *ratio : turned_round(*ratio);
            if (part) step.share = std::log(step.ratio->value) / search.log_gap;
        }
        steps.push_back(std::move(step));
    };
    const auto compared = [&](bool can_run, Built& a, const Configuration& of_a, Built& b,
                              const Configuration& of_b, std::string& reason) {
        return can_run ? compare(bench_, search.rule, a, of_a, b, of_b, reason)
                       : std::optional<Ratio>();
    };

    Foreign there = with_others_code(search, cuda_is_b);
    auto ratio = compared(there.reason.empty(), own_opencl, opencl_base, there.built,
                          there.configuration, there.reason);
    add("run-time and back end",
        fmt::format("OpenCL's PTX on {}, and the same PTX loaded by CUDA on {}", opencl, cuda),
        ratio, there.reason);

    Configuration assembled = cuda_base;
    assembled.by_driver = true;
    Built by_driver = built_and_verified(cuda_is_b, assembled);
    std::string reason = by_driver.ok() ? "" : by_driver.outcome.reason;
    std::string reason_front = there.reason.empty() ? reason : there.reason;
    ratio = compared(there.built.ok() && by_driver.ok(), there.built, there.configuration,
                     by_driver, assembled, reason_front);
    add("front end",
        fmt::format("OpenCL's PTX and NVRTC's, both assembled by the driver and run by {}", cuda),
        ratio, reason_front);

    ratio = compared(by_driver.ok(), by_driver, assembled, own_cuda, cuda_base, reason);
    add("back end",
        fmt::format("NVRTC's PTX assembled by the driver and by NVRTC, both run by {}", cuda),
        ratio, reason);

    // The other way round: the front ends once more, through OpenCL.
    Foreign back = with_others_code(search, !cuda_is_b);
    ratio = compared(back.reason.empty(), own_opencl, opencl_base, back.built, back.configuration,
                     back.reason);
    add("front end, seen through OpenCL",
        fmt::format("OpenCL's PTX and NVRTC's, both assembled and run by {}", opencl), ratio,
        back.reason, false);
    return steps;
}

}  // namespace parallax
