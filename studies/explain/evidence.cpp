// Gathers a kernel's resources, occupancy, PTX and machine code.
#include "studies/explain/evidence.hpp"

#include <fmt/format.h>

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

}  // namespace parallax
