// An open OpenCL device: one context, one in-order queue with profiling.
#include "backends/opencl/device.hpp"

#include <chrono>
#include <type_traits>

#include "kernels/arguments.hpp"

namespace parallax::opencl {
namespace {

void CL_CALLBACK take_word(const char* message, const void*, std::size_t, void* shared) {
    if (message) static_cast<Shared*>(shared)->note(message);
}

const Buffer& buffer_of(const Memory& memory) {
    const auto* buffer = dynamic_cast<const Buffer*>(&memory);
    if (!buffer) throw UsageError("The memory belongs to a device of another backend.");
    return *buffer;
}

cl::NDRange range_of(const Size& size) {
    return {size.x, size.y, size.z};
}

std::uint64_t end_of(const cl::Event& event) {
    return event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
}

}  // namespace

Buffer::Buffer(std::shared_ptr<Shared> shared, std::size_t bytes, std::size_t guard)
    : Memory(bytes, guard), shared_(std::move(shared)) {
    whole_ = cl::Buffer(shared_->context, CL_MEM_READ_WRITE, bytes + 2 * guard);
    if (guard == 0) {
        payload_ = whole_;
        return;
    }
    const cl_buffer_region region{guard, bytes};
    payload_ = whole_.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
}

template <class F>
auto OpenClDevice::guarded(F&& call) const {
    try {
        return call();
    } catch (const cl::Error& error) {
        throw device_error(error, info(), *shared_);
    }
}

OpenClDevice::OpenClDevice(DeviceInfo info, const cl::Platform& platform, const cl::Device& device)
    : Device(std::move(info)), shared_(std::make_shared<Shared>()) {
    guarded([&] {
        cl_context_properties properties[] = {
            CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(platform()), 0};
        shared_->device = device;
        shared_->context = cl::Context(device, properties, take_word, shared_.get());
        shared_->queue = cl::CommandQueue(shared_->context, device, cl::QueueProperties::Profiling);
    });
}

std::shared_ptr<Memory> OpenClDevice::do_allocate(std::size_t bytes, std::size_t guard) {
    return guarded([&] {
        try {
            return std::make_shared<Buffer>(shared_, bytes, guard);
        } catch (const cl::Error& error) {
            if (error.err() != CL_MEM_OBJECT_ALLOCATION_FAILURE) throw;
            throw UsageError(device_error(error, info(), *shared_).what());
        }
    });
}

void OpenClDevice::do_write(Memory& memory, std::span<const std::byte> data,
                            std::ptrdiff_t offset) {
    guarded([&] {
        shared_->queue.enqueueWriteBuffer(
            buffer_of(memory).whole(), CL_TRUE,
            static_cast<std::size_t>(offset + static_cast<std::ptrdiff_t>(memory.guard())),
            data.size(), data.data());
    });
}

void OpenClDevice::do_read(const Memory& memory, std::span<std::byte> data, std::ptrdiff_t offset) {
    guarded([&] {
        shared_->queue.enqueueReadBuffer(
            buffer_of(memory).whole(), CL_TRUE,
            static_cast<std::size_t>(offset + static_cast<std::ptrdiff_t>(memory.guard())),
            data.size(), data.data());
    });
}

std::shared_ptr<const Code> OpenClDevice::do_compile(const Program& program,
                                                     std::string_view kernel) {
    return guarded([&] { return std::make_shared<Kernel>(shared_, info(), program, kernel); });
}

void OpenClDevice::enqueue(const Dispatch& dispatch) {
    const auto* code = dynamic_cast<const Kernel*>(dispatch.code.get());
    if (!code) throw UsageError("The kernel belongs to a device of another backend.");
    // Types too: OpenCL itself looks at sizes only.
    check_arguments(code->signature(), dispatch.arguments, dispatch.geometry.local_bytes);
    cl::Kernel kernel = code->handle();
    cl_uint index = 0;
    for (const Argument& argument : dispatch.arguments) {
        if (const auto* memory = std::get_if<std::shared_ptr<Memory>>(&argument)) {
            kernel.setArg(index++, buffer_of(**memory).payload());
        } else {
            std::visit([&](const auto& value) { kernel.setArg(index++, sizeof value, &value); },
                       std::get<Scalar>(argument));
        }
    }
    const Geometry& geometry = dispatch.geometry;
    if (geometry.local_bytes > 0) kernel.setArg(index++, cl::Local(geometry.local_bytes));
    const Size all{geometry.groups.x * geometry.items.x, geometry.groups.y * geometry.items.y,
                   geometry.groups.z * geometry.items.z};
    shared_->queue.enqueueNDRangeKernel(kernel, cl::NullRange, range_of(all),
                                        range_of(geometry.items));
}

void OpenClDevice::enqueue(const Copy& copy) {
    if (copy.bytes == 0) return;
    shared_->queue.enqueueCopyBuffer(buffer_of(*copy.source).whole(),
                                     buffer_of(*copy.target).whole(),
                                     copy.source->guard() + copy.source_offset,
                                     copy.target->guard() + copy.target_offset, copy.bytes);
}

void OpenClDevice::enqueue(const Fill& fill) {
    if (fill.bytes == 0) return;
    shared_->queue.enqueueFillBuffer(buffer_of(*fill.target).whole(), fill.value,
                                     fill.target->guard() + fill.offset, fill.bytes);
}

Elapsed OpenClDevice::do_run(std::span<const Command> commands, unsigned repeats,
                             unsigned lead_in) {
    const auto enqueue_all = [&] {
        for (const Command& command : commands) {
            std::visit([&](const auto& what) { enqueue(what); }, command.what);
        }
    };
    return guarded([&] {
        cl::Event before, after;
        const auto start = std::chrono::steady_clock::now();
        for (unsigned i = 0; i < lead_in; ++i) enqueue_all();
        shared_->queue.enqueueMarkerWithWaitList(nullptr, &before);
        for (unsigned i = 0; i < repeats; ++i) enqueue_all();
        shared_->queue.enqueueMarkerWithWaitList(nullptr, &after);
        shared_->queue.finish();
        Elapsed elapsed;
        elapsed.host =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        elapsed.device = 1e-9 * static_cast<double>(end_of(after) - end_of(before));
        return elapsed;
    });
}

}  // namespace parallax::opencl
