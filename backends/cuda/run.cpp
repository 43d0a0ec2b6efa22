// Runs commands on an open CUDA device: one stream or several, between two events.
#include <algorithm>
#include <cstring>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "backends/cuda/cuda_device.hpp"
#include "backends/cuda/library_code.hpp"
#include "common/error.hpp"
#include "common/host_clock.hpp"

namespace parallax::cuda {
namespace {

/// CUDA uses 32 bits.
dim3 dim3_of(const Size& size) {
    constexpr std::uint64_t most = std::numeric_limits<unsigned>::max();
    if (size.x > most || size.y > most || size.z > most) {
        throw UsageError(fmt::format("A launch of {} x {} x {} is beyond what CUDA can count.",
                                     size.x, size.y, size.z));
    }
    return dim3(static_cast<unsigned>(size.x), static_cast<unsigned>(size.y),
                static_cast<unsigned>(size.z));
}

// Commands prepared before timing starts.

struct ReadyCopy {
    void* target;
    const void* source;
    std::size_t bytes;
    cudaMemcpyKind kind;
};
struct ReadyLaunch {
    const void* kernel;
    dim3 groups, items;
    std::size_t local_bytes;
    std::vector<std::vector<std::byte>> values;  ///< the arguments' bytes
    std::vector<void*> pointers;                 ///< to the values, as CUDA expects them
    bool is_cooperative;
    std::vector<ReadyCopy> before;  ///< each launch: its variables
    std::vector<ReadyCopy> after;   ///< each launch
    std::vector<ReadyCopy> last;    ///< after all launches
};
struct ReadyCall {
    const LibraryCode* code;
    std::vector<void*> pointers;  ///< to device buffers
    std::vector<std::uint64_t> extents;
};
struct ReadyFill {
    void* target;
    int value;
    std::size_t bytes;
};
using Ready = std::variant<ReadyLaunch, ReadyCall, ReadyCopy, ReadyFill>;

[[noreturn]] void refuse_foreign_code() {
    throw UsageError("The kernel was built for another device. Compile it on this one.");
}

Ready prepare(const LibraryCode& code, const Dispatch& dispatch, Context& context) {
    if (code.context().ordinal() != context.ordinal()) refuse_foreign_code();
    code.check(dispatch);
    ReadyCall call{&code, {}, {}};
    for (const Argument& argument : dispatch.arguments) {
        if (const auto* const memory = std::get_if<std::shared_ptr<Memory>>(&argument)) {
            call.pointers.push_back(memory_of(**memory, context).at(0));
        } else {
            call.extents.push_back(extent_of(std::get<Scalar>(argument)));
        }
    }
    return call;
}

void enqueue(Context& context, cudaStream_t stream, const ReadyCopy& copy) {
    if (copy.bytes == 0) return;
    CHECK(context, cudaMemcpyAsync(copy.target, copy.source, copy.bytes, copy.kind, stream));
}

/// Whether other commands change the buffer, or launches its variable.
bool changes(std::span<const Command> all, const SymbolMemory& symbol) {
    std::size_t launches = 0;
    return std::ranges::any_of(all, [&](const Command& one) {
        if (const auto* const copy = std::get_if<Copy>(&one.what))
            return copy->target == symbol.memory;
        if (const auto* const fill = std::get_if<Fill>(&one.what))
            return fill->target == symbol.memory;
        return symbol.is_written && ++launches > 1;
    });
}

/// Initialises the variables of the kernel's source: before all launches, so that this is not
/// timed, and again before each launch where other commands change their source data.
void prepare_variables(const CudaCode& code, const Dispatch& dispatch, Context& context,
                       std::span<const Command> all, ReadyLaunch& launch) {
    for (const SymbolMemory& symbol : dispatch.symbols) {
        const auto [address, bytes] = code.symbol(symbol.name);
        const std::size_t used = symbol.memory->bytes();
        if (used > bytes) {
            throw UsageError(fmt::format("The variable '{}' has {} bytes, and its buffer {}.",
                                         symbol.name, bytes, used));
        }
        std::byte* const buffer = memory_of(*symbol.memory, context).at(0);
        const ReadyCopy in{address, buffer, used, cudaMemcpyDefault};
        const bool is_each = changes(all, symbol);
        if (is_each) launch.before.emplace_back(in);
        enqueue(context, context.stream(), in);
        if (!symbol.is_written) continue;
        (is_each ? launch.after : launch.last)
            .push_back({buffer, address, used, cudaMemcpyDefault});
    }
}

/// @param all  the commands of the call
Ready prepare(const Dispatch& dispatch, Context& context, std::span<const Command> all) {
    if (const auto* const call = dynamic_cast<const LibraryCode*>(dispatch.code.get())) {
        return prepare(*call, dispatch, context);
    }
    const auto* code = dynamic_cast<const CudaCode*>(dispatch.code.get());
    if (!code || code->context().ordinal() != context.ordinal()) refuse_foreign_code();
    code->check(dispatch);
    const LocalLayout local = local_layout(dispatch.arguments);
    code->allow_local(static_cast<std::uint32_t>(local.bytes));
    code->prefer_local(dispatch.local_carveout);
    ReadyLaunch launch{.kernel = code->handle(),
                       .groups = dim3_of(dispatch.geometry.groups),
                       .items = dim3_of(dispatch.geometry.items),
                       .local_bytes = local.bytes,
                       .values = {},
                       .pointers = {},
                       .is_cooperative = dispatch.is_cooperative,
                       .before = {},
                       .after = {},
                       .last = {}};
    prepare_variables(*code, dispatch, context, all, launch);
    const auto put = [&](std::span<const std::byte> bytes) {
        launch.values.emplace_back(bytes.begin(), bytes.end());
        // Padded to whole words, so that equal numbers have equal bits behind the pointer.
        launch.values.back().resize(std::max(bytes.size(), sizeof(std::uint64_t)));
    };
    const auto put_addresses = [&](std::size_t argument) {
        for (const PointerMemory& one : dispatch.pointers) {
            if (one.argument != argument) continue;
            const std::byte* const address =
                memory_of(*one.memory, context).at(static_cast<std::ptrdiff_t>(one.offset));
            std::memcpy(launch.values.back().data() + one.at, &address, sizeof(address));
        }
    };
    std::size_t locals = 0;
    for (std::size_t i = 0; i < dispatch.arguments.size(); ++i) {
        const Argument& argument = dispatch.arguments[i];
        if (const auto* memory = std::get_if<std::shared_ptr<Memory>>(&argument);
            memory && (*memory)->image()) {
            const CudaImage& image = image_of(**memory, context);
            const cudaTextureObject_t texture = image.texture();
            if (code->parameter_bytes(launch.values.size()) == sizeof(ImageArgument)) {
                put(std::as_bytes(std::span(&image.argument(), 1)));
            } else if ((*memory)->image()->is_written) {
                put(std::as_bytes(std::span(&image.argument().surface, 1)));
            } else {
                put(std::as_bytes(std::span(&texture, 1)));
            }
        } else if (memory) {
            const std::byte* address = memory_of(**memory, context).at(0);
            put(std::as_bytes(std::span(&address, 1)));
        } else if (std::holds_alternative<LocalBytes>(argument)) {
            // The first is at the start of the block, which the kernel knows.
            const std::uint32_t offset = local.offsets.at(locals);
            if (locals++ > 0) put(std::as_bytes(std::span(&offset, 1)));
        } else {
            put(bytes_of(std::get<Scalar>(argument)));
            put_addresses(i);
        }
    }
    for (std::vector<std::byte>& value : launch.values) launch.pointers.push_back(value.data());
    return launch;
}

Ready prepare(const Copy& copy, Context& context, std::span<const Command>) {
    const auto start = [&](const Memory& memory) {
        return memory.host() ? memory.host() : memory_of(memory, context).at(0);
    };
    return ReadyCopy{start(*copy.target) + copy.target_offset,
                     start(*copy.source) + copy.source_offset, copy.bytes,
                     copy.source->host()   ? cudaMemcpyHostToDevice
                     : copy.target->host() ? cudaMemcpyDeviceToHost
                                           : cudaMemcpyDeviceToDevice};
}

Ready prepare(const Fill& fill, Context& context, std::span<const Command>) {
    return ReadyFill{memory_of(*fill.target, context).at(static_cast<std::ptrdiff_t>(fill.offset)),
                     fill.value, fill.bytes};
}

void enqueue(Context& context, cudaStream_t stream, ReadyLaunch& launch) {
    for (const ReadyCopy& copy : launch.before) enqueue(context, stream, copy);
    if (launch.is_cooperative) {
        CHECK(context,
              cudaLaunchCooperativeKernel(launch.kernel, launch.groups, launch.items,
                                          launch.pointers.data(), launch.local_bytes, stream));
    } else {
        CHECK(context, cudaLaunchKernel(launch.kernel, launch.groups, launch.items,
                                        launch.pointers.data(), launch.local_bytes, stream));
    }
    for (const ReadyCopy& copy : launch.after) enqueue(context, stream, copy);
}

void enqueue(Context&, cudaStream_t stream, ReadyCall& call) {
    call.code->enqueue(stream, call.pointers, call.extents);
}

void enqueue(Context& context, cudaStream_t stream, ReadyFill& fill) {
    if (fill.bytes == 0) return;
    CHECK(context, cudaMemsetAsync(fill.target, fill.value, fill.bytes, stream));
}

/// A batch of commands in several streams, which start together and end together.
class SideBySide {
public:
    SideBySide(Context& context, std::span<const Command> commands) : context_(context) {
        std::set<unsigned> queues;
        std::set<std::size_t> awaited;
        for (const Command& command : commands) {
            if (command.queue == unordered_queue) {
                throw Unsupported(
                    "CUDA has no stream whose commands run in any order: several streams, or a "
                    "graph, say what may overlap.");
            }
            queues.insert(command.queue);
            queues_.push_back(command.queue);
            after_.push_back(command.after);
            awaited.insert(command.after.begin(), command.after.end());
        }
        queues.erase(0);
        others_.assign(queues.begin(), queues.end());
        ended_.resize(commands.size());
        for (const std::size_t i : awaited) ended_[i] = context_.new_event();
        begun_ = context_.new_event();
        for (std::size_t i = 0; i < others_.size(); ++i) joined_.push_back(context_.new_event());
    }

