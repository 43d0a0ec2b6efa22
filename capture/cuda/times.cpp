// What CUPTI's activity records say of commands' times.
#include <array>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>

#include <fmt/format.h>

#include "capture/cuda/cuda_state.hpp"

namespace parallax::capture::cuda {
namespace {

/// Maximum number of launches whose times are pending. Further ones are counted without a time.
constexpr std::size_t most_pending = 65536;
constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

// Newer libraries append members to these forms and keep the place of those that are read.
using KernelRecord = CUpti_ActivityKernel9;
using CopyRecord = CUpti_ActivityMemcpy5;
#if CUPTI_API_VERSION >= 130000
static_assert(offsetof(KernelRecord, start) == offsetof(CUpti_ActivityKernel10, start) &&
              offsetof(KernelRecord, name) == offsetof(CUpti_ActivityKernel10, name) &&
              offsetof(KernelRecord, graphNodeId) == offsetof(CUpti_ActivityKernel10, graphNodeId));
static_assert(offsetof(CopyRecord, correlationId) == offsetof(CUpti_ActivityMemcpy6, correlationId));
#endif

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records) {
    *buffer = static_cast<std::uint8_t*>(std::malloc(buffer_bytes));
    *bytes = *buffer ? buffer_bytes : 0;
    *most_records = 0;
}

std::optional<CommandTime> time_of(const CUpti_Activity& record) {
    using Kind = CommandTime::Kind;
    if (record.kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
        const auto& kernel = reinterpret_cast<const KernelRecord&>(record);
        const bool is_graph = kernel.graphNodeId != 0;
        return CommandTime{.kind = is_graph ? Kind::graph_kernel : Kind::kernel,
                           .device = kernel.deviceId,
                           .correlation = kernel.correlationId,
                           .start = kernel.start,
                           .end = kernel.end,
                           .bytes = 0,
                           .name = is_graph && kernel.name ? kernel.name : ""};
    }
    if (record.kind != CUPTI_ACTIVITY_KIND_MEMCPY) return {};
    const auto& copy = reinterpret_cast<const CopyRecord&>(record);
    Kind kind = Kind::on_device;
    if (copy.copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD ||
        copy.copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOA)
        kind = Kind::to_device;
    if (copy.copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH ||
        copy.copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_ATOH)
        kind = Kind::from_device;
    return CommandTime{.kind = kind,
                       .device = copy.deviceId,
                       .correlation = copy.correlationId,
                       .start = copy.start,
                       .end = copy.end,
                       .bytes = copy.bytes,
                       .name = {}};
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                          std::size_t valid) {
    quietly([&] {
        CudaState& s = cuda();
        const std::scoped_lock lock(s.times_mutex);
        CUpti_Activity* record = nullptr;
        while (valid > 0 && s.api.cuptiActivityGetNextRecord(buffer, valid, &record) ==
                                CUPTI_SUCCESS) {
            if (auto time = time_of(*record)) s.times.push_back(*std::move(time));
        }
    });
    std::free(buffer);
}

/// A kernel that a graph launched, which no call names.
Tally& graph_tally(const std::string& name) {
    auto& tally = state().tallies["cuda graph " + name];
    if (!tally) {
        tally = std::make_shared<Tally>();
        tally->kernel = name;
        tally->program = "graph";
    }
    ++tally->sum.count;
    ++tally->left_out["launched by a graph"];
    return *tally;
}

}  // namespace

void begin_times() {
    const Api& api = cuda().api;
    for (const CUptiResult code :
         {api.cuptiActivityRegisterCallbacks(give_buffer, take_buffer),
          api.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL),
          api.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY),
          api.cuptiActivityFlushPeriod(500)}) {
        if (code == CUPTI_SUCCESS) continue;
        const char* words = "";
        api.cuptiGetResultString(code, &words);
        throw std::runtime_error(fmt::format("CUPTI reports no times: {}", words));
    }
}

void add_times() {
    CudaState& s = cuda();
    State& all = state();
    std::vector<CommandTime> times;
    std::vector<PendingTime> of;
    {
        const std::scoped_lock lock(s.times_mutex);
        times.swap(s.times);
        for (CommandTime& one : times) {
            PendingTime pending;
            const auto found = s.pending.find(one.correlation);
            if (found != s.pending.end() && one.kind != CommandTime::Kind::graph_kernel) {
                pending = found->second;
                s.pending.erase(found);
            } else if (s.own_commands.erase(one.correlation) > 0) {
                one.end = 0;
            }
            of.push_back(std::move(pending));
        }
    }
    static const std::array<char, 64> devices{};  // their places are no handles of OpenCL's
    for (std::size_t i = 0; i < times.size(); ++i) {
        const CommandTime& one = times[i];
        if (one.end < one.start || one.end == 0) continue;
        const void* const device = &devices.at(one.device % devices.size());
        Sum* sum = of[i].sum;
        Tally* tally = of[i].tally.get();
        switch (one.kind) {
            case CommandTime::Kind::kernel: break;
            case CommandTime::Kind::graph_kernel:
                tally = &graph_tally(one.name);
                sum = &tally->sum;
                break;
            case CommandTime::Kind::to_device: sum = &all.to_device; break;
            case CommandTime::Kind::from_device: sum = &all.from_device; break;
            case CommandTime::Kind::on_device: sum = &all.on_device; break;
        }
        if (!sum) continue;
        if (!tally) {
            ++sum->count;
            sum->bytes += one.bytes;
        }
        add_time(device, one.start, one.end, *sum, tally, of[i].snapshot_seconds);
    }
}

void end_times() {
    const Api& api = cuda().api;
    if (api.cuptiActivityFlushAll) api.cuptiActivityFlushAll(1);
}

}  // namespace parallax::capture::cuda
