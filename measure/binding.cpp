// Puts a plan on a device: buffers between guard zones, commands, and what became of them.
#include "measure/binding.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/inputs.hpp"
#include "common/parallel.hpp"
#include "common/profile.hpp"

namespace parallax {
namespace {

/// What lies in guard zone `zone`, the same for the same one only: a kernel that copies one zone to
/// another shows. As a float or a double it is a NaN, so that what reads it shows in a sum as well.
std::vector<std::byte> guard_pattern(std::size_t bytes, std::uint64_t zone) {
    std::vector<std::byte> pattern(bytes);
    for (std::size_t i = 0; i < bytes; ++i) {
        const std::uint64_t any = mix(zone, i);
        pattern[i] = static_cast<std::byte>(i % 4 == 3   ? 0x7f
                                            : i % 4 == 2 ? 0xf0 | (any & 0x0f)
                                                         : any & 0xff);
    }
    return pattern;
}

bool are_equal(std::span<const std::byte> a, std::span<const std::byte> b) {
    std::atomic<bool> equal = true;
    for_chunks(
        a.size(),
        [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
            if (std::memcmp(a.data() + begin, b.data() + begin, end - begin) != 0) equal = false;
        },
        1 << 21);
    return equal;
}

std::shared_ptr<Memory> allocated(Device& device, const BufferSpec& buffer) {
    if (!buffer.image) return device.allocate(buffer.bytes(), guard_bytes, buffer.placement);
    if (buffer.role != Role::input || buffer.image->elements() != buffer.elements ||
        buffer.placement != Placement::device) {
        throw UsageError(
            fmt::format("'{}' is an image of the plan: its use is input, its place the device, and "
                        "its extents have as many elements as it has itself.",
                        buffer.name));
    }
    return device.allocate_image(*buffer.image, buffer.type);
}

}  // namespace

Codes build(Device& device, const Program& program, const Plan& plan) {
    Codes codes;
    for (const Launch* launch : launches_of(plan)) {
        if (!codes.contains(launch->kernel)) {
            codes.emplace(launch->kernel, device.compile(program, launch->kernel));
        }
    }
    return codes;
}

Codes placed_anew(Device& device, const Codes& codes, const Program& program) {
    Codes anew;
    for (const auto& [kernel, code] : codes) {
        auto again = device.load_again(*code);
        anew.emplace(kernel, again ? std::move(again) : device.compile(program, kernel));
    }
    return anew;
}

Binding::Binding(Device& device, const Plan& plan, const Codes& codes, const HostMemories& kept)
    : device_(&device), plan_(plan) {
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
        const bool is_there = i < kept.size() && kept[i];
        memory_.push_back(is_there ? kept[i] : allocated(device, plan_.buffers[i]));
    }
    commands_ = commands_of(plan_, memory_, codes);
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
        for (const auto& argument : launch.arguments) {
            if (const auto* buffer = std::get_if<BufferIndex>(&argument)) {
                dispatch.arguments.emplace_back(buffer_at(*buffer));
            } else if (const auto* local = std::get_if<LocalBytes>(&argument)) {
                dispatch.arguments.emplace_back(*local);
            } else {
                dispatch.arguments.emplace_back(std::get<Scalar>(argument));
            }
        }
        commands.push_back({std::move(dispatch), step.queue, step.after});
    }
    return commands;
}

void Binding::fill_guards() {
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
        Memory& memory = *memory_[i];
        if (memory.image()) continue;  // it has none
        device_->write(memory, guard_pattern(memory.guard(), 2 * i),
                       -static_cast<std::ptrdiff_t>(memory.guard()));
        device_->write(memory, guard_pattern(memory.guard(), 2 * i + 1),
                       static_cast<std::ptrdiff_t>(memory.bytes()));
    }
}

void Binding::load(const std::vector<HostArray>& inputs, std::byte value) {
    fill_guards();
    load_inputs(inputs);
    poison(value);
}

void Binding::load(const std::vector<std::shared_ptr<Memory>>& inputs, std::byte value) {
    const InPhase phase(Phase::transfers, device_->info().backend);
    fill_guards();
    std::vector<Command> copies;
    std::size_t next = 0;
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
        if (!is_loaded(plan_.buffers[i].role)) continue;
        const auto& source = inputs.at(next++);
        if (memory_[i]->image()) {
            // No command reaches it.
            std::vector<std::byte> bytes(source->bytes());
            device_->read(*source, bytes);
            device_->write(*memory_[i], bytes);
            continue;
        }
        copies.push_back({Copy{source, memory_[i], 0, 0, source->bytes()}});
    }
    if (!copies.empty()) device_->run(copies);
    poison(value);
}

