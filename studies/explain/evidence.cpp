// Gathers a kernel's resources, occupancy, PTX and machine code, and compares them before and after
// a change.
#include "studies/explain/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "records/record.hpp"
#include "studies/explain/instructions.hpp"
#include "studies/explain/machine_code.hpp"
#include "studies/occupancy/occupancy.hpp"

namespace parallax {
namespace {

void add_occupancy(KernelEvidence& e, const Geometry& geometry, std::uint64_t local_bytes,
                   const DeviceInfo& device) {
    if (device.compute_capability.empty()) {
        e.why_no_occupancy = fmt::format(
            "{} has no CUDA compute capability, which the limits are known by.", device.id());
        return;
    }
    const auto limits = limits_of(device.compute_capability);
    if (!limits) {
        e.why_no_occupancy =
            fmt::format("The limits of compute capability {} are not known to this version.",
                        device.compute_capability);
    } else if (!e.resources.registers || !e.resources.local_bytes) {
        e.why_no_occupancy =
            fmt::format("The compiler did not say how {} the kernel needs.",
                        e.resources.registers ? "much local memory" : "many registers");
    } else {
        e.occupancy =
            occupancy_of(*limits, *e.resources.registers,
                         *e.resources.local_bytes + static_cast<std::uint32_t>(local_bytes),
                         geometry.items.product());
    }
}

void add_machine_code(KernelEvidence& e, std::string_view cubin, const DeviceInfo& device) {
    if (cubin.empty()) {
        e.machine_source = fmt::format("The API of {} hands out no machine code.", device.id());
        return;
    }
    const MachineText machine = disassemble(cubin);
    e.machine_source = machine.source;
    if (machine.text.empty()) return;
    e.machine = machine_mix(machine.text, e.kernel);
    e.machine_text = normalised_machine(machine.text, e.kernel);
    if (!e.machine) {
        e.machine_source =
            fmt::format("{} shows no kernel of the name {}.", machine.source, e.kernel);
    }
}

}  // namespace

KernelEvidence evidence_of(const Code& code, const Launch& launch, const DeviceInfo& device,
                           std::string_view machine_code, bool disassembled) {
    KernelEvidence e;
    e.kernel = code.kernel;
    e.options = code.options;
    e.resources = code.resources;
    add_occupancy(e, launch.geometry, launch.local_bytes(), device);
    e.ptx = ptx_mix(code.ptx, code.kernel);
    e.ptx_text = normalised_ptx(code.ptx, code.kernel);
    if (disassembled) {
        add_machine_code(e, code.machine_code.empty() ? machine_code : code.machine_code, device);
    }
    return e;
}

namespace {

/// Per class of instructions: smaller changes, in number or as a share, are left out.
constexpr std::uint32_t few = 2;
constexpr double small_share = 0.2;
/// Classes of instructions that are named, those that changed most first.
constexpr std::size_t most_classes = 4;

template <class T>
void note(std::vector<std::string>& list, const std::string& prefix, std::string_view what,
          const std::optional<T>& before, const std::optional<T>& after) {
    if (!before || !after || *before == *after) return;
    list.push_back(fmt::format("{}{} {} -> {}", prefix, what, *before, *after));
}

void note_mix(std::vector<std::string>& list, const std::string& prefix,
              const InstructionMix& before, const InstructionMix& after, std::string_view text) {
    for (const InstructionClass one : moved_classes(before, after)) {
        list.push_back(
            fmt::format("{}{} {} -> {} ({})", prefix, name_of(one), before[one], after[one], text));
    }
}

}  // namespace

std::vector<InstructionClass> moved_classes(const InstructionMix& before,
                                            const InstructionMix& after) {
    std::vector<InstructionClass> moved;
    const auto difference = [&](InstructionClass c) {
        return std::fabs(double{1} * after[c] - before[c]);
    };
    for (std::size_t i = 0; i < before.count.size(); ++i) {
        const auto one = static_cast<InstructionClass>(i);
        if (difference(one) < few) continue;
        if (difference(one) >= small_share * std::max(before[one], after[one]))
            moved.push_back(one);
    }
    std::ranges::stable_sort(moved, std::greater{}, difference);
    if (moved.size() > most_classes) moved.resize(most_classes);
    return moved;
}

std::vector<KernelEvidence> evidence_of_all(const Outcome& outcome, const DeviceInfo& info,
                                            const std::string& machine_code, bool disassembled) {
    std::vector<KernelEvidence> all;
    std::set<std::string> seen;
    for (const Launch* launch : launches_of(outcome.plan)) {
        if (!seen.insert(launch->kernel).second) continue;
        const auto code = outcome.codes.find(launch->kernel);
        if (code == outcome.codes.end()) continue;
        all.push_back(evidence_of(*code->second, *launch, info, machine_code, disassembled));
    }
    return all;
}

std::vector<std::string> consequences_of(const std::vector<KernelEvidence>& before,
                                         const std::vector<KernelEvidence>& after) {
    std::vector<std::string> list;
    for (const KernelEvidence& then : before) {
        const auto now = std::ranges::find(after, then.kernel, &KernelEvidence::kernel);
        if (now == after.end()) continue;
        const std::string prefix = before.size() > 1 ? then.kernel + ": " : "";
        note(list, prefix, "registers", then.resources.registers, now->resources.registers);
        note(list, prefix, "bytes of spills", then.resources.spill_bytes,
             now->resources.spill_bytes);
        note(list, prefix, "private bytes", then.resources.private_bytes,
             now->resources.private_bytes);
        note(list, prefix, "local bytes", then.resources.local_bytes, now->resources.local_bytes);
        if (then.occupancy && now->occupancy && then.occupancy->warps != now->occupancy->warps) {
            list.push_back(fmt::format("{}occupancy {} -> {} of {} warps", prefix,
                                       then.occupancy->warps, now->occupancy->warps,
                                       now->occupancy->most_warps));
        }
        if (then.machine && now->machine) {
            note_mix(list, prefix, *then.machine, *now->machine, "machine code");
        } else if (then.ptx && now->ptx) {
            note_mix(list, prefix, *then.ptx, *now->ptx, "PTX");
        }
    }
    return list;
}

}  // namespace parallax
