// The layer's knowledge of a program of OpenCL: its objects, its launches, its times.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include <CL/cl_layer.h>

#include "capture/capture_settings.hpp"
#include "capture/store.hpp"
#include "common/device/build_options.hpp"
#include "common/process/capture_counters.hpp"

namespace parallax::capture {

using Sum = LiveSum;

/// Maps the file of the process' counters.
void begin_live(const std::filesystem::path&);
/// Adds a sum permanently; the mutex must be held.
Sum& live_sum();
/// Its index in LiveCounts::sums; nothing: there was no room.
std::optional<std::size_t> place_of(const Sum&);
/// Copies the counters to the file, where they survive the process; the mutex must be held.
void publish();

/// Launches of one kernel that do the same work, as far as known. Those after a late case are a
/// kind of their own.
struct Kind {
    Sum& sum = live_sum();
    std::vector<const Sum*> others;  ///< of kinds that count with it
    std::string key;                 ///< identifies the work
    std::string form;                ///< of this, all but values
    std::string name;                ///< of the case that was kept; empty: none was
    std::string why_not;             ///< it was not
    bool is_late = false;            ///< the case is not from the first launches of the kernel
    unsigned tries = 0;
    std::vector<std::uint64_t> global, local;
    std::vector<std::string> before, files;  ///< contents of the case: its inputs; all
};

/// One kernel of one source with its options, over all its launches.
struct Tally {
    std::string kernel, options, program;  ///< the last is the source's hash
    Sum& sum = live_sum();
    std::uint64_t first = 0;  ///< number of its first launch in the program
    std::map<std::string, std::shared_ptr<Kind>> kinds;  ///< the latest of each key
    std::vector<std::shared_ptr<Kind>> cases;            ///< kinds with a case, in order
    std::map<std::string, std::uint64_t> left_out;       ///< number of launches by reason
    std::uint64_t next_late = 0;  ///< launch of the kernel at which a late case is kept
};

// Selection of launches; the mutex must be held.
/// The kernel of a program with these options.
std::shared_ptr<Tally> tally_of(const std::string& kernel, const std::string& program,
                                const std::string& options = {});
// The kind of a launch; nothing: there are too many.
std::shared_ptr<Kind> choose_kind(Tally&, const std::string& key);
/// A kind for a launch that is kept for its time in the program's run; nothing: it is not.
/// @param bytes  of its contents
std::shared_ptr<Kind> late_kind(const Tally&, const std::string& key, std::uint64_t bytes);
/// Why a launch of a kind without a case is not kept; empty: it is.
std::string why_not_kept(Tally&, const Kind&, std::uint64_t bytes);
/// Whether another case starts with the same contents.
bool is_kept_already(const Tally&, const Kind&, const std::vector<std::string>& before);
/// Adds a kind with a new case; another one may have to be dropped.
void keep_case(Tally&, const std::shared_ptr<Kind>&);
/// The case of a late kind could not be kept, or is not needed.
void give_up_late(Tally&, const Kind&);

/// A source as it was built.
struct Text {
    std::string source, options;  ///< with its includes; options as given
    std::string why_not;          ///< reason if it cannot be captured; empty: it can
    std::string hash;
    bool is_whole = true;  ///< all includes are resolved
};

struct ProgramObject {
    std::shared_ptr<const Text> text;
    std::string source;
    bool is_binary = false;  ///< made of a binary of a source with these options
};

struct KernelArgument {
    bool is_set = false, is_local = false, is_shared = false;
    std::string why_not;
    std::uint64_t local_bytes = 0;
    std::vector<std::byte> value;
};

struct KernelObject {
    std::string name;
    std::shared_ptr<const Text> text;
    std::shared_ptr<Tally> tally;
    std::vector<KernelArgument> arguments;
    std::string why_not;
};

/// An image as described in a manifest.
struct ImageForm {
    std::vector<std::pair<const char*, std::uint64_t>> extents;  ///< `width`, ..., `channels`
    std::string format;                                          ///< `uchar normalized`
    std::array<size_t, 3> region{};                              ///< the whole image
};

/// A sampler as described in a manifest.
struct SamplerForm {
    std::string normalized, address, filter;
};

struct MemoryObject {
    std::uint64_t bytes = 0;
    cl_mem parent = nullptr;  ///< of a sub-buffer, or the buffer with an image's texels
    std::uint64_t origin = 0;
    std::string why_not;             ///< reason if it cannot be captured
    std::optional<ImageForm> image;  ///< it is one
    LastContent last = {};           ///< of a whole buffer
};

MemoryObject image_object(cl_mem, const cl_image_format&, cl_mem of_buffer);
SamplerForm sampler_form(cl_sampler);
/// Like Store::keep(), for a whole image.
std::string keep_image(cl_command_queue, cl_mem, const ImageForm&, std::uint64_t bytes);

struct QueueObject {
    cl_context context = nullptr;
    cl_device_id device = nullptr;
    bool profiling_added = false;            ///< by the layer; hidden from the program
    std::vector<cl_queue_properties> asked;  ///< the program's own properties
};

/// A command whose time is not known yet.
struct Pending {
    cl_event event = nullptr;
    Sum* sum = nullptr;
    std::shared_ptr<Tally> tally;  ///< keeps `sum` alive, and gets the time as well
    cl_device_id device = nullptr;
    double snapshot_seconds = 0;  ///< of State, when it was enqueued
};

/// The time in which at least one command ran: concurrent ones count once.
class BusyTime {
public:
    /// In nanoseconds of a device's timer.
    void add(std::uint64_t start, std::uint64_t end);
    double seconds() const;

private:
    std::map<std::uint64_t, std::uint64_t> spans_;  ///< disjoint
    std::uint64_t closed_to_ = 0, closed_ = 0;      ///< no further spans begin before this
};

/// The work of a device, and the end of its last command.
struct DeviceTime {
    BusyTime commands, kernels;
    std::uint64_t last_end = 0;  ///< nanoseconds of its timer; 0: none
    double snapshot_seconds = 0;
};

/// The layer's global state. It is never destroyed: a program may call OpenCL until its end.
struct State {
    cl_icd_dispatch next{};  ///< the next layer's functions
    cl_icd_dispatch own{};   ///< the layer's functions
    Settings settings;
    std::unique_ptr<Store> store;
    std::string file;  ///< in the folder: capture.json, or another name for a further process
    LiveCounts* live = nullptr;            ///< in a mapped file next to it
    double started = 0;                    ///< seconds since the epoch
    std::atomic<bool> on = false;          ///< whether anything is captured
    std::function<void()> at_end = [] {};  ///< collects the last times
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

