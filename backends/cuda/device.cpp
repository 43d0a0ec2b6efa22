// An open CUDA device: memory with guard zones, and batches of commands between two events.
#include "backends/cuda/device.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"

namespace parallax::cuda {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

const CudaMemory& memory_of(const Memory& memory, const Context& context) {
    const auto* ours = dynamic_cast<const CudaMemory*>(&memory);
    if (!ours || ours->context().ordinal() != context.ordinal()) {
        throw UsageError("The memory belongs to another device. Allocate it on this one.");
    }
    return *ours;
}

/// CUDA counts in 32 bits.
dim3 dim3_of(const Size& size) {
    constexpr std::uint64_t most = std::numeric_limits<unsigned>::max();
    if (size.x > most || size.y > most || size.z > most) {
        throw UsageError(fmt::format("A launch of {} x {} x {} is beyond what CUDA can count.",
                                     size.x, size.y, size.z));
    }
    return dim3(static_cast<unsigned>(size.x), static_cast<unsigned>(size.y),
                static_cast<unsigned>(size.z));
}

// What is enqueued, worked out before the clock starts.

struct ReadyLaunch {
    const void* kernel;
    dim3 groups, items;
    std::size_t local_bytes;
    std::vector<std::vector<std::byte>> values;  ///< the arguments' bytes
    std::vector<void*> pointers;                 ///< to them, which is how CUDA takes them
};
struct ReadyCopy {
    void* target;
    const void* source;
    std::size_t bytes;
};
struct ReadyFill {
    void* target;
    int value;
    std::size_t bytes;
};
using Ready = std::variant<ReadyLaunch, ReadyCopy, ReadyFill>;

Ready prepare(const Dispatch& dispatch, const Context& context) {
    const auto* code = dynamic_cast<const CudaCode*>(dispatch.code.get());
    if (!code || code->context().ordinal() != context.ordinal()) {
        throw UsageError("The kernel was built for another device. Compile it on this one.");
    }
    code->check(dispatch);
    const LocalLayout local = local_layout(dispatch.arguments);
    code->allow_local(static_cast<std::uint32_t>(local.bytes));
    ReadyLaunch launch{.kernel = code->handle(),
                       .groups = dim3_of(dispatch.geometry.groups),
                       .items = dim3_of(dispatch.geometry.items),
                       .local_bytes = local.bytes,
                       .values = {},
                       .pointers = {}};
    const auto put = [&](std::span<const std::byte> bytes) {
        launch.values.emplace_back(bytes.begin(), bytes.end());
        // Whole words, so that the same number is the same bits behind a pointer.
        launch.values.back().resize(std::max(bytes.size(), sizeof(std::uint64_t)));
    };
    std::size_t locals = 0;
    for (const Argument& argument : dispatch.arguments) {
        if (const auto* memory = std::get_if<std::shared_ptr<Memory>>(&argument)) {
            const std::byte* address = memory_of(**memory, context).at(0);
            put(std::as_bytes(std::span(&address, 1)));
        } else if (std::holds_alternative<LocalBytes>(argument)) {
            // The first is the start of the block, which the kernel knows.
            const std::uint32_t offset = local.offsets.at(locals);
            if (locals++ > 0) put(std::as_bytes(std::span(&offset, 1)));
        } else {
            put(bytes_of(std::get<Scalar>(argument)));
        }
    }
    for (std::vector<std::byte>& value : launch.values) launch.pointers.push_back(value.data());
    return launch;
}

Ready prepare(const Copy& copy, const Context& context) {
    const auto offset = [](std::size_t bytes) { return static_cast<std::ptrdiff_t>(bytes); };
    return ReadyCopy{memory_of(*copy.target, context).at(offset(copy.target_offset)),
                     memory_of(*copy.source, context).at(offset(copy.source_offset)), copy.bytes};
}

Ready prepare(const Fill& fill, const Context& context) {
    return ReadyFill{memory_of(*fill.target, context).at(static_cast<std::ptrdiff_t>(fill.offset)),
                     fill.value, fill.bytes};
}

void enqueue(Context& context, ReadyLaunch& launch) {
    CHECK(context, cudaLaunchKernel(launch.kernel, launch.groups, launch.items,
                                    launch.pointers.data(), launch.local_bytes, context.stream()));
}

void enqueue(Context& context, ReadyCopy& copy) {
    if (copy.bytes == 0) return;
    CHECK(context, cudaMemcpyAsync(copy.target, copy.source, copy.bytes, cudaMemcpyDeviceToDevice,
                                   context.stream()));
}

void enqueue(Context& context, ReadyFill& fill) {
    if (fill.bytes == 0) return;
    CHECK(context, cudaMemsetAsync(fill.target, fill.value, fill.bytes, context.stream()));
}

}  // namespace

