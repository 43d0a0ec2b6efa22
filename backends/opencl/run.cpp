// Runs commands on an open OpenCL device: one queue or several, between two markers.
#include <chrono>
#include <cstring>
#include <set>

#include <fmt/format.h>

#include "backends/opencl/clblast.hpp"
#include "backends/opencl/opencl_device.hpp"
#include "common/host_clock.hpp"
#include "mapping/analyze/call_arguments.hpp"

namespace parallax::opencl {
namespace {

using Events = std::vector<cl::Event>;

std::uint64_t end_of(const cl::Event& event) {
    return event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
}

/// Negative where a driver's timer runs backwards.
double seconds_between(std::uint64_t from, std::uint64_t to) {
    const double nanoseconds = static_cast<double>(to > from ? to - from : from - to);
    return 1e-9 * (to < from ? -nanoseconds : nanoseconds);
}

/// Both markers are within the host's interval, so the device's timer cannot show more.
/// @param passed  wall-clock time, independent of `HostClock`
/// @throws DeviceError
void check_clock(double seconds, std::chrono::duration<double> passed) {
    constexpr double drift = 0.02, slack = 5e-3;  // of the device's timer; of a coarse one
    if (seconds >= 0 && seconds <= (1 + drift) * passed.count() + slack) return;
    throw DeviceError(
        fmt::format("The device's clock says that {:.4g} s passed over a batch of commands, and on "
                    "the host {:.4g} s did: it is wrong, and nothing can be timed by it.",
                    seconds, passed.count()));
}

cl::NDRange range_of(const Size& size) {
    return {size.x, size.y, size.z};
}

}  // namespace

const cl::Sampler& Kernel::sampler(std::span<const std::byte> bits) const {
    std::uint32_t number = Sampler::count;
    if (bits.size() == sizeof(number)) std::memcpy(&number, bits.data(), sizeof(number));
    if (number >= Sampler::count || !Sampler::of(number).is_possible()) {
        throw UsageError("There is no such sampler.");
    }
    cl::Sampler& known = shared_->samplers.at(number);
    if (known()) return known;
    constexpr std::array addresses{CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT,
                                   CL_ADDRESS_MIRRORED_REPEAT};
    const Sampler sampler = Sampler::of(number);
    const auto address = addresses.at(static_cast<std::size_t>(sampler.address));
    const auto outside = static_cast<cl_addressing_mode>(address);
    known = cl::Sampler(shared_->context, sampler.is_normalized ? CL_TRUE : CL_FALSE, outside,
                        sampler.is_linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST);
    return known;
}

namespace {

const ClblastCode* library_of(const Dispatch& dispatch) {
    return dynamic_cast<const ClblastCode*>(dispatch.code.get());
}

const Kernel& kernel_of(const Dispatch& dispatch) {
    const auto* code = dynamic_cast<const Kernel*>(dispatch.code.get());
    if (!code) throw UsageError("The kernel belongs to a device of another backend.");
    return *code;
}

// Sets the kernel object's arguments. They stay until others are set.
void bind(const Dispatch& dispatch) {
    if (library_of(dispatch)) return;  // it sets its own kernels' arguments
    const Kernel& code = kernel_of(dispatch);
    if (dispatch.local_carveout) {
        throw Unsupported(
            "OpenCL has no word for how a compute unit's memory is split into cache and local "
            "memory.");
    }
    // A pointer into a buffer is the buffer from there on.
    std::vector<Argument> arguments = dispatch.arguments;
    std::map<std::size_t, std::uint64_t> offsets;
    for (const PointerMemory& one : dispatch.pointers) {
        arguments.at(one.argument) = one.memory;
        offsets[one.argument] = one.offset;
    }
    // Includes types: OpenCL itself checks only sizes.
    if (const auto& declared = code.signature()) check_arguments(*declared, arguments);
    cl::Kernel kernel = code.handle();
    cl_uint index = 0;
    for (const Argument& argument : arguments) {
        const auto offset = offsets.find(index);
        if (offset != offsets.end()) {
            const auto& memory = std::get<std::shared_ptr<Memory>>(argument);
            kernel.setArg(index++, buffer_of(*memory).payload_from(offset->second));
        } else if (const auto* memory = std::get_if<std::shared_ptr<Memory>>(&argument)) {
            kernel.setArg(index++, argument_of(**memory));
        } else if (const auto* local = std::get_if<LocalBytes>(&argument)) {
            kernel.setArg(index++, cl::Local(local->bytes));
        } else {
            const Scalar& scalar = std::get<Scalar>(argument);
            const std::span<const std::byte> value = bytes_of(scalar);
            if (type_name(scalar) == "sampler_t") {
                kernel.setArg(index++, code.sampler(value));
            } else {
                kernel.setArg(index++, value.size(), value.data());
            }
        }
    }
}

// Sets the arguments of each launch whose kernel object no other launch of the list uses; true for
// those commands. A batch then sets no argument twice, like a program that launches in a loop:
// setting them takes the host a tenth of a launch of 5 us.
std::vector<bool> bind_once(std::span<const Command> commands) {
    std::map<const Code*, unsigned> launches;
    for (const Command& command : commands) {
        const auto* dispatch = std::get_if<Dispatch>(&command.what);
        if (dispatch) ++launches[dispatch->code.get()];
    }
    std::vector<bool> bound;
    for (const Command& command : commands) {
        const auto* dispatch = std::get_if<Dispatch>(&command.what);
        bound.push_back(dispatch && launches.at(dispatch->code.get()) == 1);
        if (bound.back()) bind(*dispatch);
    }
    return bound;
}

// Prepares the command for its queue.
void prepare(const Command& command, bool is_bound) {
    const auto* dispatch = std::get_if<Dispatch>(&command.what);
    if (dispatch && !is_bound) bind(*dispatch);
}

void enqueue(cl::CommandQueue& queue, const Dispatch& dispatch, const Events* waits,
             cl::Event* ended) {
    if (const ClblastCode* const library = library_of(dispatch)) {
        if (waits || ended) throw Unsupported("CLBlast's calls are for one queue, in order.");
        library->enqueue(queue, dispatch);
        return;
    }
    const Geometry& geometry = dispatch.geometry;
    const Size all{geometry.groups.x * geometry.items.x, geometry.groups.y * geometry.items.y,
                   geometry.groups.z * geometry.items.z};
    queue.enqueueNDRangeKernel(kernel_of(dispatch).handle(), cl::NullRange, range_of(all),
                               range_of(geometry.items), waits, ended);
}

void enqueue(cl::CommandQueue& queue, const Copy& copy, const Events* waits, cl::Event* ended) {
    if (copy.bytes == 0) {
        if (ended) queue.enqueueMarkerWithWaitList(waits, ended);
        return;
    }
    const std::size_t from = copy.source->guard() + copy.source_offset;
    const std::size_t to = copy.target->guard() + copy.target_offset;
    if (const std::byte* host = copy.source->host()) {
        queue.enqueueWriteBuffer(buffer_of(*copy.target).whole(), CL_FALSE, to, copy.bytes,
                                 host + copy.source_offset, waits, ended);
    } else if (std::byte* target = copy.target->host()) {
        queue.enqueueReadBuffer(buffer_of(*copy.source).whole(), CL_FALSE, from, copy.bytes,
                                target + copy.target_offset, waits, ended);
    } else {
        queue.enqueueCopyBuffer(buffer_of(*copy.source).whole(), buffer_of(*copy.target).whole(),
                                from, to, copy.bytes, waits, ended);
    }
}

void enqueue(cl::CommandQueue& queue, const Fill& fill, const Events* waits, cl::Event* ended) {
    if (fill.bytes == 0) {
        if (ended) queue.enqueueMarkerWithWaitList(waits, ended);
        return;
    }
    queue.enqueueFillBuffer(buffer_of(*fill.target).whole(), fill.value,
                            fill.target->guard() + fill.offset, fill.bytes, waits, ended);
}

}  // namespace

cl::CommandQueue& OpenClDevice::queue(unsigned number) {
    if (number == 0) return shared_->queue;
    auto& made = more_queues_[number];
    if (made()) return made;
    cl_command_queue_properties properties = how_.profiling ? CL_QUEUE_PROFILING_ENABLE : 0;
    if (number == unordered_queue) {
        const auto offers = shared_->device.getInfo<CL_DEVICE_QUEUE_PROPERTIES>();
        if (!(offers & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)) {
            throw Unsupported("The driver has no queue whose commands run in any order.");
        }
        properties |= CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    }
    made = cl::CommandQueue(shared_->context, shared_->device, properties);
    return made;
}

void OpenClDevice::enqueue_side_by_side(std::span<const Command> commands,
                                        const std::vector<bool>& bound) {
    std::set<unsigned> numbers;
    for (const Command& command : commands) numbers.insert(command.queue);
    numbers.erase(0);

    // Earlier commands of queue 0 come first in all queues.
    cl::Event begin;
    queue(0).enqueueMarkerWithWaitList(nullptr, &begin);
    queue(0).flush();
    const Events begun{begin};
    for (const unsigned number : numbers) queue(number).enqueueBarrierWithWaitList(&begun);

    std::vector<cl::Event> ended(commands.size());
    std::vector<bool> has_event(commands.size(), !how_.few_events);
    for (const Command& command : commands) {
        for (const std::size_t other : command.after) has_event.at(other) = true;
    }
    for (std::size_t i = 0; i < commands.size(); ++i) {
        const Command& command = commands[i];
        Events waits;
        for (const std::size_t other : command.after) waits.push_back(ended.at(other));
        prepare(command, bound[i]);
        std::visit(
            [&](const auto& what) {
                enqueue(queue(command.queue), what, waits.empty() ? nullptr : &waits,
                        has_event[i] ? &ended[i] : nullptr);
            },
            command.what);
        if (how_.flushes) queue(command.queue).flush();
    }

    Events joined;
    for (const unsigned number : numbers) {
        queue(number).enqueueMarkerWithWaitList(nullptr, &joined.emplace_back());
        queue(number).flush();
    }
    if (!joined.empty()) queue(0).enqueueBarrierWithWaitList(&joined);
}

void OpenClDevice::enqueue_all(std::span<const Command> commands, const std::vector<bool>& bound) {
    if (!is_one_queue(commands)) {
        enqueue_side_by_side(commands, bound);
        return;
    }
    for (std::size_t i = 0; i < commands.size(); ++i) {
        const Command& command = commands[i];
        prepare(command, bound[i]);
        std::visit([&](const auto& what) { enqueue(shared_->queue, what, nullptr, nullptr); },
                   command.what);
        if (how_.flushes) shared_->queue.flush();
    }
}

void OpenClDevice::drain() noexcept {
    // The C function: it throws nothing.
    clFinish(shared_->queue());
    for (const auto& [number, made] : more_queues_) {
        if (made()) clFinish(made());
    }
}

Elapsed OpenClDevice::do_run(std::span<const Command> commands, unsigned repeats,
                             unsigned lead_in) {
    // After an error no command may still use memory that the caller frees.
    struct Drained {
        OpenClDevice* device;
        ~Drained() {
            if (device) device->drain();
        }
    } drained_at_the_end{this};
    const Elapsed elapsed = timed(commands, repeats, lead_in);
    drained_at_the_end.device = nullptr;
    return elapsed;
}

Elapsed OpenClDevice::timed(std::span<const Command> commands, unsigned repeats, unsigned lead_in) {
    return guarded([&] {
        cl::Event before, after;
        Elapsed elapsed;
        const std::vector<bool> bound = bind_once(commands);
        const auto start = HostClock::now();
        const auto begin = std::chrono::steady_clock::now();
        for (unsigned i = 0; i < lead_in; ++i) enqueue_all(commands, bound);
        if (how_.is_timed_by_host()) {
            shared_->queue.finish();
            const auto drained = HostClock::now();
            for (unsigned i = 0; i < repeats; ++i) enqueue_all(commands, bound);
            shared_->queue.finish();
            elapsed.device = seconds_since(drained);
            elapsed.host = seconds_since(start);
            return elapsed;
        }
        shared_->queue.enqueueMarkerWithWaitList(nullptr, &before);
        for (unsigned i = 0; i < repeats; ++i) enqueue_all(commands, bound);
        shared_->queue.enqueueMarkerWithWaitList(nullptr, &after);
        shared_->queue.finish();
        elapsed.host = seconds_since(start);
        const std::uint64_t from = end_of(before);  // before `after` is queried
        elapsed.device = seconds_between(from, end_of(after));
        check_clock(elapsed.device, std::chrono::steady_clock::now() - begin);
        return elapsed;
    });
}

}  // namespace parallax::opencl
