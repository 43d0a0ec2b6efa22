// What all handles of one opened CUDA device share, and how the runtime's errors become exceptions.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include <cuda_runtime_api.h>

#include "common/device/device.hpp"

namespace parallax::cuda {

/// `cudaMalloc: cudaErrorMemoryAllocation (2): out of memory. What to do about it.`
/// `call` may be a whole call expression.
std::string describe(cudaError_t, std::string_view call);

struct DestroyEvent {
    void operator()(cudaEvent_t event) const noexcept {
        cudaEventDestroy(event);
        cudaGetLastError();
    }
};
/// An event that keeps no time, for one stream to wait for another.
using Event = std::unique_ptr<CUevent_st, DestroyEvent>;

/// One opened device: its stream and the two events that time a batch. Memory and code hold it, so
/// it outlives the Device that made it. Only use(), use_quietly() and check() may be called by
/// several threads at once.
class Context {
public:
    /// @param ordinal  CUDA's number of the device
    /// @throws DeviceError when it cannot be opened.
    Context(int ordinal, const DeviceInfo& info);
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    ~Context();

    int ordinal() const { return ordinal_; }
    cudaStream_t stream() const { return stream_; }
    /// The stream of that number, made when it is first asked for; 0 is stream(). @throws
    /// DeviceError
    cudaStream_t stream(unsigned number);
    /// Makes stream() anew. @throws DeviceError
    void renew_stream();
    /// @throws DeviceError
    Event new_event();
    /// Waits for all streams, whatever has become of them.
    void drain() noexcept;
    cudaEvent_t start() const { return start_; }
    cudaEvent_t stop() const { return stop_; }

    /// Makes the device the calling thread's current one; before every other call of the runtime.
    /// @throws DeviceError, also when an earlier failure has left the device unusable.
    void use();
    /// The same for destructors. False: there is nothing left to give back.
    bool use_quietly() noexcept;

    /// Throws DeviceError, with a sentence on what failed, unless `result` is a success. Waits for
    /// what is still in the stream, and finds out whether the device can be used any longer.
    void check(cudaError_t result, const char* call);

private:
    void release() noexcept;

    int ordinal_;
    std::string device_;  ///< for messages: `cuda:0 (NVIDIA H100)`
    std::mutex mutex_;    ///< of lost_
    std::string lost_;    ///< the failure that made the device unusable; empty: none did
    cudaStream_t stream_ = nullptr;
    std::map<unsigned, cudaStream_t> more_streams_;  ///< beside stream_
    cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

}  // namespace parallax::cuda

/// Calls the runtime and hands the return code to the context, with the call's text for the
/// message.
#define CHECK(context, call) (context).check((call), #call)
