// An open host device: memory, builds, and sequential commands.
#include "backends/host/host_device.hpp"

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/host_clock.hpp"
#include "common/text/characters.hpp"
#include "mapping/analyze/call_arguments.hpp"
#include "mapping/translate/cuda_source.hpp"

namespace parallax::host {
namespace {

std::byte* start_of(const Memory& memory) {
    if (memory.host()) return memory.host();
    const auto* const image = dynamic_cast<const HostImage*>(&memory);
    return image ? image->texels() : buffer_of(memory).at(0);
}

/// Lets the program access guard zones, which are forbidden to kernels.
class GuardsOpened {
public:
    explicit GuardsOpened(const Memory& memory)
        : buffer_(dynamic_cast<const HostBuffer*>(&memory)) {
        if (buffer_) buffer_->forbid_guards(false);
    }
    ~GuardsOpened() {
        if (buffer_) buffer_->forbid_guards(true);
    }
    GuardsOpened(const GuardsOpened&) = delete;
    GuardsOpened& operator=(const GuardsOpened&) = delete;

private:
    const HostBuffer* buffer_;
};

template <class F>
auto within_memory(std::size_t bytes, F&& allocate) {
    try {
        return allocate();
    } catch (const std::bad_alloc&) {
        throw UsageError(
            fmt::format("The host has no {} bytes left. Choose a smaller size.", bytes));
    }
}

}  // namespace

const HostBuffer& buffer_of(const Memory& memory) {
    const auto* ours = dynamic_cast<const HostBuffer*>(&memory);
    if (!ours) throw UsageError("The memory belongs to a device of another backend.");
    return *ours;
}

std::unique_ptr<GuardedBuffer> fenced(std::size_t bytes) {
    return within_memory(bytes, [&] { return std::make_unique<GuardedBuffer>(bytes); });
}

HostBuffer::HostBuffer(std::size_t bytes, std::size_t guard, bool mapped)
    : Memory(bytes, guard, mapped ? Placement::mapped : Placement::device) {
    // A guard zone of any size keeps the payload aligned for the longest vector.
    constexpr std::size_t alignment = 128;
    const std::size_t front = (guard + alignment - 1) / alignment * alignment;
    memory_ = fenced(front + bytes + guard);
    payload_ = memory_->inside() + front;
}

void HostBuffer::forbid_around() const {
    if (std::exchange(is_forbidden_, true)) return;
    forbid({payload_ - around(), around()}, true);
    forbid({payload_ + bytes(), around()}, true);
}

void HostBuffer::forbid_guards(bool forbidden) const {
    if (!is_forbidden_) return;
    forbid({payload_ - guard(), guard()}, forbidden);
    forbid({payload_ + bytes(), guard()}, forbidden);
}

Shared HostBuffer::shared() const {
    constexpr std::size_t most_watched = std::size_t{16} << 20U;
    const std::size_t watched = std::min(bytes(), most_watched);
    if (!book_) book_ = fenced(Shared::book_bytes(watched));
    Shared made{{payload_, watched}, book_->inside(), false};
    made.takes_any_store = takes_any_store();
    return made;
}

HostBuffer::~HostBuffer() {
    if (is_forbidden_) forbid({payload_ - around(), bytes() + 2 * around()}, false);
}

namespace {

/// The CUDA source. Where it is sanitized, mul24() and mad24() stay calls if possible, since their
/// replacements are defined for all numbers.
std::string text_of(const Program& program, bool is_sanitized) {
    Program checked = program;
    for (const char* const name : {"mul24", "mad24"}) {
        if (is_sanitized && has_word(program.source, name))
            checked.defines.push_back({name, std::string("parallax_") + name});
    }
    if (program.language != Language::portable || checked == program) return cuda_source(program);
    try {
        return cuda_source(checked);
    } catch (const Refused&) {
        return cuda_source(program);
    }
}

}  // namespace

HostCode::HostCode(const Program& program, std::string_view name, bool is_sanitized)
    : is_sanitized_(is_sanitized) {
    const HostClock::time_point start = HostClock::now();
    kernel = name;
    library_ = library_of(program, text_of(program, is_sanitized), kernel, is_sanitized);
    source = library_->text();
    options = library_->options();
    if (program.language == Language::portable) declared_ = signature_of(program, name);
    build_seconds = seconds_since(start);
}

std::vector<parallax_host::Parameter> HostCode::parameters_when_loaded() const {
    const std::shared_ptr<KernelModule> loaded = library_->lease();
    const std::size_t local = loaded->static_local_bytes_of(kernel);
    // "CUDA C++ Programming Guide", technical specifications per compute capability. Without an
    // optimiser, unused arrays count as well.
    constexpr std::size_t most_static = 49152;
    if (!is_sanitized_ && local > most_static) {
        throw Unsupported(fmt::format(
            "Kernel '{}' has {} bytes of static local memory: CUDA's compiler takes {} at most. "
            "Make some of it an argument.",
            kernel, local, most_static));
    }
    constexpr std::size_t most_constant = 65536;
    if (const std::size_t bytes = loaded->constant_bytes(); bytes > most_constant) {
        throw Unsupported(
            fmt::format("Kernel '{}' has {} bytes of constant data: CUDA's compiler takes "
                        "{} at most. Make some of it a buffer.",
                        kernel, bytes, most_constant));
    }
    return loaded->parameters_of(kernel);
}

HostCode::HostCode(const HostCode&) = default;

void HostCode::check(const Dispatch& dispatch) const {
    std::call_once(loaded_->once, [&] { loaded_->parameters = parameters_when_loaded(); });
    if (declared_) return check_arguments(*declared_, dispatch.arguments);
    std::size_t place = 0, locals = 0;
    for (std::size_t i = 0; i < dispatch.arguments.size(); ++i) {
        const Argument& argument = dispatch.arguments[i];
        const auto* const scalar = std::get_if<Scalar>(&argument);
        std::size_t bytes = scalar ? bytes_of(*scalar).size() : sizeof(void*);
        if (std::holds_alternative<LocalBytes>(argument)) {
            if (locals++ == 0) continue;
            bytes = sizeof(std::uint32_t);
        }
        const auto* const memory = std::get_if<std::shared_ptr<Memory>>(&argument);
        const bool is_image = memory && (*memory)->image();
        if (place < loaded_->parameters.size() && !is_image && parameter_bytes(place) != bytes) {
            throw UsageError(fmt::format("Argument {} of kernel '{}' has {} bytes: it expects {}.",
                                         i + 1, kernel, bytes, parameter_bytes(place)));
        }
        ++place;
    }
    if (place == loaded_->parameters.size()) return;
    throw UsageError(fmt::format(
        "Kernel '{}' takes {} argument(s), and the launch has {}. Pass one for each parameter.",
        kernel, loaded_->parameters.size(), place));
}

HostDevice::HostDevice(DeviceInfo info, bool is_sanitized)
    : Device(std::move(info)), is_sanitized_(is_sanitized) {}

std::shared_ptr<Memory> HostDevice::do_allocate(std::size_t bytes, std::size_t guard, bool mapped) {
    return std::make_shared<HostBuffer>(bytes, guard, mapped);
}

std::unique_ptr<HostMemory> HostDevice::do_page_locked(std::size_t bytes, bool /*combined*/) {
    return within_memory(bytes, [&] { return std::make_unique<PageableMemory>(bytes); });
}

void HostDevice::do_write(std::span<const HostWrite> parts) {
    for (const auto& [memory, data, offset] : parts) {
        const GuardsOpened opened(*memory);
        std::memcpy(start_of(*memory) + offset, data.data(), data.size());
    }
}

void HostDevice::do_read(std::span<const HostRead> parts) {
    for (const auto& [memory, data, offset] : parts) {
        const GuardsOpened opened(*memory);
        std::memcpy(data.data(), start_of(*memory) + offset, data.size());
    }
}

std::shared_ptr<const Code> HostDevice::do_compile(const Program& program,
                                                   std::string_view kernel) {
    if (program.language == Language::ptx || program.language == Language::cubin) {
        throw Unsupported(
            fmt::format("{} runs CUDA C++, and no PTX or machine code.", info().id()));
    }
    return std::make_shared<HostCode>(program, kernel, is_sanitized_);
}

std::shared_ptr<const Code> HostDevice::do_load_again(const Code& code) {
    const auto* ours = dynamic_cast<const HostCode*>(&code);
    if (!ours) throw UsageError("The code belongs to a device of another backend.");
    return std::make_shared<HostCode>(*ours);
}

unsigned HostDevice::do_expect_builds(std::size_t count) {
    const auto cores = static_cast<std::size_t>(std::max(1U, std::thread::hardware_concurrency()));
    return static_cast<unsigned>(std::clamp<std::size_t>(count, 1, cores));
}

Elapsed HostDevice::do_run(std::span<const Command> commands, unsigned repeats, unsigned lead_in) {
    for (const Command& command : commands) {
        if (const auto* dispatch = std::get_if<Dispatch>(&command.what)) {
            const auto* code = dynamic_cast<const HostCode*>(dispatch->code.get());
            if (!code) {
                throw UsageError(
                    "The kernel was built for another device. Compile it on this one.");
            }
            code->check(*dispatch);
        }
    }
    // Sequential execution is valid for all queues.
    const auto run_all = [&] {
        for (const Command& command : commands) {
            if (const auto* dispatch = std::get_if<Dispatch>(&command.what)) {
                launch(*dispatch);
            } else if (const auto* copy = std::get_if<Copy>(&command.what)) {
                std::memmove(start_of(*copy->target) + copy->target_offset,
                             start_of(*copy->source) + copy->source_offset, copy->bytes);
            } else {
                const Fill& fill = std::get<Fill>(command.what);
                std::memset(start_of(*fill.target) + fill.offset, fill.value, fill.bytes);
            }
        }
    };
    const HostClock::time_point start = HostClock::now();
    for (unsigned i = 0; i < lead_in; ++i) run_all();
    const HostClock::time_point begun = HostClock::now();
    for (unsigned i = 0; i < repeats; ++i) run_all();
    return {.device = seconds_since(begun), .host = seconds_since(start)};
}

}  // namespace parallax::host
