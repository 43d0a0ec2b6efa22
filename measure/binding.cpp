// Allocates a plan's buffers between guard zones, runs its commands and detects damage.
#include "measure/binding.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "common/device/race_checked_memory.hpp"
#include "common/error.hpp"
#include "common/process/parallel.hpp"
#include "common/profile.hpp"
#include "common/suite/inputs.hpp"
#include "measure/compare.hpp"

namespace parallax {
namespace {

/// Smaller buffers are transferred together with their guard zones: a transfer takes tens of
/// microseconds whatever its size.
constexpr std::size_t most_moved_whole = std::size_t{1} << 20;

/// The upper half of each word of a guard zone, by the byte that poisons the outputs: a NaN or a
/// large number, which show in a sum; a very small one, as fmin() and comparisons skip a NaN and a
/// search ends at a large number; one about 1 where two compared devices would otherwise agree.
std::pair<unsigned, unsigned> guard_words(std::byte poison) {
    if (poison == std::byte{0xff}) return {0x7f, 0xf0};
    if (poison == std::byte{0xa5}) return {0xff, 0x70};
    return {0x3f, 0x80};
}

/// The content of guard zone `zone`, unique per zone, so that a copy of another zone is detected.
std::vector<std::byte> guard_pattern(std::size_t bytes, std::uint64_t zone, std::byte poison) {
    const auto [last, before] = guard_words(poison);
    std::vector<std::byte> pattern(bytes);
    for (std::size_t i = 0; i < bytes; i += 4) {
        const std::uint64_t any = mix(zone, i);
        const std::array<std::uint64_t, 4> word{any & 0xff, any >> 8 & 0xff,
                                                before | (any >> 16 & 0x0f), last};
        for (std::size_t k = 0; k < std::min<std::size_t>(4, bytes - i); ++k) {
            pattern[i + k] = static_cast<std::byte>(word[k]);
        }
    }
    return pattern;
}

std::shared_ptr<Memory> allocated(Device& device, const BufferSpec& buffer) {
    if (!buffer.image) {
        auto memory =
            device.allocate(buffer.bytes(), has_guard_zones() ? guard_bytes : 0, buffer.placement);
        auto* const watched = dynamic_cast<WatchedMemory*>(memory.get());
        if (watched && buffer.order == Order::race) watched->take_any_store();
        return memory;
    }
    const bool fits =
        buffer.image->is_written ? is_changed(buffer.role) : buffer.role == Role::input;
    if (!fits || buffer.image->elements() != buffer.elements ||
        buffer.placement != Placement::device) {
        throw UsageError(
            fmt::format("'{}' is an image of the plan: its use is input, or in_out where kernels "
                        "write it, its place the device, and its extents have as many elements as "
                        "it has itself.",
                        buffer.name));
    }
    return device.allocate_image(*buffer.image, buffer.type);
}

}  // namespace

bool has_guard_zones() {
    const char* const said = std::getenv("PARALLAX_GUARDS");
    return !said || std::string_view(said) != "none";
}

Codes build(Device& device, const Program& program, const Plan& plan) {
    Codes codes;
    for (const Launch* launch : launches_of(plan)) {
        if (!codes.contains(launch->kernel)) {
            codes.emplace(launch->kernel, device.compile(program, launch->kernel));
        }
    }
    return codes;
}

Codes relocate(Device& device, const Codes& codes, const Program& program) {
    Codes anew;
    for (const auto& [kernel, code] : codes) {
        auto again = device.load_again(*code);
        anew.emplace(kernel, again ? std::move(again) : device.compile(program, kernel));
    }
    return anew;
}

Binding::Binding(Device& device, const Plan& plan, const HostMemories& kept)
    : device_(&device), plan_(plan) {
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
        const bool is_there = i < kept.size() && kept[i];
        memory_.push_back(is_there ? kept[i] : allocated(device, plan_.buffers[i]));
    }
}

Binding::Binding(Device& device, const Plan& plan, const Codes& codes, const HostMemories& kept)
    : Binding(device, plan, kept) {
    take(codes);
}

void Binding::take(const Codes& codes) {
    commands_ = commands_of(plan_, memory_, codes);
}

bool Binding::is_of(const Plan& plan, const Codes& codes) const {
    return plan_ == plan && std::ranges::all_of(commands_, [&](const Command& command) {
               const auto* dispatch = std::get_if<Dispatch>(&command.what);
               if (!dispatch) return true;
               const auto code = codes.find(dispatch->code->kernel);
               return code != codes.end() && code->second == dispatch->code;
           });
}