    void enqueue_all(std::vector<Ready>& batch) {
        CHECK(context_, cudaEventRecord(begun_.get(), context_.stream()));
        for (const unsigned queue : others_) {
            CHECK(context_, cudaStreamWaitEvent(context_.stream(queue), begun_.get(), 0));
        }
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const cudaStream_t stream = context_.stream(queues_[i]);
            for (const std::size_t other : after_[i]) {
                if (queues_[other] == queues_[i]) continue;  // the stream's order suffices
                CHECK(context_, cudaStreamWaitEvent(stream, ended_[other].get(), 0));
            }
            std::visit([&](auto& what) { enqueue(context_, stream, what); }, batch[i]);
            if (ended_[i]) CHECK(context_, cudaEventRecord(ended_[i].get(), stream));
        }
        for (std::size_t i = 0; i < others_.size(); ++i) {
            CHECK(context_, cudaEventRecord(joined_[i].get(), context_.stream(others_[i])));
            CHECK(context_, cudaStreamWaitEvent(context_.stream(), joined_[i].get(), 0));
        }
    }

private:
    Context& context_;
    std::vector<unsigned> queues_, others_;
    std::vector<std::vector<std::size_t>> after_;
    Event begun_;
    std::vector<Event> ended_;  ///< of the commands that others wait for
    std::vector<Event> joined_;
};

}  // namespace

