// Opens a device, and turns the runtime's error codes into sentences.
#include "backends/cuda/context.hpp"

#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/process/mps.hpp"

namespace parallax::cuda {
namespace {

std::string_view advice(cudaError_t code) {
    switch (code) {
        case cudaErrorMemoryAllocation:
            return "Choose a smaller size, or end what else uses the device (`nvidia-smi` lists "
                   "it).";
        case cudaErrorInsufficientDriver:
        case cudaErrorCallRequiresNewerDriver: return "Install a newer NVIDIA driver.";
        case cudaErrorUnsupportedPtxVersion:
            return "The compiler is newer than the driver: install a newer driver, or set "
                   "PARALLAX_NVRTC to the libnvrtc of an older CUDA toolkit.";
        case cudaErrorNoKernelImageForDevice:
        case cudaErrorInvalidKernelImage:
            return "The code is not for this device: see its build options for the architecture.";
        case cudaErrorJitCompilerNotFound:
            return "The driver's assembler, libnvidia-ptxjitcompiler.so.1, is missing: reinstall "
                   "the driver, or in a container pass all of its libraries through.";
        case cudaErrorDevicesUnavailable:
            return "Another process holds the device, or its compute mode forbids it (`nvidia-smi "
                   "-q -d COMPUTE` shows the mode).";
        case cudaErrorSystemNotReady:
            return "On a machine with NVSwitch, start the service nvidia-fabricmanager.";
        case cudaErrorSystemDriverMismatch:
            return "The driver's kernel module and its libraries are of different versions: "
                   "restart the machine.";
        case cudaErrorLaunchOutOfResources:
        case cudaErrorInvalidConfiguration: return "Choose a smaller group or tile.";
        case cudaErrorLaunchTimeout:
            return "The device also drives a screen, and the driver ends what runs for seconds: "
                   "choose a smaller size.";
        case cudaErrorIllegalAddress:
        case cudaErrorMisalignedAddress:
        case cudaErrorInvalidAddressSpace:
        case cudaErrorLaunchFailure:
        case cudaErrorHardwareStackError:
            return "The kernel reads or writes where it must not: `compute-sanitizer` says where.";
        case cudaErrorMpsConnectionFailed:
        case cudaErrorMpsRpcFailure:
        case cudaErrorMpsServerNotReady:
        case cudaErrorMpsMaxClientsReached:
        case cudaErrorMpsMaxConnectionsReached:
        case cudaErrorMpsClientTerminated: {
            static const std::string words = fmt::format(
                "The daemon of the Multi-Process Service does not take this process: {}={} goes "
                "round it, on a device whose compute mode is Default.",
                mps_variable, no_mps_folder);
            return words;
        }
        default: return "";
    }
}

}  // namespace

std::string describe(cudaError_t code, std::string_view call) {
    std::string text =
        fmt::format("{}: {} ({}): {}.", call.substr(0, call.find('(')), cudaGetErrorName(code),
                    static_cast<int>(code), cudaGetErrorString(code));
    if (const std::string_view next = advice(code); !next.empty()) text.append(" ").append(next);
    return text;
}

Context::Context(int ordinal, const DeviceInfo& info)
    : ordinal_(ordinal), device_(fmt::format("{} ({})", info.id(), info.name)) {
    try {
        use();
        // Not the default stream, which would wait for other libraries' work.
        CHECK(*this, cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        CHECK(*this, cudaEventCreateWithFlags(&start_, cudaEventDefault));
        CHECK(*this, cudaEventCreateWithFlags(&stop_, cudaEventDefault));
    } catch (...) {
        release();
        throw;
    }
}

Context::~Context() {
    release();
}

void Context::release() noexcept {
    if (!use_quietly()) return;
    if (stop_) cudaEventDestroy(stop_);
    if (start_) cudaEventDestroy(start_);
    for (const auto& [number, stream] : more_streams_) cudaStreamDestroy(stream);
    if (stream_) cudaStreamDestroy(stream_);
    cudaGetLastError();
}

cudaStream_t Context::stream(unsigned number) {
    if (number == 0) return stream_;
    const auto found = more_streams_.find(number);
    if (found != more_streams_.end()) return found->second;
    cudaStream_t made = nullptr;
    CHECK(*this, cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking));
    more_streams_.emplace(number, made);
    return made;
}

void Context::renew_stream() {
    use();
    CHECK(*this, cudaStreamSynchronize(stream_));
    // The old stream is destroyed last, or the driver would return the same one again.
    cudaStream_t made = nullptr;
    CHECK(*this, cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking));
    cudaStreamDestroy(std::exchange(stream_, made));
}

Event Context::new_event() {
    cudaEvent_t event = nullptr;
    CHECK(*this, cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    return Event(event);
}

void Context::drain() noexcept {
    cudaStreamSynchronize(stream_);
    for (const auto& [number, stream] : more_streams_) cudaStreamSynchronize(stream);
    cudaGetLastError();
}

void Context::use() {
    if (const std::scoped_lock lock(mutex_); !lost_.empty()) {
        throw DeviceError(fmt::format("{} is unusable in this process since an earlier failure: {}",
                                      device_, lost_));
    }
    CHECK(*this, cudaSetDevice(ordinal_));
}

bool Context::use_quietly() noexcept {
    const bool usable = cudaSetDevice(ordinal_) == cudaSuccess;
    if (!usable) cudaGetLastError();
    return usable;
}

void Context::check(cudaError_t result, const char* call) {
    if (result == cudaSuccess) return;
    // Clears the runtime's last error, since it has been handled.
    cudaGetLastError();
    std::string text = fmt::format("{} failed in {}", device_, describe(result, call));
    // An error inside a kernel is returned by every later call; only a new process recovers.
    if (stream_ && cudaStreamSynchronize(stream_) != cudaSuccess) {
        cudaGetLastError();
        const std::scoped_lock lock(mutex_);
        lost_ = text;
        text +=
            " The device, and all memory and code on it, is unusable in this process from now on; "
            "start a new one to go on.";
    }
    throw DeviceError(text);
}

}  // namespace parallax::cuda
