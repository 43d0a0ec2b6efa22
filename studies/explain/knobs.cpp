// The knobs, except those of the source. A new one is one more entry of knobs(), at the end of this
// file, at the place of its likelihood.
#include "studies/explain/knobs.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "common/error.hpp"
#include "measure/verification.hpp"
#include "studies/explain/host_knobs.hpp"
#include "studies/explain/ptx_rewrites.hpp"
#include "studies/explain/text_knobs.hpp"

namespace parallax {
namespace {

using text_knobs::Changes;

/// A knob that changes OpenCL C and knows its types, for cases whose sides share one source.
std::function<Changes(const KnobSite&)> text(Changes (*changes)(const KnobSite&)) {
    return [changes](const KnobSite& site) {
        return site.program.language == Language::portable ? changes(site) : Changes{};
    };
}

/// A knob that changes a source of either language.
std::function<Changes(const KnobSite&)> either(Changes (*changes)(const KnobSite&)) {
    return [changes](const KnobSite& site) {
        const bool is_source = site.program.language == Language::portable ||
                               site.program.language == Language::native;
        try {
            return is_source ? changes(site) : Changes{};
        } catch (const Refused&) {
            // C++ that is not read so far, as raw strings
            return Changes{};
        }
    };
}

bool is_nvidia_opencl(const KnobSite& site) {
    return site.device.backend == "opencl" && site.device.has("ptx");
}
bool is_cuda(const KnobSite& site) {
    return site.device.backend == "cuda";
}

bool has_option(const Program& program, std::string_view start) {
    return std::ranges::any_of(program.options,
                               [&](const std::string& o) { return o.starts_with(start); });
}

/// Takes away options that begin so, and adds `option` unless it is empty.
std::function<void(Program&)> option(std::vector<std::string> starts, std::string added) {
    return [starts = std::move(starts), added = std::move(added)](Program& program) {
        std::erase_if(program.options, [&](const std::string& o) {
            return std::ranges::any_of(starts, [&](const auto& s) { return o.starts_with(s); });
        });
        if (!added.empty()) program.options.push_back(added);
    };
}

std::uint32_t most_registers(const Codes& codes) {
    std::uint32_t most = 0;
    for (const auto& [name, code] : codes) {
        most = std::max(most, code->resources.registers.value_or(0));
    }
    return most;
}

Changes register_cap(const KnobSite& site) {
    const bool opencl = is_nvidia_opencl(site);
    if (!opencl && !is_cuda(site)) return {};
    const std::string start = opencl ? "-cl-nv-maxrregcount" : "--maxrregcount";
    const std::string lifted_cause =
        "The compiler was told to use few registers, so values are kept in memory or calculated "
        "again.";
    Changes changes;
    if (has_option(site.program, start)) {
        changes.push_back({.setting = fmt::format("no {}", start),
                           .cause = lifted_cause,
                           .remedy = fmt::format("Build without {}.", start),
                           .program = option({start}, {}),
                           .after_ptx = true,
                           .of_registers = true});
    }
    const std::uint32_t own = most_registers(site.own), other = most_registers(site.other);
    std::set<std::uint32_t> caps{64, 128};
    if (other > 0) caps.insert(std::max(16u, other));
    caps.erase(own);
    for (const std::uint32_t cap : caps) {
        const std::string added = fmt::format("{}={}", start, cap);
        changes.push_back(
            {.setting = added,
             .cause = fmt::format("The compiler chose {} registers an item, and {} is better.",
                                  own > 0 ? std::to_string(own) : "a number of", added),
             .remedy = fmt::format("Build with {}.", added),
             .alike = fmt::format("{} registers", cap),
             .program = option({start}, added),
             .after_ptx = true,
             .of_registers = true});
    }
    return changes;
}

Changes contraction(const KnobSite& site) {
    const bool on = site.program.floats.contract;
    return {{.setting = on ? "contraction forbidden" : "contraction allowed",
             .cause = on ? "Fused multiply-adds, which the compiler made by itself, cost more "
                           "here than they save."
                         : "Products and sums are not fused into multiply-adds, so each takes "
                           "two instructions.",
             .remedy =
                 on ? "Build with contraction off."
                    : fmt::format("Say fma() in the source, or allow contraction ({}).",
                                  is_cuda(site) ? "--fmad=true" : "#pragma OPENCL FP_CONTRACT ON"),
             .program = [on](Program& p) { p.floats.contract = !on; }}};
}

Changes exact_division(const KnobSite& site) {
    const bool exact = site.program.floats.exact_division;
    return {{.setting = exact ? "fast division and square root" : "exact division and square root",
             .cause = exact ? "Division and square root are rounded correctly, which takes many "
                              "instructions for each."
                            : "The fast division is the slower one here.",
             .remedy = exact ? fmt::format("Allow division and square root a few ULP ({}), or "
                                           "multiply by the reciprocal.",
                                           is_cuda(site) ? "--prec-div=false --prec-sqrt=false"
                                                         : "leave out "
                                                           "-cl-fp32-correctly-rounded-divide-sqrt")
                             : "Ask for correctly rounded division.",
             .program = [exact](Program& p) { p.floats.exact_division = !exact; },
             .trade = exact}};
}

Changes denormals(const KnobSite& site) {
    const bool flushed = site.program.floats.flush_denormals;
    const char* flag = is_cuda(site) ? "--ftz=true" : "-cl-denorms-are-zero";
    return {{.setting = flushed ? "denormals kept" : "denormals flushed to zero",
             .cause = flushed ? "Flushing denormals costs more here than keeping them."
                              : "Keeping denormals takes slower forms of division, square root "
                                "and the like.",
             .remedy = flushed
                           ? fmt::format("Build without {}.", flag)
                           : fmt::format("Flush denormals ({}) where the answer allows it.", flag),
             .program = [flushed](Program& p) { p.floats.flush_denormals = !flushed; },
             .trade = !flushed}};
}

Changes relaxed(const KnobSite& site) {
    const std::string on = is_cuda(site) ? "--use_fast_math" : "-cl-fast-relaxed-math";
    // NVRTC takes the float rules, which are spelled out, over the short word for all of them.
    const auto relax = [on](Program& p) {
        option({on}, on)(p);
        p.floats = {.contract = true, .exact_division = false, .flush_denormals = true};
    };
    if (site.program.floats.relaxed || has_option(site.program, on)) {
        return {{.setting = fmt::format("no {}", on),
                 .cause = "The relaxed forms are the slower ones here.",
                 .remedy = fmt::format("Build without {}.", on),
                 .program = [on](Program& p) {
                     option({on}, {})(p);
                     p.floats.relaxed = false;
                 }}};
    }
    Changes changes{{.setting = on,
                     .cause = "The rules of IEEE 754 keep the compiler from shorter forms.",
                     .remedy = fmt::format("Build with {} where the answer allows it.", on),
                     .alike = "relaxed mathematics",
                     .program = relax,
                     .trade = true}};
    if (!is_cuda(site)) {
        changes.push_back({.setting = "-cl-mad-enable",
                           .cause = "The compiler may not use the shorter multiply-add.",
                           .remedy = "Build with -cl-mad-enable where the answer allows it.",
                           .program = option({"-cl-mad-enable"}, "-cl-mad-enable"),
                           .trade = true});
    }
    return changes;
}

Changes language_version(const KnobSite& site) {
    if (site.device.backend != "opencl") return {};
    Changes changes;
    for (const char* version : {"CL1.1", "CL2.0", "CL3.0"}) {
        const std::string added = fmt::format("-cl-std={}", version);
        if (has_option(site.program, added)) continue;
        changes.push_back({.setting = added,
                           .cause = "The OpenCL C version that the source is compiled as.",
                           .remedy = fmt::format("Build with {}.", added),
                           .program = option({"-cl-std="}, added)});
    }
    changes.push_back({.setting = "-cl-uniform-work-group-size",
                       .cause = "The compiler has to reckon with work-groups that are not full.",
                       .remedy = "Build with -cl-std=CL3.0 -cl-uniform-work-group-size.",
                       .program = [](Program& p) {
                           option({"-cl-std="}, "-cl-std=CL3.0")(p);
                           option({"-cl-uniform"}, "-cl-uniform-work-group-size")(p);
                       }});
    return changes;
}

Changes optimisation(const KnobSite& site) {
    const bool cuda = is_cuda(site);
    const std::vector<std::string> starts =
        cuda ? std::vector<std::string>{"--ptxas-options=-O", "--dopt"}
             : std::vector<std::string>{"-cl-opt-disable", "-cl-nv-opt-level"};
    Changes changes;
    if (std::ranges::any_of(starts, [&](const auto& s) { return has_option(site.program, s); })) {
        changes.push_back({.setting = "the default level",
                           .cause = "The compiler was told to optimise less.",
                           .remedy = fmt::format("Build without {} and {}.", starts[0], starts[1]),
                           .program = option(starts, {}),
                           .after_ptx = true});
    }
    if (!cuda && !is_nvidia_opencl(site)) return changes;
    const std::string most = cuda ? "--ptxas-options=-O3" : "-cl-nv-opt-level=3";
    changes.push_back({.setting = most,
                       .cause = "The compiler's usual level leaves something undone.",
                       .remedy = fmt::format("Build with {}.", most),
                       .alike = "the highest level",
                       .program = option(starts, most),
                       .after_ptx = true});
    return changes;
}

/// Work-items of one work-group, and of the launch.
std::pair<std::uint64_t, std::uint64_t> items_of(const Plan& plan) {
    std::uint64_t group = 0, all = 0;
    for (const Launch* launch : launches_of(plan)) {
        group += launch->geometry.items.product();
        all += launch->geometry.items.product() * launch->geometry.groups.product();
    }
    return {group, all};
}

// Constants that change the size of a work-group, and not the work of a work-item.
Changes group_size(const KnobSite& site) {
    Changes changes;
    const auto [group, all] = items_of(site.plan);
    if (group == 0) return {};
    for (const ConstantSpec& spec : site.the_case.suite->constants) {
        if (spec.is_argument || spec.changes_answer || !spec.choices.empty()) continue;
        const std::int64_t now = site.the_case[spec.name];
        for (const std::int64_t value : {now / 4, now / 2, 2 * now, 4 * now, 8 * now}) {
            if (value < std::max<std::int64_t>(spec.least, 1) || value > spec.most) continue;
            Plan plan;
            try {
                plan = plan_of(with_constants(site.the_case, {{spec.name, value}}));
            } catch (const UsageError&) {
                continue;  // it does not go with the others
            }
            const auto [new_group, new_all] = items_of(plan);
            const double change = static_cast<double>(new_all) / static_cast<double>(all);
            if (new_group == group || change < 0.97 || change > 1.03) continue;
            changes.push_back({.setting = fmt::format("{}={}", spec.name, value),
                               .cause = value < now ? "Groups are larger than suits this device."
                                                    : "Groups are smaller than suits this device.",
                               .remedy = fmt::format("Launch with {}={}.", spec.name, value),
                               .constants = {{spec.name, value}}});
        }
    }
    return changes;
}

Changes assembler(const KnobSite& site) {
    if (!is_cuda(site) || site.program.language == Language::ptx) return {};
    return {{.setting = "PTX assembled by the driver",
             .cause = "NVRTC's assembler and the driver's make different machine code of the same "
                      "PTX.",
             .remedy = "Load PTX instead of machine code.",
             .by_driver = true,
             .after_ptx = true}};
}

/// Whether such a rewriting changes the PTX of a kernel of CUDA.
bool rewrites(const KnobSite& site, std::string_view about,
              std::string (*rewritten)(const std::string&)) {
    return is_cuda(site) && std::ranges::any_of(site.own, [&](const auto& one) {
               const std::string& ptx = one.second->ptx;
               return ptx.find(about) != ptx.npos && rewritten(ptx) != ptx;
           });
}

Changes constant_memory(const KnobSite& site) {
    if (!rewrites(site, "ld.const.", with_constants_in_global)) return {};
    return {{.setting = "constants in global memory",
             .cause = "Loads from constant memory at an index that is not known before cost more "
                      "here than cached loads from global memory.",
             .remedy = "Declare the array as static __device__ const (OpenCL C: pass it as "
                       "__global const).",
             .ptx = with_constants_in_global,
             .after_ptx = true}};
}

Changes texel_coordinates(const KnobSite& site) {
    if (!rewrites(site, "tex.2d.", with_whole_texels)) return {};
    return {{.setting = "texels by whole coordinates",
             .cause = "CUDA's tex2D takes coordinates with a fraction; OpenCL fetches texels by "
                      "whole ones.",
             .remedy = "Fetch texels by inline PTX (tex.2d.v4.f32.s32).",
             .ptx = with_whole_texels,
             .after_ptx = true}};
}

}  // namespace

const std::vector<Knob>& knobs() {
    static const std::vector<Knob> all{
        {"atomic sums", "how floats are added to memory", either(text_knobs::sums_by_exchange)},
        {"other source", "in what the two sources differ", either(text_knobs::other_source)},
        {"texel coordinates", "how texels of an image are addressed", texel_coordinates},
        {"alignment", "how local arrays are aligned", either(text_knobs::alignment)},
        {"constant memory", "in which memory constants are", constant_memory},
        {"index width", "how wide indices are", either(text_knobs::index_width)},
        {"optimisation level", "how much the compiler optimises", optimisation},
        {"register cap", "how many registers an item may use", register_cap},
        {"work-group size", "the size of a work-group", group_size},
        {"contraction", "fused multiply-adds", contraction},
        {"exact division", "how division and square root are rounded", exact_division},
        {"doubles", "arithmetic in double precision", either(text_knobs::doubles)},
        {"volatile", "accesses that must not be kept in registers", either(text_knobs::volatility)},
        {"restrict", "whether buffers may overlap", either(text_knobs::aliasing)},
        {"read-only loads", "whether inputs are known to be read only",
         either(text_knobs::read_only_loads)},
        {"division", "how the source divides", text(text_knobs::division)},
        {"mathematics", "what functions of mathematics cost", either(text_knobs::mathematics)},
        {"vector loads", "how wide loads are", text(text_knobs::vector_loads)},
        {"assembler", "which assembler makes the machine code", assembler},
        {"other kernels", "what else is in the source", text(text_knobs::other_kernels)},
        {"unrolling", "how far loops are unrolled", either(text_knobs::unrolling)},
        {"branches", "whether items choose by branches", text(text_knobs::branches)},
        {"padding", "how local arrays lie in their banks", either(text_knobs::padding)},
        {"required size", "whether the compiler knows the work-group size",
         either(text_knobs::group_size_said)},
        {"denormals", "what becomes of denormal numbers", denormals},
        {"relaxed mathematics", "how strictly IEEE 754 is followed", relaxed},
        {"local memory", "whether local arrays have a size at compile time",
         text(text_knobs::local_kind)},
        {"language version", "the OpenCL C version", language_version},
        {"profiling", "whether the queue keeps times", host_knobs::profiling, true},
        {"events", "which commands have an event", host_knobs::events, true},
        {"flushes", "when queues are flushed", host_knobs::flushes, true},
        {"queues", "whether queues run side by side", host_knobs::queues, true},
        {"memory", "in which memory buffers are", host_knobs::memory, true},
        {"transfers", "the number and size of transfers", host_knobs::transfers, true},
    };
    return all;
}

const Knob& knob_named(std::string_view name) {
    // Explanations of earlier versions have trials of it: parts of one PTX in the other.
    static const Knob front_end{std::string(front_end_knob),
                                "what the front ends make of the source",
                                [](const KnobSite&) { return Changes{}; }};
    if (name == front_end.name) return front_end;
    for (const Knob& knob : knobs()) {
        if (knob.name == name) return knob;
    }
    throw UsageError(fmt::format("There is no knob '{}'.", name));
}

}  // namespace parallax
