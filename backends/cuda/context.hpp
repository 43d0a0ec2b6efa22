// State that all objects of an open CUDA device share, and error handling of the runtime.
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
/// An event without timing, for one stream to wait for another.
using Event = std::unique_ptr<CUevent_st, DestroyEvent>;

/// One opened device: its stream and the two events that time a batch. Memory and code keep it
/// alive, so it outlives the Device. Only use(), use_quietly() and check() are thread-safe.
class Context {
public:
    /// @param ordinal  CUDA's ordinal of the device
    /// @throws DeviceError when it cannot be opened.
    Context(int ordinal, const DeviceInfo& info);
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    ~Context();

    int ordinal() const { return ordinal_; }
    cudaStream_t stream() const { return stream_; }
    /// The stream with that number, created at its first use; 0 is stream(). @throws DeviceError
    cudaStream_t stream(unsigned number);
    /// Replaces stream() by a new one. @throws DeviceError
    void renew_stream();
    /// @throws DeviceError
    Event new_event();
    /// Waits for all streams, and ignores errors.
    void drain() noexcept;
    cudaEvent_t start() const { return start_; }
    cudaEvent_t stop() const { return stop_; }

    /// Makes the device current in the calling thread; needed before all other runtime calls.
    /// @throws DeviceError, also when an earlier failure has left the device unusable.
    void use();
    /// The same for destructors. False: the device is lost, and there is nothing to free.
    bool use_quietly() noexcept;

    /// Throws DeviceError with a sentence about the failure, unless `result` is a success. Waits
    /// for pending work, and determines whether the device is still usable.
    void check(cudaError_t result, const char* call);

private:
    void release() noexcept;

    int ordinal_;
    std::string device_;  ///< for messages: `cuda:0 (NVIDIA H100)`
    std::mutex mutex_;    ///< of lost_
    std::string lost_;    ///< the failure that made the device unusable; empty: it is usable
    cudaStream_t stream_ = nullptr;
    std::map<unsigned, cudaStream_t> more_streams_;  ///< other than stream_
    cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

/// After an error nothing may still use memory of the caller: it waits for all streams then.
class DrainedAtTheEnd {
public:
    explicit DrainedAtTheEnd(Context& context) : context_(&context) {}
    DrainedAtTheEnd(const DrainedAtTheEnd&) = delete;
    DrainedAtTheEnd& operator=(const DrainedAtTheEnd&) = delete;
    ~DrainedAtTheEnd() {
        if (context_) context_->drain();
    }
    /// Everything has ended well.
    void release() { context_ = nullptr; }

private:
    Context* context_;
};

}  // namespace parallax::cuda

/// Calls the runtime and checks the return code, with the call's text for the message.
#define CHECK(context, call) (context).check((call), #call)
