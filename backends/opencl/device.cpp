// An open OpenCL device: one context, one in-order queue, with profiling unless told.
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

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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

PageLocked::PageLocked(std::shared_ptr<Shared> shared, std::size_t bytes)
    : shared_(std::move(shared)),
      buffer_(shared_->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes),
      bytes_(bytes) {
    start_ = static_cast<std::byte*>(
        shared_->queue.enqueueMapBuffer(buffer_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes));
}

PageLocked::~PageLocked() {
    // The C functions: they throw nothing, and there is nothing to be done about a failure here.
    if (clEnqueueUnmapMemObject(shared_->queue(), buffer_(), start_, 0, nullptr, nullptr) ==
        CL_SUCCESS) {
        clFinish(shared_->queue());
    }
}

template <class F>
auto OpenClDevice::guarded(F&& call) const {
    try {
        return call();
    } catch (const cl::Error& error) {
        throw device_error(error, info(), *shared_);
    }
}

OpenClDevice::OpenClDevice(DeviceInfo info, const cl::Platform& platform, const cl::Device& device,
                           OpenOptions how)
    : Device(std::move(info)), shared_(std::make_shared<Shared>()), profiling_(how.profiling) {
    guarded([&] {
        cl_context_properties properties[] = {
            CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(platform()), 0};
        shared_->device = device;
        shared_->context = cl::Context(device, properties, take_word, shared_.get());
        shared_->queue = cl::CommandQueue(
            shared_->context, device,
            profiling_ ? cl::QueueProperties::Profiling : cl::QueueProperties::None);
    });
}

template <class F>
auto OpenClDevice::guarded_allocation(F&& allocate) const {
    return guarded([&] {
        try {
            return allocate();
        } catch (const cl::Error& error) {
            if (error.err() != CL_MEM_OBJECT_ALLOCATION_FAILURE) throw;
            throw UsageError(device_error(error, info(), *shared_).what());
        }
    });
}

std::shared_ptr<Memory> OpenClDevice::do_allocate(std::size_t bytes, std::size_t guard) {
    return guarded_allocation([&] { return std::make_shared<Buffer>(shared_, bytes, guard); });
}

std::unique_ptr<HostMemory> OpenClDevice::do_page_locked(std::size_t bytes) {
    return guarded_allocation([&] { return std::make_unique<PageLocked>(shared_, bytes); });
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
    if (const auto& declared = code->signature()) {
        check_arguments(*declared, dispatch.arguments);
    }
    cl::Kernel kernel = code->handle();
    cl_uint index = 0;
    for (const Argument& argument : dispatch.arguments) {
        if (const auto* memory = std::get_if<std::shared_ptr<Memory>>(&argument)) {
            kernel.setArg(index++, buffer_of(**memory).payload());
        } else if (const auto* local = std::get_if<LocalBytes>(&argument)) {
            kernel.setArg(index++, cl::Local(local->bytes));
        } else {
            const std::span<const std::byte> value = bytes_of(std::get<Scalar>(argument));
            kernel.setArg(index++, value.size(), value.data());
        }
    }
    const Geometry& geometry = dispatch.geometry;
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
        Elapsed elapsed;
        const auto start = std::chrono::steady_clock::now();
        for (unsigned i = 0; i < lead_in; ++i) enqueue_all();
        if (!profiling_) {
            shared_->queue.finish();
            const auto drained = std::chrono::steady_clock::now();
            for (unsigned i = 0; i < repeats; ++i) enqueue_all();
            shared_->queue.finish();
            elapsed.device = seconds_since(drained);
            elapsed.host = seconds_since(start);
            return elapsed;
        }
        shared_->queue.enqueueMarkerWithWaitList(nullptr, &before);
        for (unsigned i = 0; i < repeats; ++i) enqueue_all();
        shared_->queue.enqueueMarkerWithWaitList(nullptr, &after);
        shared_->queue.finish();
        elapsed.host = seconds_since(start);
        elapsed.device = 1e-9 * static_cast<double>(end_of(after) - end_of(before));
        return elapsed;
    });
}

}  // namespace parallax::opencl
