// A plan bound to a device: its buffers, its code and its commands.
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

/// Compiled kernels of one case, by name. A suite's lengths are arguments, so one build serves all
/// shapes.
using Codes = std::map<std::string, std::shared_ptr<const Code>, std::less<>>;

/// Builds every kernel that the plan launches. @throws what Device::compile throws.
Codes build(Device&, const Program&, const Plan&);
/// The same kernels at another address in the device's memory: reloaded where the device can, else
/// built again.
Codes relocate(Device&, const Codes&, const Program&);

/// The plan's steps as commands, with `memory` for its buffers.
std::vector<Command> commands_of(const Plan&, std::span<const std::shared_ptr<Memory>> memory,
                                 const Codes&);

/// Whether buffers have guard zones: not with PARALLAX_GUARDS=none in the environment, for tools
/// that track allocations and see a read past the end, which leaves no trace in a zone.
bool has_guard_zones();

/// A plan with its memory and code on one device. Buffers are between guard zones, if there are
/// any.
class Binding {
public:
    /// Host memory that is not relocated for each round, since locking it takes long; in the order
    /// of the plan's buffers, null for device memory.
    using HostMemories = std::vector<std::shared_ptr<Memory>>;

    /// Allocates the buffers without writing them.
    /// @param kept  of a binding of the same plan on the same device, reused; empty: none
    Binding(Device&, const Plan&, const Codes&, const HostMemories& kept = {});
    /// The same without code: take() comes before the first run.
    Binding(Device&, const Plan&, const HostMemories& kept);
    /// Launches this code from now on.
    void take(const Codes&);

    /// Whether it launches this code for this plan, so that load() makes it as good as a new one.
    bool is_of(const Plan&, const Codes&) const;

    HostMemories host_memories() const;
    const DeviceInfo& device_info() const { return device_->info(); }
    Device& device() const { return *device_; }
    /// The plan's buffers, in order.
    const std::vector<std::shared_ptr<Memory>>& memory() const { return memory_; }
    /// One run.
    const std::vector<Command>& commands() const { return commands_; }

    /// Writes the inputs, fills the guard zones, and poisons all else with `poison`.
    void load(const std::vector<HostArray>& inputs, std::byte poison);
    /// The same with inputs that are on the device already.
    /// @param of_host  the same inputs: images, which no command copies, are taken from there
    void load(const std::vector<std::shared_ptr<Memory>>& inputs, std::byte poison,
              const std::vector<HostArray>& of_host);
    /// The same, and leaves the inputs to the caller.
    void load_without_inputs(std::byte poison);
    /// Poisons outputs and scratch again.
    void poison(std::byte);
    /// Whether a plan of one queue writes buffers that are no inputs.
    bool can_be_overwritten() const;
    /// Whether modified inputs can be restored between runs, on the device.
    bool can_be_restored() const;
    /// Runs the plan `repeats` times and overwrites its outputs before each run with a byte derived
    /// from `which`.
    /// @param restore  commands that restore inputs, executed before each run, too
    /// @returns device seconds of one run, without the overwriting
    double run_overwritten(unsigned repeats, unsigned which, std::span<const Command> restore = {});
    /// Whether inputs can be copied in place of others between runs, on the device.
    bool can_be_changed() const;
    /// Runs the plan on `first` and on `second`, both as for load(), in one batch, and resets
    /// nothing but the inputs.
    void run_changing(const std::vector<std::shared_ptr<Memory>>& first,
                      const std::vector<std::shared_ptr<Memory>>& second);
    /// Writes only the inputs, from one host memory for each.
    void write_inputs(std::span<const std::span<const std::byte>> inputs);
    /// Reads the whole outputs, into one host memory for each of outputs().
    void read_outputs(std::span<const std::span<std::byte>> outputs) const;
    Elapsed run(unsigned repeats = 1, unsigned lead_in = 0) {
        return device_->run(commands_, repeats, lead_in);
    }

    /// Whether a second run starts from other inputs than the first.
    bool changes_its_inputs() const;
    /// The plan's indices of the compared buffers, in order.
    std::vector<std::size_t> outputs() const;
    /// Receives a part of a buffer, which is valid only during the call; `first` is its place.
    using PartReader = std::function<void(const HostArray& elements, std::uint64_t first)>;
    /// Calls `part` for consecutive small parts of a buffer.
    void read_in_parts(std::size_t buffer, const PartReader& part) const;
    /// Reads elements of a buffer from `first` on, until `elements` is full.
    void read_part(std::size_t buffer, std::uint64_t first, HostArray& elements) const;

    /// The small parts, read with one wait: for each buffer the guard zone before it, its payload
    /// if that is small, and the guard zone behind it; empty for images.
    using Snapshot = std::vector<std::vector<std::byte>>;
    Snapshot snapshot() const;
    /// As above, with small buffers from the snapshot.
    void read_in_parts(const Snapshot&, std::size_t buffer, const PartReader& part) const;
    /// Which input or guard zone was modified although it must not be, in one sentence. Empty:
    /// none. `inputs` are those of `load`.
    std::string damage(const std::vector<HostArray>& inputs) const {
        return damage(snapshot(), inputs);
    }
    std::string damage(const Snapshot&, const std::vector<HostArray>& inputs) const;
    /// Only of guard zones.
    std::string guard_damage(const Snapshot&) const;

private:
    bool is_moved_whole(std::size_t buffer) const;
    std::vector<std::byte> guard(std::size_t buffer, bool after) const;
    /// Writes guard zones, and small buffers whole: the inputs, and all else filled with the
    /// poison. @param inputs  null: guard zones alone
    void write_small(const std::vector<HostArray>* inputs);
    /// The same for those of the buffers that fit.
    void poison_if(std::byte, const std::function<bool(std::size_t buffer)>& fits);
    /// The commands that copy the inputs to their buffers; none to images.
    std::vector<Command> copies_of(const std::vector<std::shared_ptr<Memory>>& inputs) const;
    /// A kernel's write into a guard zone, in a sentence; empty: none.
    std::string damage_of_guard(std::size_t buffer, bool after,
                                std::span<const std::byte> found) const;

    Device* device_;
    Plan plan_;
    std::vector<std::shared_ptr<Memory>> memory_;
    std::vector<Command> commands_;
    std::byte guards_{0xff};  ///< the last load's poison, from which the guard zones are derived
};

}  // namespace parallax