CudaMemory::CudaMemory(std::shared_ptr<Context> context, std::size_t bytes, std::size_t guard)
    : Memory(bytes, guard), context_(std::move(context)) {
    // cudaMalloc aligns to 256 bytes at least; a guard zone of another size must not spoil that.
    constexpr std::size_t alignment = 256;
    const std::size_t front = (guard + alignment - 1) / alignment * alignment;
    context_->use();
    const std::size_t whole = front + bytes + guard;
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
    cudaFree(base_);
    cudaGetLastError();
}

CudaHostMemory::CudaHostMemory(std::shared_ptr<Context> context, std::size_t bytes)
    : context_(std::move(context)), bytes_(bytes) {
    context_->use();
    void* start = nullptr;
    const cudaError_t code = cudaHostAlloc(&start, bytes, cudaHostAllocDefault);
    if (code == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        throw UsageError(fmt::format(
            "The host cannot lock {} bytes of its memory. Choose a smaller size.", bytes));
    }
    context_->check(code, "cudaHostAlloc");
    start_ = static_cast<std::byte*>(start);
}

CudaHostMemory::~CudaHostMemory() {
    if (!context_->use_quietly()) return;
    cudaFreeHost(start_);
    cudaGetLastError();
}

CudaDevice::CudaDevice(DeviceInfo info, int ordinal, OpenOptions how)
    : Device(std::move(info)),
      context_(std::make_shared<Context>(ordinal, this->info())),
      profiling_(how.profiling) {}

std::shared_ptr<Memory> CudaDevice::do_allocate(std::size_t bytes, std::size_t guard) {
    return std::make_shared<CudaMemory>(context_, bytes, guard);
}

std::unique_ptr<HostMemory> CudaDevice::do_page_locked(std::size_t bytes) {
    return std::make_unique<CudaHostMemory>(context_, bytes);
}

// Host copies go through the stream and wait for it: a plain cudaMemcpy from pageable memory may
// return before the bytes have arrived, and this stream does not wait for the default one.

void CudaDevice::do_write(Memory& memory, std::span<const std::byte> data, std::ptrdiff_t offset) {
    const CudaMemory& ours = memory_of(memory, *context_);
    context_->use();
    CHECK(*context_, cudaMemcpyAsync(ours.at(offset), data.data(), data.size(),
                                     cudaMemcpyHostToDevice, context_->stream()));
    CHECK(*context_, cudaStreamSynchronize(context_->stream()));
}

void CudaDevice::do_read(const Memory& memory, std::span<std::byte> data, std::ptrdiff_t offset) {
    const CudaMemory& ours = memory_of(memory, *context_);
    context_->use();
    CHECK(*context_, cudaMemcpyAsync(data.data(), ours.at(offset), data.size(),
                                     cudaMemcpyDeviceToHost, context_->stream()));
    CHECK(*context_, cudaStreamSynchronize(context_->stream()));
}

std::shared_ptr<const Code> CudaDevice::do_compile(const Program& program,
                                                   std::string_view kernel) {
    int major = 0, minor = 0;
    const int ordinal = context_->ordinal();
    context_->use();
    CHECK(*context_, cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, ordinal));
    CHECK(*context_, cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, ordinal));
    const Clock::time_point start = Clock::now();
    auto code = std::make_shared<CudaCode>(context_, program,
                                           compile_for(program, 10 * major + minor), kernel);
    code->build_seconds = seconds_since(start);
    return code;
}

Elapsed CudaDevice::do_run(std::span<const Command> commands, unsigned repeats, unsigned lead_in) {
    context_->use();
    std::vector<Ready> batch;
    batch.reserve(commands.size());
    for (const Command& command : commands) {
        batch.push_back(
            std::visit([&](const auto& what) { return prepare(what, *context_); }, command.what));
    }

    const auto enqueue_all = [&] {
        for (Ready& one : batch) {
            std::visit([&](auto& what) { enqueue(*context_, what); }, one);
        }
    };

    Elapsed elapsed;
    const Clock::time_point start = Clock::now();
    for (unsigned i = 0; i < lead_in; ++i) enqueue_all();
    if (!profiling_) {
        CHECK(*context_, cudaStreamSynchronize(context_->stream()));
        const Clock::time_point drained = Clock::now();
        for (unsigned i = 0; i < repeats; ++i) enqueue_all();
        CHECK(*context_, cudaStreamSynchronize(context_->stream()));
        elapsed.device = seconds_since(drained);
        elapsed.host = seconds_since(start);
        return elapsed;
    }
    CHECK(*context_, cudaEventRecord(context_->start(), context_->stream()));
    for (unsigned i = 0; i < repeats; ++i) enqueue_all();
    CHECK(*context_, cudaEventRecord(context_->stop(), context_->stream()));
    CHECK(*context_, cudaEventSynchronize(context_->stop()));
    elapsed.host = seconds_since(start);

    // The elapsed time does not promise to report what went wrong before it; this does.
    CHECK(*context_, cudaStreamSynchronize(context_->stream()));
    float milliseconds = 0;
    CHECK(*context_, cudaEventElapsedTime(&milliseconds, context_->start(), context_->stop()));
    elapsed.device = 1e-3 * static_cast<double>(milliseconds);
    return elapsed;
}

}  // namespace parallax::cuda
