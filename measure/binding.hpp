// A plan on a device: its buffers, its code, and the commands that they make.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/device/device.hpp"
#include "common/suite/suite.hpp"

namespace parallax {

/// Built kernels of one case, by name; a suite's lengths are arguments, so one build serves all
/// shapes.
using Codes = std::map<std::string, std::shared_ptr<const Code>, std::less<>>;

/// Builds every kernel that the plan launches. @throws what Device::compile throws.
Codes build(Device&, const Program&, const Plan&);
/// The same kernels at another place of the device's memory: loaded again where the device can,
/// else built again.
Codes relocate(Device&, const Codes&, const Program&);

/// The plan's steps on a device that holds `memory`, one for each of its buffers.
std::vector<Command> commands_of(const Plan&, std::span<const std::shared_ptr<Memory>> memory,
                                 const Codes&);

/// Whether buffers stand between guard zones: not with PARALLAX_GUARDS=none in the environment.
/// That is for a tool that knows what was allocated: it sees a read just behind an end, which
/// leaves no trace in a zone.
bool has_guard_zones();

/// A plan with memory and code on one device. Every buffer stands between guard zones, if there are
/// any.
class Binding {
public:
    /// Memory of the host, which is not placed anew for each round, since the system takes long to
    /// lock it; in the order of the plan's buffers, null for the device's own.
    using HostMemories = std::vector<std::shared_ptr<Memory>>;

    /// Allocates; nothing is written yet.
    /// @param kept  of a binding of the same plan on the same device: used again; empty: none
    Binding(Device&, const Plan&, const Codes&, const HostMemories& kept = {});

    HostMemories host_memories() const;
    const DeviceInfo& device_info() const { return device_->info(); }

    /// Writes the inputs, fills the guard zones, and poisons all else with `poison`.
    void load(const std::vector<HostArray>& inputs, std::byte poison);
    /// The same with inputs that are on the device already, one memory for each.
    void load(const std::vector<std::shared_ptr<Memory>>& inputs, std::byte poison);
    /// Poisons outputs and scratch again.
    void poison(std::byte);
    /// Whether there is something that is written and no input, on a plan of one queue.
    bool can_be_overwritten() const;
    /// Whether the inputs that it changes can be written anew between its runs, on the device.
    bool can_be_restored() const;
    /// Runs the plan so often, what it writes overwritten before each run by a byte that follows
    /// from `which`.
    /// @param inputs  as for load(), of which those that the plan changes are needed: they are
    /// written anew before each run; empty: they stay as they are
    /// @returns device seconds of one run, less those of overwriting
    double run_overwritten(unsigned repeats, unsigned which,
                           const std::vector<std::shared_ptr<Memory>>& inputs = {});
    /// Writes the inputs, one memory of the host for each buffer that is loaded, and nothing else.
    void write_inputs(std::span<const std::span<const std::byte>> inputs);
    /// Reads the whole outputs, one memory of the host for each of outputs().
    void read_outputs(std::span<const std::span<std::byte>> outputs) const;
    Elapsed run(unsigned repeats = 1, unsigned lead_in = 0) {
        return device_->run(commands_, repeats, lead_in);
    }

    /// Whether a second run of it begins with other inputs than the first did.
    bool changes_its_inputs() const;
    /// Places of the buffers whose content is an answer in the plan, in its order.
    std::vector<std::size_t> outputs() const;
    /// The elements of a buffer in parts that are small beside it: `part(elements, first)`. A part
    /// is gone when the call returns.
    void read_in_parts(
        std::size_t buffer,
        const std::function<void(const HostArray& elements, std::uint64_t first)>& part) const;
    /// As many elements of a buffer as there is room for, from `first` on.
    void read_part(std::size_t buffer, std::uint64_t first, HostArray& elements) const;
    /// What was written that should not have been: an altered input or guard zone, in one sentence.
    /// Empty: nothing. `inputs` are those of `load`.
    std::string damage(const std::vector<HostArray>& inputs) const;

private:
    bool is_moved_whole(std::size_t buffer) const;
    /// Guard zones and payload; without an input the payload is `value`.
    void write_whole(std::size_t buffer, std::span<const std::byte> input, std::byte value);
    void fill_guards(std::size_t buffer);
    void poison(std::size_t buffer, std::byte value, std::vector<Command>& fills);
    /// What a kernel wrote into a guard zone, in a sentence; empty: nothing.
    std::string damage_of_guard(std::size_t buffer, bool after,
                                std::span<const std::byte> found) const;

    Device* device_;
    Plan plan_;
    std::vector<std::shared_ptr<Memory>> memory_;
    std::vector<Command> commands_;
    std::byte guards_{0xff};  ///< what the guard zones follow from: the last load's poison
};

}  // namespace parallax