Elapsed CudaDevice::do_run(std::span<const Command> commands, unsigned repeats, unsigned lead_in) {
    context_->use();
    DrainedAtTheEnd drained(*context_);
    const Elapsed elapsed = timed(commands, repeats, lead_in);
    drained.release();
    return elapsed;
}

Elapsed CudaDevice::timed(std::span<const Command> commands, unsigned repeats, unsigned lead_in) {
    std::vector<Ready> batch;
    batch.reserve(commands.size());
    for (const Command& command : commands) {
        batch.push_back(std::visit(
            [&](const auto& what) { return prepare(what, *context_, commands); }, command.what));
    }

    std::optional<SideBySide> streams;
    if (!is_one_queue(commands)) streams.emplace(*context_, commands);
    const auto enqueue_all = [&] {
        if (streams) {
            streams->enqueue_all(batch);
            return;
        }
        for (Ready& one : batch) {
            std::visit([&](auto& what) { enqueue(*context_, context_->stream(), what); }, one);
        }
    };

    const auto read_variables = [&] {
        for (const Ready& one : batch) {
            const auto* const launch = std::get_if<ReadyLaunch>(&one);
            if (!launch) continue;
            for (const ReadyCopy& copy : launch->last) enqueue(*context_, context_->stream(), copy);
        }
    };

    Elapsed elapsed;
    const HostClock::time_point start = HostClock::now();
    for (unsigned i = 0; i < lead_in; ++i) enqueue_all();
    if (is_timed_by_host_) {
        CHECK(*context_, cudaStreamSynchronize(context_->stream()));
        const HostClock::time_point drained = HostClock::now();
        for (unsigned i = 0; i < repeats; ++i) enqueue_all();
        CHECK(*context_, cudaStreamSynchronize(context_->stream()));
        elapsed.device = seconds_since(drained);
        elapsed.host = seconds_since(start);
        read_variables();
        return elapsed;
    }
    CHECK(*context_, cudaEventRecord(context_->start(), context_->stream()));
    for (unsigned i = 0; i < repeats; ++i) enqueue_all();
    CHECK(*context_, cudaEventRecord(context_->stop(), context_->stream()));
    CHECK(*context_, cudaEventSynchronize(context_->stop()));
    elapsed.host = seconds_since(start);

    read_variables();
    // cudaEventElapsedTime may not report earlier errors; this does.
    CHECK(*context_, cudaStreamSynchronize(context_->stream()));
    float milliseconds = 0;
    CHECK(*context_, cudaEventElapsedTime(&milliseconds, context_->start(), context_->stop()));
    elapsed.device = 1e-3 * static_cast<double>(milliseconds);
    return elapsed;
}

}  // namespace parallax::cuda
