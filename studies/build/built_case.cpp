// Builds the kernels of a case and stores the compilers' reports.
#include "studies/build/built_case.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"

namespace parallax {
namespace {

BuiltKernel launched_kernel(const Launch& launch) {
    return {.kernel = launch.kernel,
            .geometry = launch.geometry,
            .local_bytes = launch.local_bytes(),
            .groups_per_unit = {}};
}

}  // namespace

std::vector<Launch> first_launches(const Plan& plan) {
    std::vector<Launch> launches;
    for (const Launch* launch : launches_of(plan)) {
        const bool known = std::ranges::any_of(
            launches, [&](const Launch& one) { return one.kernel == launch->kernel; });
        if (!known) launches.push_back(*launch);
    }
    return launches;
}

void build_kernel(Device& device, const Program& program, unsigned times, const RunConfig& config,
                  BuiltKernel& built) {
    try {
        for (unsigned i = 0; i < times; ++i) {
            if (config.check_interrupt) config.check_interrupt();
            // A driver's cache of compiled code would only look up what it has built before.
            Program anew = program;
            if (i > 0) anew.constants.push_back({"PARALLAX_BUILD", i});
            const auto code = device.compile(anew, built.kernel);
            built.build_seconds.push_back(code->build_seconds);
            if (i == 0) built.code = code;
        }
    } catch (const BuildFailed& error) {
        built.code.reset();
        built.text = error.text;
        built.log = error.log;
        throw;
    }
    built.resources = built.code->resources;
    built.text = built.code->source;
    built.log = built.code->log;
}

BuiltCase build_on(const Entry& entry, const Case& c, const RunConfig& config, unsigned times) {
    BuiltCase made{.where = fmt::format("{} ({})", entry.info.id(), entry.info.name),
                   .capability = entry.info.compute_capability,
                   .device = entry.info};
    made.outcome.the_case = c;
    made.outcome.reason = missing_capability(entry.info, c);
    if (!made.outcome.reason.empty()) {
        made.outcome.status = Status::unsupported;
        return made;
    }
    try {
        const auto device = entry.open();
        const Program program = program_of(c, config, entry.info.backend);
        for (const Launch& launch : first_launches(plan_of(on_backend(c, entry.info.backend)))) {
            BuiltKernel& built = made.kernels.emplace_back(launched_kernel(launch));
            build_kernel(*device, program, times, config, built);
            built.groups_per_unit = built.code->groups_per_unit(built.geometry, built.local_bytes);
        }
        made.outcome.status = Status::ok;
    } catch (...) {
        status_from_exception(entry.info, made.outcome, std::current_exception());
    }
    return made;
}

BuiltCase build_for(const Backend& backend, int architecture, const Case& c,
                    const RunConfig& config) {
    const std::vector<int> known = backend.architectures();
    if (std::ranges::find(known, architecture) == known.end()) {
        throw UsageError(fmt::format(
            "The compiler here does not know compute capability {}.{} (sm_{}). It knows sm_{}. "
            "Registers and bytes that you know go by --items, --registers and --local.",
            architecture / 10, architecture % 10, architecture, fmt::join(known, ", sm_")));
    }
    BuiltCase made{.where = fmt::format("sm_{}", architecture),
                   .capability = fmt::format("{}.{}", architecture / 10, architecture % 10)};
    made.outcome.the_case = c;
    if (!c.variant->natives.empty() && !native_source(*c.variant, backend.name())) {
        made.outcome.status = Status::unsupported;
        made.outcome.reason =
            fmt::format("'{}' is a native variant of the {} backend: there is no CUDA source of it.",
                        c.variant->name, native_backends(*c.variant));
        return made;
    }
    try {
        const CompiledProgram program =
            backend.compile(program_of(c, config, backend.name()), architecture);
        made.where = fmt::format("{} ({})", program.architecture, program.compiler);
        for (const Launch& launch : first_launches(plan_of(on_backend(c, backend.name())))) {
            const auto found =
                std::ranges::find(program.kernels, launch.kernel, &CompiledKernel::name);
            if (found == program.kernels.end()) continue;
            BuiltKernel& built = made.kernels.emplace_back(launched_kernel(launch));
            built.resources = found->resources;
            built.log = program.log;
        }
        made.outcome.status = Status::ok;
    } catch (const BuildFailed& error) {
        made.outcome.status = Status::failed;
        made.outcome.reason = error.what();
        made.outcome.log = error.log;
    }
    return made;
}

}  // namespace parallax
