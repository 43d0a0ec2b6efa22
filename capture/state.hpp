// What the layer knows of the program that it stands under: its objects, its launches, its times.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include <CL/cl_layer.h>

#include "capture/settings.hpp"
#include "capture/store.hpp"
#include "common/device/build_options.hpp"
#include "common/process/live_counts.hpp"

namespace parallax::capture {

using Sum = LiveSum;

/// Maps the file that the process' counts live in from now on.
void begin_live(const std::filesystem::path&);
/// One more sum, for good; the mutex is held.
Sum& live_sum();
/// Its place in LiveCounts::sums; nothing: there was no room.
std::optional<std::size_t> place_of(const Sum&);
/// Copies what the program did so far to where it outlives the process; the mutex is held.
void publish();

/// Launches of one kernel that do the same work, as far as it can be told. Those after a case that
/// was kept later on in the program's run are a kind of their own.
struct Kind {
    Sum& sum = live_sum();
    std::vector<const Sum*> others;  ///< of kinds that count with it
    std::string key;                 ///< what decides the work
    std::string form;                ///< of this, all but values
    std::string name;                ///< of the case that was kept; empty: none was
    std::string why_not;             ///< it was not
    bool is_late = false;            ///< the case is not from the first launches of the kernel
    unsigned tries = 0;
    std::vector<std::uint64_t> global, local;
    std::vector<std::string> before, files;  ///< contents of the case: its inputs, all of them
};

/// One kernel of one text with its options, over all its launches.
struct Tally {
    std::string kernel, options, program;  ///< the last is the text's hash
    Sum& sum = live_sum();
    std::map<std::string, std::shared_ptr<Kind>> kinds;  ///< the last of each key
    std::vector<std::shared_ptr<Kind>> cases;            ///< kinds with one, as they were kept
    std::map<std::string, std::uint64_t> left_out;       ///< launches, by the reason
    std::uint64_t next_late = 0;  ///< launch of the kernel at which one is kept again
};

// Which launches are kept; the mutex is held.
/// The kind of a launch; nothing: there are too many.
std::shared_ptr<Kind> choose_kind(Tally&, const std::string& key);
/// A kind for a launch that is to be kept for its place in the program's run; nothing: it is not.
/// @param bytes  of its contents
std::shared_ptr<Kind> late_kind(const Tally&, const std::string& key, std::uint64_t bytes);
/// Why a launch of a kind without a case is not to be kept; empty: it is.
std::string why_not_kept(Tally&, const Kind&, std::uint64_t bytes);
/// Whether a case begins with the same contents.
bool is_kept_already(const Tally&, const Kind&, const std::vector<std::string>& before);
/// Takes in a kind that has a case now; another one may have to go.
void keep_case(Tally&, const std::shared_ptr<Kind>&);
/// The case of a late kind could not be kept, or need not be.
void give_up_late(Tally&, const Kind&);

/// A text as it was built.
struct Text {
    std::string source, options;  ///< with what it includes; options as they were given
    std::string why_not;          ///< it cannot be captured; empty: it can
    std::string hash;
    bool is_whole = true;  ///< nothing is to be included any more
};

struct ProgramObject {
    std::shared_ptr<const Text> text;
    std::string source;
    bool is_binary = false;  ///< made of one: it was compiled before, with the text's options
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

/// An image, as a manifest says it.
struct ImageForm {
    std::vector<std::pair<const char*, std::uint64_t>> extents;  ///< `width`, ..., `channels`
    std::string format;                                          ///< `uchar normalized`
    std::array<size_t, 3> region{};                              ///< all of it
};

/// A sampler, as a manifest says it.
struct SamplerForm {
    std::string normalized, address, filter;
};

struct MemoryObject {
    std::uint64_t bytes = 0;
    cl_mem parent = nullptr;  ///< of a sub-buffer, or the buffer whose texels an image has
    std::uint64_t origin = 0;
    std::string why_not;             ///< it cannot be captured
    std::optional<ImageForm> image;  ///< it is one
    std::string kept;  ///< what was kept last of a whole buffer that kernels only read
};

MemoryObject image_object(cl_mem, const cl_image_format&, cl_mem of_buffer);
SamplerForm sampler_form(cl_sampler);
/// As Store::keep(), all of an image.
std::string keep_image(cl_command_queue, cl_mem, const ImageForm&, std::uint64_t bytes);

struct QueueObject {
    cl_context context = nullptr;
    cl_device_id device = nullptr;
    bool out_of_order = false;
    bool profiling_added = false;            ///< by the layer; the program is not told
    std::vector<cl_queue_properties> asked;  ///< the program's own list of properties
};

/// A command whose time is still to be asked for.
struct Pending {
    cl_event event = nullptr;
    Sum* sum = nullptr;
    std::shared_ptr<Tally> tally;  ///< keeps `sum` alive, and gets the time as well
    cl_device_id device = nullptr;
    double snapshot_seconds = 0;  ///< of State, when it was enqueued
};

/// The time in which something ran at least: what runs at the same time counts once.
class BusyTime {
public:
    /// Nanoseconds of a device's clock.
    void add(std::uint64_t start, std::uint64_t end);
    double seconds() const;

private:
    std::map<std::uint64_t, std::uint64_t> spans_;  ///< apart from each other
    std::uint64_t closed_to_ = 0, closed_ = 0;      ///< before these; no span begins there any more
};

/// What a device did, and the end of what it did last.
struct DeviceTime {
    BusyTime commands, kernels;
    std::uint64_t last_end = 0;  ///< nanoseconds of its clock; 0: it has done nothing
    double snapshot_seconds = 0;
};

/// Everything. It is never destroyed: a program may call OpenCL until its very end.
struct State {
    cl_icd_dispatch next{};  ///< what calls are handed on to
    cl_icd_dispatch own{};   ///< what the loader calls
    Settings settings;
    std::unique_ptr<Store> store;
    std::string file;              ///< in the folder: capture.json, of a second process another
    LiveCounts* live = nullptr;    ///< beside it, mapped
    double started = 0;            ///< seconds since the epoch
    std::atomic<bool> on = false;  ///< something is captured
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