Binding::HostMemories Binding::host_memories() const {
    HostMemories memories = memory_;
    for (auto& memory : memories) {
        if (memory->placement() == Placement::device) memory = nullptr;
    }
    return memories;
}

std::vector<Command> commands_of(const Plan& plan, std::span<const std::shared_ptr<Memory>> memory,
                                 const Codes& codes) {
    const auto buffer_at = [&](BufferIndex buffer) {
        if (buffer.index >= memory.size()) throw UsageError("A plan without the buffer it names.");
        return memory[buffer.index];
    };
    std::vector<Command> commands;
    for (const Step& step : plan.steps) {
        if (const CopyBuffer* copy = step.copy()) {
            const auto source = buffer_at(copy->source);
            commands.push_back(
                {Copy{source, buffer_at(copy->target), copy->source_offset, copy->target_offset,
                      copy->bytes == 0 ? source->bytes() : copy->bytes},
                 step.queue, step.after});
            continue;
        }
        const Launch& launch = *step.launch();
        Dispatch dispatch{codes.at(launch.kernel), launch.geometry, {}, launch.local_carveout};
        dispatch.is_cooperative = launch.is_cooperative;
        for (const auto& argument : launch.arguments) {
            if (const auto* buffer = std::get_if<BufferIndex>(&argument)) {
                dispatch.arguments.emplace_back(buffer_at(*buffer));
            } else if (const auto* local = std::get_if<LocalBytes>(&argument)) {
                dispatch.arguments.emplace_back(*local);
            } else {
                dispatch.arguments.emplace_back(std::get<Scalar>(argument));
            }
        }
        for (const SymbolBuffer& one : launch.symbols) {
            dispatch.symbols.push_back({one.symbol, buffer_at(one.buffer),
                                        plan.buffers.at(one.buffer.index).role != Role::input});
        }
        for (const PointerBuffer& one : launch.pointers) {
            dispatch.pointers.push_back({one.argument, one.at, buffer_at(one.buffer), one.offset});
        }
        commands.push_back({std::move(dispatch), step.queue, step.after});
    }
    return commands;
}

std::vector<std::byte> Binding::guard(std::size_t buffer, bool after) const {
    return guard_pattern(memory_[buffer]->guard(), 2 * buffer + after, guards_);
}

bool Binding::is_moved_whole(std::size_t buffer) const {
    const Memory& memory = *memory_[buffer];
    return !memory.image() && memory.bytes() <= most_moved_whole;
}

void Binding::write_small(const std::vector<HostArray>* inputs) {
    std::vector<HostWrite> writes;
    std::vector<std::vector<std::byte>> kept;  // until they are written
    kept.reserve(2 * plan_.buffers.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
        Memory& memory = *memory_[i];
        const auto before = -static_cast<std::ptrdiff_t>(memory.guard());
        const std::size_t place = is_loaded(plan_.buffers[i].role) ? next++ : SIZE_MAX;
        std::vector<std::byte>& first = kept.emplace_back(guard(i, false));
        std::vector<std::byte>& last = kept.emplace_back(guard(i, true));
        if (!inputs || !is_moved_whole(i)) {
            if (memory.guard() == 0) continue;
            writes.push_back({&memory, first, before});
            writes.push_back({&memory, last, static_cast<std::ptrdiff_t>(memory.bytes())});
            continue;
        }
        if (place == SIZE_MAX) {
            first.resize(first.size() + memory.bytes(), guards_);
        } else {
            const std::span<const std::byte> input = inputs->at(place).bytes();
            if (input.size() != memory.bytes()) {
                throw UsageError(fmt::format("An input of {} bytes for '{}', which has {}.",
                                             input.size(), plan_.buffers[i].name, memory.bytes()));
            }
            first.insert(first.end(), input.begin(), input.end());
        }
        first.insert(first.end(), last.begin(), last.end());
        writes.push_back({&memory, first, before});
    }
    if (!writes.empty()) device_->write(writes);
}

void Binding::load(const std::vector<HostArray>& inputs, std::byte value) {
    guards_ = value;
    const auto wanted = std::ranges::count_if(
        plan_.buffers, [](const BufferSpec& one) { return is_loaded(one.role); });
    if (inputs.size() < static_cast<std::size_t>(wanted)) {
        throw UsageError("A plan with more inputs than were given.");
    }
    write_small(&inputs);
    for_loaded(plan_, [&](std::size_t i, std::size_t place) {
        if (!is_moved_whole(i)) device_->write_staged(*memory_[i], inputs[place].bytes());
    });
    poison_if(value, [&](std::size_t i) { return !is_moved_whole(i); });
}

