// An open CUDA device: device and host memory with guard zones.
#include "backends/cuda/cuda_device.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "backends/cuda/library_code.hpp"
#include "common/error.hpp"
#include "common/host_clock.hpp"

namespace parallax::cuda {
namespace {

void* lock_host_memory(Context& context, std::size_t bytes, unsigned flags) {
    void* start = nullptr;
    const cudaError_t code = cudaHostAlloc(&start, bytes, flags);
    if (code == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        throw UsageError(fmt::format(
            "The host cannot lock {} bytes of its memory. Choose a smaller size.", bytes));
    }
    context.check(code, "cudaHostAlloc");
    return start;
}

}  // namespace

const CudaMemory& memory_of(const Memory& memory, const Context& context) {
    const auto* ours = dynamic_cast<const CudaMemory*>(&memory);
    if (!ours || ours->context().ordinal() != context.ordinal()) {
        throw UsageError("The memory belongs to another device. Allocate it on this one.");
    }
    return *ours;
}

CudaMemory::CudaMemory(std::shared_ptr<Context> context, std::size_t bytes, std::size_t guard,
                       bool mapped)
    : Memory(bytes, guard, mapped ? Placement::mapped : Placement::device),
      context_(std::move(context)) {
    // cudaMalloc aligns to at least 256 bytes; a guard zone of another size must preserve that.
    constexpr std::size_t alignment = 256;
    const std::size_t front = (guard + alignment - 1) / alignment * alignment;
    context_->use();
    const std::size_t whole = front + bytes + guard;
    if (mapped) {
        // One address for both: all devices of CUDA 12 and later have unified addressing.
        base_ = lock_host_memory(*context_, whole, cudaHostAllocMapped);
        payload_ = static_cast<std::byte*>(base_) + front;
        return;
    }
    const cudaError_t code = cudaMalloc(&base_, whole);
    if (code == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        std::size_t free = 0, total = 0;
        CHECK(*context_, cudaMemGetInfo(&free, &total));
        throw UsageError(fmt::format(
            "A buffer of {} bytes with its guard zones: the device has {} of {} left. Choose a "
            "smaller size, or end what else uses the device.",
            whole, free, total));
    }
    context_->check(code, "cudaMalloc");
    payload_ = static_cast<std::byte*>(base_) + front;
}

CudaMemory::~CudaMemory() {
    if (!base_ || !context_->use_quietly()) return;
    if (placement() == Placement::mapped) {
        cudaFreeHost(base_);
    } else {
        cudaFree(base_);
    }
    cudaGetLastError();
}

CudaHostMemory::CudaHostMemory(std::shared_ptr<Context> context, std::size_t bytes,
                               bool write_combined)
    : context_(std::move(context)), bytes_(bytes) {
    context_->use();
    start_ = static_cast<std::byte*>(lock_host_memory(
        *context_, bytes, write_combined ? cudaHostAllocWriteCombined : cudaHostAllocDefault));
}

CudaHostMemory::~CudaHostMemory() {
    if (!context_->use_quietly()) return;
    cudaFreeHost(start_);
    cudaGetLastError();
}

CudaDevice::CudaDevice(DeviceInfo info, int ordinal, OpenOptions how)
    : Device(std::move(info)),
      context_(std::make_shared<Context>(ordinal, this->info())),
      is_timed_by_host_(how.is_timed_by_host()) {}

std::shared_ptr<Memory> CudaDevice::do_allocate(std::size_t bytes, std::size_t guard, bool mapped) {
    return std::make_shared<CudaMemory>(context_, bytes, guard, mapped);
}

std::unique_ptr<HostMemory> CudaDevice::do_page_locked(std::size_t bytes, bool write_combined) {
    return std::make_unique<CudaHostMemory>(context_, bytes, write_combined);
}

namespace {

// Host copies go through the stream and wait for it: a plain cudaMemcpy from pageable memory may
// return before the bytes have arrived, and this stream does not wait for the default one.
template <class Part>
void move_all(Context& context, std::span<const Part> parts) {
    constexpr bool writes = std::is_same_v<Part, HostWrite>;
    context.use();
    DrainedAtTheEnd copies(context);
    for (const auto& [memory, data, offset] : parts) {
        if (memory->image()) {
            const CudaImage& image = image_of(*memory, context);
            if constexpr (writes) {
                const_cast<CudaImage&>(image).write(data.data());
            } else {
                image.read(data.data());
            }
            continue;
        }
        std::byte* const ours = memory_of(*memory, context).at(offset);
        if constexpr (writes) {
            CHECK(context, cudaMemcpyAsync(ours, data.data(), data.size(), cudaMemcpyHostToDevice,
                                           context.stream()));
        } else {
            CHECK(context, cudaMemcpyAsync(data.data(), ours, data.size(), cudaMemcpyDeviceToHost,
                                           context.stream()));
        }
    }
    CHECK(context, cudaStreamSynchronize(context.stream()));
    copies.release();
}

}  // namespace

void CudaDevice::do_write(std::span<const HostWrite> parts) {
    move_all(*context_, parts);
}

void CudaDevice::do_read(std::span<const HostRead> parts) {
    move_all(*context_, parts);
}

std::shared_ptr<const Code> CudaDevice::do_compile(const Program& program,
                                                   std::string_view kernel) {
    if (program.language == Language::library) {
        return library_code(context_, program, kernel);
    }
    int major = 0, minor = 0;
    const int ordinal = context_->ordinal();
    context_->use();
    CHECK(*context_, cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, ordinal));
    CHECK(*context_, cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, ordinal));
    const HostClock::time_point start = HostClock::now();
    auto code = std::make_shared<CudaCode>(context_, program,
                                           *compiled_for(program, 10 * major + minor), kernel);
    code->build_seconds = seconds_since(start);
    return code;
}

std::shared_ptr<const Code> CudaDevice::do_load_again(const Code& code) {
    const auto* ours = dynamic_cast<const CudaCode*>(&code);
    if (!ours && dynamic_cast<const LibraryCode*>(&code)) return nullptr;
    if (!ours) throw UsageError("The code belongs to a device of another backend.");
    return std::make_shared<CudaCode>(*ours);
}

}  // namespace parallax::cuda
