// An open OpenCL device: its context, its memory and its code.
#include "backends/opencl/opencl_device.hpp"

#include <algorithm>
#include <memory>
#include <type_traits>

#include <fmt/format.h>

#include "backends/opencl/clblast.hpp"
#include "common/device/guarded_buffer.hpp"
#include "common/text/text.hpp"
#include "common/text/text_lines.hpp"

namespace parallax::opencl {
namespace {

void CL_CALLBACK take_word(const char* message, const void*, std::size_t, void* shared) {
    if (message) static_cast<Shared*>(shared)->note(message);
}

std::unique_ptr<GuardedBuffer> fenced(std::size_t bytes) {
    try {
        return std::make_unique<GuardedBuffer>(bytes);
    } catch (const std::bad_alloc&) {
        throw cl::Error(CL_MEM_OBJECT_ALLOCATION_FAILURE, "mmap");
    }
}

void CL_CALLBACK take_away(cl_mem, void* memory) {
    delete static_cast<GuardedBuffer*>(memory);
}

cl::array<cl::size_type, 3> region_of(const Image& image) {
    return {image.image()->width, image.image()->height,
            std::max<std::uint64_t>(image.image()->depth, 1)};
}

}  // namespace

const Buffer& buffer_of(const Memory& memory) {
    const auto* buffer = dynamic_cast<const Buffer*>(&memory);
    if (!buffer) throw UsageError("The memory belongs to a device of another backend.");
    return *buffer;
}

Buffer::Buffer(std::shared_ptr<Shared> shared, std::size_t bytes, std::size_t guard, bool mapped)
    : Memory(bytes, guard, mapped ? Placement::mapped : Placement::device),
      shared_(std::move(shared)) {
    const std::size_t all = bytes + 2 * guard;
    const bool on_host = shared_->device.getInfo<CL_DEVICE_TYPE>() == CL_DEVICE_TYPE_CPU;
    if (on_host && !mapped && guard > 0) {
        auto memory = fenced(all);
        whole_ = cl::Buffer(shared_->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, all,
                            memory->inside());
        whole_.setDestructorCallback(take_away, memory.get());
        memory.release();  // NOLINT: take_away has it
    } else {
        whole_ = cl::Buffer(shared_->context,
                            CL_MEM_READ_WRITE | (mapped ? CL_MEM_ALLOC_HOST_PTR : 0), all);
    }
    if (guard == 0) {
        payload_ = whole_;
        return;
    }
    const cl_buffer_region region{guard, bytes};
    payload_ = whole_.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
}

const cl::Buffer& Buffer::payload_from(std::uint64_t offset) const {
    if (offset == 0) return payload_;
    const std::uint64_t step = shared_->device.getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN>() / 8;
    if ((guard() + offset) % step != 0 || offset >= bytes()) {
        throw Unsupported(fmt::format(
            "An argument points to byte {} of a buffer of {}, and this device has sub-buffers at "
            "multiples of {} bytes alone.",
            offset, bytes(), step));
    }
    cl::Buffer& part = parts_[offset];
    const cl_buffer_region region{guard() + offset, bytes() - offset};
    if (!part()) {
        cl::Buffer whole = whole_;
        part = whole.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
    }
    return part;
}

const cl::Memory& argument_of(const Memory& memory) {
    const auto* image = dynamic_cast<const Image*>(&memory);
    if (image) return image->handle();
    return buffer_of(memory).payload();
}

namespace {

cl_channel_type channel_type(ElementType type, bool is_normalized) {
    switch (type) {
        case ElementType::i8: return is_normalized ? CL_SNORM_INT8 : CL_SIGNED_INT8;
        case ElementType::u8: return is_normalized ? CL_UNORM_INT8 : CL_UNSIGNED_INT8;
        case ElementType::i16: return is_normalized ? CL_SNORM_INT16 : CL_SIGNED_INT16;
        case ElementType::u16: return is_normalized ? CL_UNORM_INT16 : CL_UNSIGNED_INT16;
        case ElementType::i32: return CL_SIGNED_INT32;
        case ElementType::u32: return CL_UNSIGNED_INT32;
        case ElementType::f16: return CL_HALF_FLOAT;
        default: return CL_FLOAT;
    }
}

}  // namespace

Image::Image(std::shared_ptr<Shared> shared, const ImageExtents& extents, ElementType type)
    : Memory(extents, type), shared_(std::move(shared)) {
    const cl::ImageFormat format(extents.channels == 4   ? CL_RGBA
                                 : extents.channels == 2 ? CL_RG
                                                         : CL_R,
                                 channel_type(type, extents.is_normalized));
    const cl_mem_flags flags = extents.is_written ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY;
    if (extents.depth > 0 && extents.is_array) {
        layers_ = cl::Image2DArray(shared_->context, flags, format, extents.depth, extents.width,
                                   extents.height, 0, 0);
        return;
    }
    if (extents.depth > 0) {
        deep_ = cl::Image3D(shared_->context, flags, format, extents.width, extents.height,
                            extents.depth);
        return;
    }
    if (extents.height > 0) {
        flat_ = cl::Image2D(shared_->context, flags, format, extents.width, extents.height);
        return;
    }
    texels_ = cl::Buffer(shared_->context, CL_MEM_READ_ONLY, bytes());
    line_ = cl::Image1DBuffer(shared_->context, CL_MEM_READ_ONLY, format, extents.width, texels_);
}

PageLocked::PageLocked(std::shared_ptr<Shared> shared, std::size_t bytes)
    : shared_(std::move(shared)),
      buffer_(shared_->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes),
      bytes_(bytes) {
    start_ = static_cast<std::byte*>(
        shared_->queue.enqueueMapBuffer(buffer_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes));
}

PageLocked::~PageLocked() {
    // The C functions: they throw nothing, and a failure cannot be handled here.
    if (clEnqueueUnmapMemObject(shared_->queue(), buffer_(), start_, 0, nullptr, nullptr) ==
        CL_SUCCESS) {
        clFinish(shared_->queue());
    }
}

OpenClDevice::OpenClDevice(DeviceInfo info, const cl::Platform& platform, const cl::Device& device,
                           OpenOptions how, std::shared_ptr<Builders> builders)
    : Device(std::move(info)), shared_(std::make_shared<Shared>()), how_(how) {
    shared_->builders = std::move(builders);
    guarded([&] {
        cl_context_properties properties[] = {
            CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(platform()), 0};
        shared_->device = device;
        try {
            shared_->context = cl::Context(device, properties, take_word, shared_.get());
        } catch (const cl::Error& error) {
            throw_no_context(error, Device::info(), *shared_);
        }
        shared_->queue = cl::CommandQueue(
            shared_->context, device,
            how_.profiling ? cl::QueueProperties::Profiling : cl::QueueProperties::None);
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

std::shared_ptr<Memory> OpenClDevice::do_allocate(std::size_t bytes, std::size_t guard,
                                                  bool mapped) {
    return guarded_allocation(
        [&] { return std::make_shared<Buffer>(shared_, bytes, guard, mapped); });
}

std::shared_ptr<Memory> OpenClDevice::do_allocate_image(const ImageExtents& extents,
                                                        ElementType type) {
    return guarded_allocation([&] {
        try {
            return std::make_shared<Image>(shared_, extents, type);
        } catch (const cl::Error& error) {
            if (error.err() != CL_IMAGE_FORMAT_NOT_SUPPORTED &&
                error.err() != CL_INVALID_OPERATION) {
                throw;
            }
            throw Unsupported(fmt::format("{} ({}) has no images of {} channel(s) of {}{}.",
                                          info().id(), info().name, extents.channels, name_of(type),
                                          extents.is_normalized ? ", normalized" : ""));
        }
    });
}

std::unique_ptr<HostMemory> OpenClDevice::do_page_locked(std::size_t bytes, bool write_combined) {
    if (write_combined) {
        throw Unsupported(
            "OpenCL has no word for write-combined memory: the driver decides how what it "
            "allocates on the host is cached.");
    }
    return guarded_allocation([&] { return std::make_unique<PageLocked>(shared_, bytes); });
}

namespace {

std::size_t place_of(const Memory& memory, std::ptrdiff_t offset) {
    return static_cast<std::size_t>(offset + static_cast<std::ptrdiff_t>(memory.guard()));
}

template <class Part>
void enqueue(cl::CommandQueue& queue, const Part& part, cl_bool waits, cl::Event* ended) {
    constexpr bool writes = std::is_same_v<Part, HostWrite>;
    const auto* image = dynamic_cast<const Image*>(part.memory);
    if (image && !image->texels()()) {
        if constexpr (writes) {
            queue.enqueueWriteImage(image->handle(), waits, {0, 0, 0}, region_of(*image), 0, 0,
                                    part.data.data(), nullptr, ended);
        } else {
            queue.enqueueReadImage(image->handle(), waits, {0, 0, 0}, region_of(*image), 0, 0,
                                   part.data.data(), nullptr, ended);
        }
        return;
    }
    const cl::Buffer& buffer = image ? image->texels() : buffer_of(*part.memory).whole();
    const std::size_t place = image ? 0 : place_of(*part.memory, part.offset);
    if constexpr (writes) {
        queue.enqueueWriteBuffer(buffer, waits, place, part.data.size(), part.data.data(), nullptr,
                                 ended);
    } else {
        queue.enqueueReadBuffer(buffer, waits, place, part.data.size(), part.data.data(), nullptr,
                                ended);
    }
}

/// Waits for each of them: Intel's OpenCL for CPUs returns from a blocking transfer while earlier
/// ones of its queue, which is in order, are still to come.
template <class Part>
void move_all(cl::CommandQueue& queue, std::span<const Part> parts) {
    // After an error no command may still use memory of the caller.
    struct Drained {
        cl_command_queue queue;
        ~Drained() {
            if (queue) clFinish(queue);
        }
    } drained_at_the_end{queue()};
    std::vector<cl::Event> ended(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        enqueue(queue, parts[i], i + 1 == parts.size() ? CL_TRUE : CL_FALSE, &ended[i]);
    }
    for (const cl::Event& one : ended) {
        const cl_int waited = clWaitForEvents(1, &one());
        const cl_int status = one.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>();
        if (status < 0) throw cl::Error(status, "a transfer");
        if (waited != CL_SUCCESS) throw cl::Error(waited, "clWaitForEvents");
    }
    drained_at_the_end.queue = nullptr;
}

}  // namespace

void OpenClDevice::do_write(std::span<const HostWrite> parts) {
    guarded([&] { move_all(shared_->queue, parts); });
}

void OpenClDevice::do_read(std::span<const HostRead> parts) {
    guarded([&] { move_all(shared_->queue, parts); });
}

std::shared_ptr<const Code> OpenClDevice::do_compile(const Program& program,
                                                     std::string_view kernel) {
    if (program.language == Language::library) {
        return std::make_shared<ClblastCode>(shared_, program, kernel);
    }
    const auto build = [&](const Program& one) {
        return guarded([&] { return std::make_shared<Kernel>(shared_, info(), one, kernel); });
    };
    if (!program.as_written()) return build(program);
    try {
        return build(program);
    } catch (const BuildFailed& failed) {
        Program preprocessed = program;
        preprocessed.written.reset();
        const auto made = build(preprocessed);
        made->remark = fmt::format(
            "The compiler of {} did not take {} as it is written, and got it preprocessed, as the "
            "CUDA side: what preprocessors make of it was not compared. It said: {}",
            info().id(), program.name, printable(first_line_with(failed.log, "error"), 200));
        return made;
    }
}

unsigned OpenClDevice::do_expect_builds(std::size_t count) {
    return shared_->builders ? shared_->builders->expect(count) : 1;
}

std::shared_ptr<const Code> OpenClDevice::do_load_again(const Code& code) {
    const auto* ours = dynamic_cast<const Kernel*>(&code);
    if (!ours && dynamic_cast<const ClblastCode*>(&code)) return nullptr;
    if (!ours) throw UsageError("The code belongs to a device of another backend.");
    return guarded([&] { return std::make_shared<Kernel>(*ours, info()); });
}

}  // namespace parallax::opencl
