// Compares a kernel's evidence before and after a change.
#include "studies/explain/consequences.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "records/record.hpp"
#include "studies/explain/evidence.hpp"

namespace parallax {
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