void Binding::load(const std::vector<std::shared_ptr<Memory>>& inputs, std::byte value,
                   const std::vector<HostArray>& of_host) {
    const InPhase phase(Phase::transfers, device_->info().backend);
    load_without_inputs(value);
    for_loaded(plan_, [&](std::size_t i, std::size_t place) {
        if (memory_[i]->image()) device_->write(*memory_[i], of_host.at(place).bytes());
    });
    if (const std::vector<Command> copies = copies_of(inputs); !copies.empty())
        device_->run(copies);
}

void Binding::load_without_inputs(std::byte value) {
    guards_ = value;
    write_small(nullptr);
    poison(value);
}

void Binding::write_inputs(std::span<const std::span<const std::byte>> inputs) {
    for_loaded(plan_, [&](std::size_t i, std::size_t place) {
        if (place == inputs.size()) throw UsageError("A plan with more inputs than were given.");
        device_->write(*memory_[i], inputs[place]);
    });
}

void Binding::read_outputs(std::span<const std::span<std::byte>> outputs) const {
    std::size_t next = 0;
    for (const std::size_t output : this->outputs()) {
        if (next == outputs.size()) throw UsageError("A plan with more outputs than were given.");
        device_->read(*memory_[output], outputs[next++]);
    }
}

void Binding::poison(std::byte value) {
    poison_if(value, [](std::size_t) { return true; });
}

void Binding::poison_if(std::byte value, const std::function<bool(std::size_t)>& fits) {
    std::vector<Command> fills;
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
        const auto& memory = memory_[i];
        if (is_loaded(plan_.buffers[i].role) || !fits(i)) continue;
        if (std::byte* host = memory->host()) {
            fill_bytes(host, std::to_integer<unsigned char>(value), memory->bytes());
        } else {
            fills.push_back({Fill{memory, 0, memory->bytes(), static_cast<std::uint8_t>(value)}});
        }
    }
    if (!fills.empty()) device_->run(fills);
}

bool Binding::can_be_overwritten() const {
    return plan_.is_plain() && std::ranges::any_of(plan_.buffers, [](const BufferSpec& buffer) {
               return !is_loaded(buffer.role) && buffer.placement == Placement::device;
           });
}

bool Binding::can_be_restored() const {
    return plan_.is_plain() && std::ranges::none_of(plan_.buffers, [](const BufferSpec& buffer) {
               return is_changed(buffer.role) &&
                      (buffer.image || buffer.placement != Placement::device);
           });
}

double Binding::run_overwritten(unsigned repeats, unsigned which,
                                std::span<const Command> restore) {
    const auto byte = static_cast<std::uint8_t>(mix(repeats, which));
    std::vector<Command> fills(restore.begin(), restore.end());
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
        const BufferSpec& spec = plan_.buffers[i];
        if (is_loaded(spec.role) || spec.placement != Placement::device) continue;
        fills.push_back({Fill{memory_[i], 0, memory_[i]->bytes(), byte}});
    }
    const unsigned lead_in = repeats > 1 ? 1 : 0;  // one run may take long
    // First, so that the plan's writes come last.
    const double overwriting = device_->run(fills, repeats, lead_in).device;
    std::vector<Command> all = fills;
    all.insert(all.end(), commands_.begin(), commands_.end());
    return (device_->run(all, repeats, lead_in).device - overwriting) / repeats;
}

bool Binding::can_be_changed() const {
    return plan_.is_plain() && std::ranges::none_of(plan_.buffers, [](const BufferSpec& buffer) {
               return is_loaded(buffer.role) &&
                      (buffer.image || buffer.placement != Placement::device);
           });
}

std::vector<Command> Binding::copies_of(const std::vector<std::shared_ptr<Memory>>& inputs) const {
    std::vector<Command> copies;
    for_loaded(plan_, [&](std::size_t i, std::size_t place) {
        const auto& source = inputs.at(place);
        if (memory_[i]->image()) return;
        copies.push_back({Copy{source, memory_[i], 0, 0, source->bytes()}});
    });
    return copies;
}

void Binding::run_changing(const std::vector<std::shared_ptr<Memory>>& first,
                           const std::vector<std::shared_ptr<Memory>>& second) {
    std::vector<Command> all;
    for (const auto* const inputs : {&first, &second}) {
        std::ranges::move(copies_of(*inputs), std::back_inserter(all));
        std::ranges::copy(commands_, std::back_inserter(all));
    }
    device_->run(all);
}

bool Binding::changes_its_inputs() const {
    return std::ranges::any_of(plan_.buffers,
                               [](const BufferSpec& buffer) { return is_changed(buffer.role); });
}

std::vector<std::size_t> Binding::outputs() const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
        if (is_compared(plan_.buffers[i].role)) places.push_back(i);
    }
    return places;
}