    std::mutex mutex;  ///< of the following members; never held during waits of the API
    std::unordered_map<cl_program, ProgramObject> programs;
    std::map<std::string, ProgramObject> binaries;  ///< that the program requested, by their hash
    std::unordered_map<cl_kernel, KernelObject> kernels;
    std::unordered_map<cl_mem, MemoryObject> memories;
    std::map<std::byte*, std::uint64_t> shared;  ///< clSVMAlloc memory with its size
    std::unordered_map<cl_command_queue, QueueObject> queues;
    std::unordered_map<cl_sampler, SamplerForm> samplers;
    std::set<cl_event> user_events;  ///< not yet set by the program
    double event_seconds = 0;        ///< spent in failed waits that may depend on these
    std::map<std::string, std::shared_ptr<Tally>> tallies;
    std::map<std::string, std::uint64_t> left_out;  ///< other objects than launches, by reason
    std::deque<Pending> pending;
    std::map<const void*, DeviceTime> device_times;  ///< by an API's handle
    std::map<std::string, std::string> devices;      ///< names with their drivers
    Sum builds, to_device, from_device, on_device, mapped;
    double gap_seconds = 0, snapshot_seconds = 0;
    /// Bytes of the smallest launch for which --max-bytes left no room.
    std::uint64_t refused_bytes = none_refused;
    static constexpr std::uint64_t none_refused = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t launches = 0;
    std::set<std::string> problems;
    std::chrono::steady_clock::time_point written{};
    double writing_seconds = 0;  ///< time for capture.json so far

    std::mutex snapshot;  ///< one at a time
    /// Work-group sizes of probe launches, by device and launch size.
    std::map<std::pair<cl_device_id, std::string>, std::array<std::size_t, 3>> looked;
    /// Macros of a device's compiler, by device and options; nothing: undefined.
    std::map<std::pair<cl_device_id, std::string>,
             std::map<std::string, std::optional<std::string>>>
        macros;
    std::atomic<std::uint64_t> commands = 0;  ///< enqueued by the program
};

State& state();

/// Starts the capture of this process, once. @returns whether anything is captured
bool begin_capture();

/// Runs the layer's own part of a call. Its errors are hidden from the program.
template <class F>
void quietly(F&& what) noexcept {
    if (!state().on.load(std::memory_order_relaxed)) return;
    try {
        what();
    } catch (const std::exception& error) {
        try {
            const std::scoped_lock lock(state().mutex);
            if (state().problems.size() < 20) state().problems.insert(error.what());
        } catch (...) {
        }
    } catch (...) {
    }
}

inline double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A release of an object, which is forgotten with its last reference.
/// @param ask  the function that says the number of its `references`
template <auto release, auto ask, cl_uint references, auto objects, class Handle>
cl_int CL_API_CALL release_known(Handle object) {
    quietly([&] {
        cl_uint count = 0;
        (state().next.*ask)(object, references, sizeof(count), &count, nullptr);
        const std::scoped_lock lock(state().mutex);
        if (count == 1) (state().*objects).erase(object);
    });
    return (state().next.*release)(object);
}

/// Adds the time of a command that ended. The mutex must be held.
/// @param start, end        in nanoseconds of the device's timer
/// @param snapshot_seconds  of State, when it was enqueued
void add_time(const void* device, std::uint64_t start, std::uint64_t end, Sum&, Tally*,
              double snapshot_seconds);
/// Remembers a command to query its time later; the layer will release its event.
/// The mutex must be held.
void remember(cl_command_queue, cl_event, Sum&, const std::shared_ptr<Tally>&);
/// Queries the times of ended commands, oldest first. The mutex must be held.
void harvest();
/// When capture.json is written: now and then, after important changes, or for the last time.
enum class When { rarely, soon, at_end };
void write_capture(When);

/// Joins build options.
std::string joined(const std::vector<std::string>& words);

/// Replaces the API's functions by the layer's.
void hook_programs(cl_icd_dispatch&);
void hook_memory(cl_icd_dispatch&);
void hook_queues(cl_icd_dispatch&);
void hook_launches(cl_icd_dispatch&);

}  // namespace parallax::capture