    std::mutex mutex;  ///< of all that follows; never held while the API is waited for
    std::unordered_map<cl_program, ProgramObject> programs;
    std::map<std::string, ProgramObject> binaries;  ///< that the program asked for, by their hash
    std::unordered_map<cl_kernel, KernelObject> kernels;
    std::unordered_map<cl_mem, MemoryObject> memories;
    std::map<std::byte*, std::uint64_t> shared;  ///< memory of clSVMAlloc, and its bytes
    std::unordered_map<cl_command_queue, QueueObject> queues;
    std::unordered_map<cl_sampler, SamplerForm> samplers;
    std::set<cl_event> user_events;  ///< that the program has not set yet
    double event_seconds = 0;        ///< that were waited in vain for what may depend on these
    std::map<std::string, std::shared_ptr<Tally>> tallies;
    std::map<std::string, std::uint64_t> left_out;  ///< other things than launches, by the reason
    std::deque<Pending> pending;
    std::map<cl_device_id, DeviceTime> device_times;
    std::map<std::string, std::string> devices;  ///< names, and their drivers
    Sum builds, to_device, from_device, on_device, mapped;
    double gap_seconds = 0, snapshot_seconds = 0;
    std::uint64_t launches = 0, failed_launches = 0;
    std::set<std::string> problems;
    std::chrono::steady_clock::time_point written{};
    double writing_seconds = 0;  ///< that capture.json took so far

    std::mutex snapshot;  ///< one at a time
    /// Sizes of groups that were found by looking, by the device and the launch's sizes.
    std::map<std::pair<cl_device_id, std::string>, std::array<std::size_t, 3>> looked;
    /// What a device's compiler says of macros, by the device and the options; nothing: undefined.
    std::map<std::pair<cl_device_id, std::string>,
             std::map<std::string, std::optional<std::string>>>
        macros;
    std::atomic<std::uint64_t> commands = 0;  ///< that the program has enqueued
};

State& state();

/// Does the layer's own part of a call. Whatever goes wrong in it, the program does not notice.
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

/// Remembers a command to ask for its time later; its event becomes the layer's to release.
/// The mutex is held.
void remember(cl_command_queue, cl_event, Sum&, const std::shared_ptr<Tally>&);
/// Asks for the times of what has ended, oldest first. The mutex is held.
void harvest();
/// When capture.json is written: now and then, when something new is in it, or for the last time.
enum class When { rarely, soon, at_end };
void write_capture(When);

/// Build options as one text.
std::string joined(const std::vector<std::string>& words);

/// One launch as the program asked for it.
struct LaunchCall {
    cl_command_queue queue;
    cl_kernel kernel;
    cl_uint dimensions;
    const std::size_t *offset, *global, *local;
    cl_uint waits;
    const cl_event* wait_list;
};

/// Keeps the contents of a launch before and after it.
class Snapshot {
public:
    /// What it needs of the launch; the mutex is held. `why_not` says why it cannot be kept.
    Snapshot(const LaunchCall&, const KernelObject&, const QueueObject&);
    const std::string& why_not() const { return why_not_; }
    const std::string& key() const { return key_; }    ///< what decides the work
    const std::string& form() const { return form_; }  ///< of this, all but values
    /// Waits until the launch could begin, and the device does nothing for it.
    /// @returns false when that may wait for an event that the program is still to set
    bool wait();
    /// Reads the buffers. The mutex is not held.
    void before();
    /// Reads them again after the launch's end; writes the case, and gives its name.
    std::string after(cl_event);
    /// The contents that the launch begins with, and all of it.
    std::vector<std::string> files(bool with_after) const;
    std::uint64_t bytes() const;  ///< of what it begins with
    const std::vector<std::uint64_t>& global() const { return global_; }
    const std::vector<std::uint64_t>& local() const { return local_; }

private:
    struct Buffer {
        cl_mem memory = nullptr;
        std::byte* shared = nullptr;  ///< in place of it: where it begins in memory of clSVMAlloc
        std::uint64_t bytes = 0;
        std::string before, after;
        /// The program said that kernels only read it.
        bool is_read_only = false;
        std::optional<std::size_t> same_as;  ///< an argument before
        std::optional<ImageForm> image;
    };
    struct Item {
        const KernelArgument argument;
        std::optional<Buffer> buffer;
        std::optional<SamplerForm> sampler;
    };
    /// The source with its questions to the compiler answered, and the macros that it depends on,
    /// as options.
    struct Decided {
        std::vector<std::string> words;
        std::string source;
    };
    Decided decided_source(const BuildOptions&) const;
    std::string answer_of(const std::string& source, const std::string& options) const;
    bool may_wait_for_program() const;
    void choose_local();
    std::array<std::size_t, 3> look();
    Store::Reader reader_of(const Buffer&);
    std::string read(const Buffer&);
    std::string read_before(const Buffer&);
    std::string read_after(const Buffer&);

    LaunchCall call_;
    KernelObject kernel_;
    QueueObject queue_;
    std::vector<Item> items_;
    std::vector<std::uint64_t> offset_, global_, local_;
    std::string key_, form_, why_not_, local_from_;
};

/// Puts the layer's functions in the places of those of the API.
void hook_programs(cl_icd_dispatch&);
void hook_memory(cl_icd_dispatch&);
void hook_queues(cl_icd_dispatch&);
void hook_launches(cl_icd_dispatch&);

}  // namespace parallax::capture