void Binding::write_inputs(std::span<const std::span<const std::byte>> inputs) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
        if (!is_loaded(plan_.buffers[i].role)) continue;
        if (next == inputs.size()) throw UsageError("A plan with more inputs than were given.");
        device_->write(*memory_[i], inputs[next++]);
    }
}

void Binding::load_inputs(const std::vector<HostArray>& inputs) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
        if (!is_loaded(plan_.buffers[i].role)) continue;
        if (next == inputs.size()) throw UsageError("A plan with more inputs than were given.");
        device_->write_staged(*memory_[i], inputs[next++].bytes());
    }
}

void Binding::read_outputs(std::span<const std::span<std::byte>> outputs) const {
    std::size_t next = 0;
    for (const std::size_t output : this->outputs()) {
        if (next == outputs.size()) throw UsageError("A plan with more outputs than were given.");
        device_->read(*memory_[output], outputs[next++]);
    }
}

void Binding::poison(std::byte value) {
    std::vector<Command> fills;
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
        if (is_loaded(plan_.buffers[i].role)) continue;
        if (std::byte* host = memory_[i]->host()) {
            std::memset(host, static_cast<int>(value), memory_[i]->bytes());
            continue;
        }
        fills.push_back(
            {Fill{memory_[i], 0, memory_[i]->bytes(), static_cast<std::uint8_t>(value)}});
    }
    if (!fills.empty()) device_->run(fills);
}

bool Binding::changes_its_inputs() const {
    return std::ranges::any_of(
        plan_.buffers, [](const BufferSpec& buffer) { return buffer.role == Role::in_out; });
}

std::vector<std::size_t> Binding::outputs() const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
        if (is_compared(plan_.buffers[i].role)) places.push_back(i);
    }
    return places;
}

void Binding::read_in_parts(
    std::size_t buffer,
    const std::function<void(const HostArray& elements, std::uint64_t first)>& part) const {
    constexpr std::uint64_t part_bytes = std::uint64_t{1} << 25;
    const BufferSpec& spec = plan_.buffers.at(buffer);
    // An image is moved as a whole.
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

std::string Binding::damage(const std::vector<HostArray>& inputs) const {
    std::size_t next = 0;
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
        const Memory& memory = *memory_[i];
        const BufferSpec& spec = plan_.buffers[i];
        for (const bool after : {false, true}) {
            if (memory.image()) break;
            const std::vector<std::byte> pattern = guard_pattern(memory.guard(), 2 * i + after);
            std::vector<std::byte> found(memory.guard());
            device_->read(memory, found,
                          after ? static_cast<std::ptrdiff_t>(memory.bytes())
                                : -static_cast<std::ptrdiff_t>(memory.guard()));
            const auto differs = std::ranges::mismatch(found, pattern);
            if (differs.in1 != found.end()) {
                const auto at = differs.in1 - found.begin();
                return after ? fmt::format(
                                   "The kernel wrote behind the end of buffer '{}', from {} "
                                   "byte(s) past it on.",
                                   spec.name, at)
                             : fmt::format(
                                   "The kernel wrote before the start of buffer '{}', from {} "
                                   "byte(s) ahead of it on.",
                                   spec.name, static_cast<std::ptrdiff_t>(memory.guard()) - at);
            }
        }
        if (!is_loaded(spec.role)) continue;
        const std::span<const std::byte> before = inputs.at(next++).bytes();
        if (spec.role == Role::in_out) continue;
        std::optional<std::uint64_t> altered;
        read_in_parts(i, [&](const HostArray& now, std::uint64_t first) {
            const std::span<const std::byte> now_bytes = now.bytes();
            const auto then = before.subspan(first * size_of(spec.type), now_bytes.size());
            if (altered || are_equal(now_bytes, then)) return;
            const auto differs = std::ranges::mismatch(now_bytes, then).in1 - now_bytes.begin();
            altered = first + static_cast<std::uint64_t>(differs) / size_of(spec.type);
        });
        if (altered) {
            return fmt::format("The kernel altered its input '{}', element {}.", spec.name,
                               *altered);
        }
    }
    return {};
}

}  // namespace parallax
