// The layer's knowledge of a CUDA program, and the functions of the driver and of CUPTI that it
// calls.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <cuda.h>
#include <cupti.h>

#include "capture/cuda/module_image.hpp"
#include "capture/keep.hpp"

namespace parallax::capture::cuda {

// clang-format off
#define PARALLAX_DRIVER_FUNCTIONS(X)                                                               \
    X(cuCtxGetDevice) X(cuCtxPopCurrent) X(cuCtxPushCurrent) X(cuDeviceGetName)                    \
    X(cuDriverGetVersion) X(cuEventCreate) X(cuEventDestroy) X(cuEventQuery) X(cuEventRecord)      \
    X(cuFuncGetModule) X(cuMemGetAddressRange) X(cuMemcpyAsync) X(cuModuleGetGlobal)               \
    X(cuStreamCreate) X(cuStreamDestroy) X(cuStreamIsCapturing) X(cuStreamSynchronize)             \
    X(cuThreadExchangeStreamCaptureMode)
/// Functions of newer drivers only: null in others.
#define PARALLAX_NEW_DRIVER_FUNCTIONS(X)                                                           \
    X(cuCtxRecordEvent) X(cuFuncGetName) X(cuFuncGetParamInfo) X(cuKernelGetFunction)
#define PARALLAX_CUPTI_FUNCTIONS(X)                                                                \
    X(cuptiActivityEnable) X(cuptiActivityFlushAll) X(cuptiActivityFlushPeriod)                    \
    X(cuptiActivityGetNextRecord) X(cuptiActivityRegisterCallbacks) X(cuptiEnableCallback)         \
    X(cuptiGetCallbackName) X(cuptiGetContextId) X(cuptiGetResultString) X(cuptiGetStreamIdEx)     \
    X(cuptiSubscribe) X(cuptiUnsubscribe)
// clang-format on

/// All that the layer calls outside of itself. A test puts libraries of its own in their place.
struct Api {
#define PARALLAX_POINTER(name) decltype(&::name) name = nullptr;
    PARALLAX_DRIVER_FUNCTIONS(PARALLAX_POINTER)
    PARALLAX_NEW_DRIVER_FUNCTIONS(PARALLAX_POINTER)
    PARALLAX_CUPTI_FUNCTIONS(PARALLAX_POINTER)
#undef PARALLAX_POINTER
};

/// Finds the functions in the program's driver, and in the CUPTI that it has loaded, or else in the
/// first that is found. @throws std::exception saying what is missing
void load(Api&);

/// One kernel as the program launches it.
struct Function {
    std::string name;  ///< in the machine code
    std::shared_ptr<Tally> tally;
    std::vector<std::pair<std::size_t, std::size_t>> parameters;  ///< offset and size
    std::shared_ptr<const ModuleImage> image;
    CUmodule module = nullptr;
    std::vector<Variable> variables;
    std::string why_not;  ///< its launches cannot be kept; empty: they can
};

/// One launch as the program asks for it. Valid until the driver's function returns.
struct LaunchCall {
    CUcontext context = nullptr;
    CUfunction function = nullptr;  ///< or a CUkernel
    const char* name = nullptr;
    std::array<unsigned, 3> grid{}, block{};
    unsigned shared_bytes = 0;
    CUstream stream = nullptr;
    void** parameters = nullptr;
    void** packed = nullptr;  ///< instead: the list of CU_LAUNCH_PARAM_...
    bool is_cooperative = false, has_clusters = false;
};

/// A launch whose time is not known yet.
struct PendingTime {
    Sum* sum = nullptr;
    std::shared_ptr<Tally> tally;
    double snapshot_seconds = 0;  ///< of State, when it was enqueued
};

/// A context and a stream of it, by CUPTI's numbers.
using StreamId = std::pair<std::uint32_t, std::uint32_t>;

/// The time of a command, from CUPTI.
struct CommandTime {
    std::uint32_t device = 0, correlation = 0;
    StreamId stream;
    std::uint64_t start = 0, end = 0, bytes = 0;
    Sum State::*copies = nullptr;  ///< it is a copy, and counts here
    std::string kernel = {};       ///< it is this kernel
    bool is_of_graph = false;      ///< which a graph launched
};

struct CudaState {
    Api api;
    CUpti_SubscriberHandle subscriber = nullptr;

    /// Protects all members below. Never held during calls of the driver, which may call back.
    std::mutex mutex;
    std::map<std::uint32_t, std::shared_ptr<const ModuleImage>>
        images;                                                      ///< loaded, by CUPTI's number
    std::map<CUmodule, std::shared_ptr<const ModuleImage>> modules;  ///< that calls returned
    std::map<std::pair<CUcontext, CUfunction>, std::shared_ptr<const Function>> functions;
    std::map<std::uint64_t, std::uint64_t> ranges;  ///< allocations with their sizes
    /// What allocations held, by address and size.
    std::map<std::pair<std::uint64_t, std::uint64_t>, LastContent> last;
    std::set<std::uint64_t> textures;               ///< objects, also surfaces
    std::set<std::uint64_t> foreign;                ///< allocations of other processes
    unsigned graphs = 0;                            ///< that are being recorded
    std::atomic<double> wait_seconds = 0;           ///< spent in waits that did not end

    std::mutex times_mutex;  ///< of the following members; no other is taken while it is held
    std::unordered_map<std::uint32_t, PendingTime> pending;  ///< by correlation
    std::set<StreamId> own_streams;  ///< the layer's: what runs there is not the program's
    std::vector<CommandTime> times;  ///< not yet added up
};

CudaState& cuda();

/// While it lives the thread's calls of the driver are the layer's own, in the launch's context,
/// and do no harm to graphs that are being recorded.
class OwnCalls {
public:
    explicit OwnCalls(CUcontext);
    OwnCalls(const OwnCalls&) = delete;
    OwnCalls& operator=(const OwnCalls&) = delete;
    ~OwnCalls();
    static bool are_running();  ///< in this thread

private:
    bool has_pushed_ = false;
    CUstreamCaptureMode mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;
};

/// The allocation that an address is in. It asks the driver about unknown ones.
std::optional<std::pair<std::uint64_t, std::uint64_t>> range_of(std::uint64_t address);
/// A kernel with its module; asks the driver when it is launched for the first time.
std::shared_ptr<const Function> function_of(const LaunchCall&);
/// The launch for keeping it.
std::unique_ptr<LaunchContents> contents_of(const LaunchCall&, std::shared_ptr<const Function>);

/// Has CUPTI report the times of commands. @throws std::exception
void begin_times();
/// Adds up the times that CUPTI has reported so far. State's mutex must be held.
void add_times();
/// Has CUPTI report all times.
void end_times();

}  // namespace parallax::capture::cuda