void Binding::read_in_parts(std::size_t buffer, const PartReader& part) const {
    constexpr std::uint64_t part_bytes = std::uint64_t{1} << 25;
    const BufferSpec& spec = plan_.buffers.at(buffer);
    // An image is transferred as a whole.
    const std::uint64_t step = spec.image ? spec.elements : part_bytes / size_of(spec.type);
    HostArray elements;
    for (std::uint64_t first = 0; first < spec.elements; first += step) {
        const std::uint64_t count = std::min(step, spec.elements - first);
        if (elements.size() != count) elements = device_->read_room(spec.type, count);
        read_part(buffer, first, elements);
        part(elements, first);
    }
}

void Binding::read_part(std::size_t buffer, std::uint64_t first, HostArray& elements) const {
    const BufferSpec& spec = plan_.buffers.at(buffer);
    device_->read(*memory_[buffer], elements.bytes(),
                  static_cast<std::ptrdiff_t>(first * size_of(spec.type)));
}

Binding::Snapshot Binding::snapshot() const {
    Snapshot all(plan_.buffers.size());
    std::vector<HostRead> reads;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Memory& memory = *memory_[i];
        if (memory.image()) continue;
        const auto before = -static_cast<std::ptrdiff_t>(memory.guard());
        const bool is_whole = is_moved_whole(i);
        all[i].resize(2 * memory.guard() + (is_whole ? memory.bytes() : 0));
        if (is_whole) {
            reads.push_back({&memory, all[i], before});
        } else if (memory.guard() > 0) {
            const auto behind = static_cast<std::ptrdiff_t>(memory.bytes());
            reads.push_back({&memory, std::span(all[i]).first(memory.guard()), before});
            reads.push_back({&memory, std::span(all[i]).last(memory.guard()), behind});
        }
    }
    if (!reads.empty()) device_->read(reads);
    return all;
}

void Binding::read_in_parts(const Snapshot& snapshot, std::size_t buffer,
                            const PartReader& part) const {
    if (!is_moved_whole(buffer)) return read_in_parts(buffer, part);
    const BufferSpec& spec = plan_.buffers.at(buffer);
    HostArray elements(spec.type, spec.elements);
    std::ranges::copy(
        std::span(snapshot.at(buffer)).subspan(memory_[buffer]->guard(), elements.bytes().size()),
        elements.bytes().begin());
    part(elements, 0);
}

std::string Binding::guard_damage(const Snapshot& snapshot) const {
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
        const Memory& memory = *memory_[i];
        const std::span<const std::byte> small = snapshot.at(i);
        for (const bool after : {false, true}) {
            if (memory.image()) break;
            const auto found = after ? small.last(memory.guard()) : small.first(memory.guard());
            if (std::string said = damage_of_guard(i, after, found); !said.empty()) return said;
        }
    }
    return {};
}

std::string Binding::damage(const Snapshot& snapshot, const std::vector<HostArray>& inputs) const {
    if (std::string said = guard_damage(snapshot); !said.empty()) return said;
    std::size_t next = 0;
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
        const BufferSpec& spec = plan_.buffers[i];
        if (!is_loaded(spec.role)) continue;
        const std::span<const std::byte> before = inputs.at(next++).bytes();
        if (is_changed(spec.role)) continue;
        std::optional<std::uint64_t> altered;
        read_in_parts(snapshot, i, [&](const HostArray& part, std::uint64_t first) {
            const std::span<const std::byte> now = part.bytes();
            const auto then = before.subspan(first * size_of(spec.type), now.size());
            if (altered || have_same_bytes(now, then)) return;
            const auto differs = std::ranges::mismatch(now, then).in1 - now.begin();
            altered = first + static_cast<std::uint64_t>(differs) / size_of(spec.type);
        });
        if (altered) {
            return fmt::format("The kernel altered its input '{}', element {}.", spec.name,
                               *altered);
        }
    }
    return {};
}

std::string Binding::damage_of_guard(std::size_t buffer, bool after,
                                     std::span<const std::byte> found) const {
    const std::vector<std::byte> pattern = guard(buffer, after);
    const auto differs = std::ranges::mismatch(found, pattern);
    if (differs.in1 == found.end()) return {};
    const auto at = differs.in1 - found.begin();
    const std::string& name = plan_.buffers[buffer].name;
    if (after) {
        return fmt::format(
            "The kernel wrote past the end of buffer '{}', from {} byte(s) after it on.", name, at);
    }
    return fmt::format(
        "The kernel wrote before the start of buffer '{}', from {} byte(s) ahead of it on.", name,
        static_cast<std::ptrdiff_t>(found.size()) - at);
}

}  // namespace parallax
