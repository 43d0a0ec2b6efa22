// Reads commands' times from CUPTI's activity records.
#include <array>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>

#include <fmt/format.h>

#include "capture/cuda/cuda_state.hpp"

namespace parallax::capture::cuda {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

// Newer libraries append members to these forms and keep the place of those that are read.
using KernelRecord = CUpti_ActivityKernel9;
using CopyRecord = CUpti_ActivityMemcpy5;
#if CUPTI_API_VERSION >= 130000
static_assert(offsetof(KernelRecord, start) == offsetof(CUpti_ActivityKernel10, start) &&
              offsetof(KernelRecord, name) == offsetof(CUpti_ActivityKernel10, name) &&
              offsetof(KernelRecord, graphNodeId) == offsetof(CUpti_ActivityKernel10, graphNodeId));
static_assert(offsetof(CopyRecord, correlationId) ==
              offsetof(CUpti_ActivityMemcpy6, correlationId));
#endif

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records) {
    *buffer = static_cast<std::uint8_t*>(std::malloc(buffer_bytes));
    *bytes = *buffer ? buffer_bytes : 0;
    *most_records = 0;
}

CommandTime time_of(const KernelRecord& kernel) {
    return {.device = kernel.deviceId,
            .correlation = kernel.correlationId,
            .stream = {kernel.contextId, kernel.streamId},
            .start = kernel.start,
            .end = kernel.end,
            .kernel = kernel.name ? kernel.name : "",
            .is_of_graph = kernel.graphNodeId != 0};
}

CommandTime time_of(const CopyRecord& copy) {
    const auto is = [&](CUpti_ActivityMemcpyKind plain, CUpti_ActivityMemcpyKind array) {
        return copy.copyKind == plain || copy.copyKind == array;
    };
    return {.device = copy.deviceId,
            .correlation = copy.correlationId,
            .stream = {copy.contextId, copy.streamId},
            .start = copy.start,
            .end = copy.end,
            .bytes = copy.bytes,
            .copies = is(CUPTI_ACTIVITY_MEMCPY_KIND_HTOD, CUPTI_ACTIVITY_MEMCPY_KIND_HTOA)
                          ? &State::to_device
                      : is(CUPTI_ACTIVITY_MEMCPY_KIND_DTOH, CUPTI_ACTIVITY_MEMCPY_KIND_ATOH)
                          ? &State::from_device
                          : &State::on_device};
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                          std::size_t valid) {
    quietly([&] {
        CudaState& s = cuda();
        const std::scoped_lock lock(s.times_mutex);
        CUpti_Activity* record = nullptr;
        while (valid > 0 &&
               s.api.cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
            if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
                s.times.push_back(time_of(*reinterpret_cast<const KernelRecord*>(record)));
            if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY)
                s.times.push_back(time_of(*reinterpret_cast<const CopyRecord*>(record)));
        }
    });
    std::free(buffer);
}

}  // namespace

void begin_times() {
    const Api& api = cuda().api;
    for (const CUptiResult code :
         {api.cuptiActivityRegisterCallbacks(give_buffer, take_buffer),
          api.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL),
          api.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY), api.cuptiActivityFlushPeriod(500)}) {
        if (code == CUPTI_SUCCESS) continue;
        const char* words = "";
        api.cuptiGetResultString(code, &words);
        throw std::runtime_error(fmt::format("CUPTI reports no times: {}", words));
    }
}

void add_times() {
    static const std::array<char, 64> devices{};  // their places are no handles of OpenCL's
    CudaState& s = cuda();
    State& all = state();
    const std::scoped_lock lock(s.times_mutex);
    for (const CommandTime& one : s.times) {
        // The layer's own copies have the correlation of the launch that they belong to.
        if (s.own_streams.contains(one.stream) || one.end < one.start || one.end == 0) continue;
        PendingTime of;
        if (const auto found = s.pending.find(one.correlation);
            found != s.pending.end() && !one.is_of_graph) {
            of = found->second;
            s.pending.erase(found);
        }
        if (one.copies) {
            of.sum = &(all.*one.copies);
            ++of.sum->count;
            of.sum->bytes += one.bytes;
        } else if (one.is_of_graph && !one.kernel.empty()) {
            of.tally = tally_of(one.kernel, "a graph");  // no call names it
            of.sum = &of.tally->sum;
            ++of.sum->count;
            ++of.tally->left_out["launched by a graph"];
        }
        if (!of.sum) continue;
        add_time(&devices.at(one.device % devices.size()), one.start, one.end, *of.sum,
                 of.tally.get(), of.snapshot_seconds);
    }
    s.times.clear();
}

void end_times() {
    const Api& api = cuda().api;
    if (api.cuptiActivityFlushAll) api.cuptiActivityFlushAll(1);
}

}  // namespace parallax::capture::cuda
