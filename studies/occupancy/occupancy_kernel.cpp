// Builds kernels for their resources and holds the calculator against the API.
#include "studies/occupancy/occupancy_kernel.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/one_case.hpp"
#include "common/error.hpp"
#include "common/text.hpp"

namespace parallax::cli {
namespace {

Prediction prediction_of(const Launch& launch, const Resources& resources) {
    Prediction p{.kernel = launch.kernel,
                 .items = launch.geometry.items.product(),
                 .registers = resources.registers,
                 .local_bytes = resources.local_bytes,
                 .predicted = {},
                 .why_not = {},
                 .api_groups = {}};
    if (p.local_bytes) *p.local_bytes += static_cast<std::uint32_t>(launch.local_bytes());
    return p;
}

std::string count(const std::optional<std::uint32_t>& value) {
    return value ? std::to_string(*value) : "-";
}

Json known(const std::optional<std::uint32_t>& value) {
    return value ? Json(*value) : Json("unknown");
}

}  // namespace

std::string Prediction::prediction_text() const {
    if (!predicted) return "-";
    return fmt::format("{} group{}, {}", predicted->groups, predicted->groups == 1 ? "" : "s",
                       in_words(*predicted));
}

std::string Prediction::api_text() const {
    if (!api_groups) return "-";
    return fmt::format("{} group{}{}", *api_groups, *api_groups == 1 ? "" : "s",
                       !predicted  ? ""
                       : differs() ? ", DIFFERS"
                                   : ", the same");
}

void predict(Prediction& p, const std::string& capability, const std::string& where) {
    const auto limits = limits_of(capability);
    if (capability.empty()) {
        p.why_not = fmt::format(
            "{} has no compute capability, by which the limits of a multiprocessor are known: "
            "there is nothing to calculate with. --capability 9.0 compiles for one without a "
            "device.",
            where);
    } else if (!limits) {
        p.why_not = fmt::format(
            "The limits of compute capability {} are not known to this version. Known are: {}.",
            capability, fmt::join(known_capabilities(), ", "));
    } else if (!p.registers || !p.local_bytes) {
        p.why_not = fmt::format("The compiler for {} did not say how {} the kernel needs.", where,
                                p.registers ? "much local memory" : "many registers");
    } else {
        p.predicted = occupancy_of(*limits, *p.registers, *p.local_bytes, p.items);
    }
}

PredictedOn predict_on(const Entry& entry, const Case& c, const RunContext& context) {
    PredictedOn on{.where = fmt::format("{} ({})", entry.info.id(), entry.info.name),
                   .capability = entry.info.compute_capability,
                   .kernels = {},
                   .problem = what_it_lacks(entry.info, c)};
    if (!on.problem.empty()) return on;
    try {
        const auto device = entry.open();
        const Program program = program_of(c, context, entry.info.backend);
        for (const Launch& launch : first_launches(plan_of(c))) {
            const auto code = device->compile(program, launch.kernel);
            Prediction& p = on.kernels.emplace_back(prediction_of(launch, code->resources));
            p.api_groups = code->groups_per_unit(launch.geometry, launch.local_bytes());
            predict(p, on.capability, entry.info.id());
        }
    } catch (const Unsupported& error) {
        on.problem = error.what();
    } catch (const UsageError&) {
        throw;
    } catch (const Error& error) {
        on.problem = error.what();
        on.failed = true;
    }
    return on;
}

PredictedOn predict_for(const Backend& backend, const std::string& capability, const Case& c,
                        const RunContext& context) {
    std::string digits = capability;
    std::erase(digits, '.');
    const int architecture = std::stoi(digits);
    const std::vector<int> known = backend.architectures();
    if (std::ranges::find(known, architecture) == known.end()) {
        throw UsageError(
            fmt::format("The compiler here does not know compute capability {} (sm_{}). It knows "
                        "sm_{}. Registers and bytes that you know go by --items, --registers and "
                        "--local.",
                        capability, digits, fmt::join(known, ", sm_")));
    }
    PredictedOn on{.where = "sm_" + digits, .capability = capability, .kernels = {}, .problem = {}};
    if (!c.variant->natives.empty() && !native_text(*c.variant, backend.name())) {
        on.problem = fmt::format(
            "'{}' is a native variant of the {} backend: there is no CUDA "
            "text of it.",
            c.variant->name, native_backends(*c.variant));
        return on;
    }
    try {
        const CompiledProgram made =
            backend.compile(program_of(c, context, backend.name()), architecture);
        on.where = fmt::format("{} ({})", made.architecture, made.compiler);
        for (const Launch& launch : first_launches(plan_of(c))) {
            const auto found =
                std::ranges::find(made.kernels, launch.kernel, &CompiledKernel::name);
            if (found == made.kernels.end()) continue;
            predict(on.kernels.emplace_back(prediction_of(launch, found->resources)), capability,
                    on.where);
        }
    } catch (const BuildFailed& error) {
        on.problem = error.what();
        on.failed = true;
    }
    return on;
}

std::string predictions_text(const PredictedOn& on) {
    using enum Table::Align;
    std::string out = fmt::format(
        "  {}{}\n", printable(on.where),
        on.capability.empty() ? "" : fmt::format(", compute capability {}", on.capability));
    if (!on.problem.empty()) return out + "    " + wrapped(printable(on.problem), 92, 4, 4) + "\n";
    Table table({left, right, right, right, left, left, left});
    table.add({"kernel", "items", "registers", "local bytes", "predicted, of a unit", "limited by",
               "the API says"});
    std::vector<std::string> remarks;
    for (const Prediction& p : on.kernels) {
        table.add({p.kernel, std::to_string(p.items), count(p.registers), count(p.local_bytes),
                   p.prediction_text(), p.predicted ? p.predicted->limited_by : "-", p.api_text()});
        if (!p.why_not.empty() && std::ranges::find(remarks, p.why_not) == remarks.end()) {
            remarks.push_back(p.why_not);
        }
    }
    out += table.text(4);
    for (const std::string& remark : remarks) {
        out += "    " + wrapped(printable(remark), 92, 4, 4) + "\n";
    }
    return out;
}

Json predictions_json(const PredictedOn& on) {
    Json kernels = Json::array();
    for (const Prediction& p : on.kernels) {
        Json json{{"kernel", p.kernel},
                  {"items", p.items},
                  {"registers", known(p.registers)},
                  {"local_bytes", known(p.local_bytes)},
                  {"api_groups", known(p.api_groups)}};
        if (p.predicted) {
            json["groups"] = p.predicted->groups;
            json["warps"] = p.predicted->warps;
            json["most_warps"] = p.predicted->most_warps;
            json["occupancy"] = p.predicted->share();
            json["limited_by"] = p.predicted->limited_by;
        } else {
            json["why_not"] = p.why_not;
        }
        kernels.push_back(std::move(json));
    }
    Json json{{"where", on.where}, {"compute_capability", on.capability}, {"kernels", kernels}};
    if (!on.problem.empty()) json["problem"] = on.problem;
    return json;
}

}  // namespace parallax::cli
