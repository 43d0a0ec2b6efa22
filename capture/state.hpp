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

namespace parallax::capture {

/// A count of commands and the time that the device spent on them. Of some the time is not known.
struct Sum {
    std::uint64_t count = 0, timed = 0, bytes = 0;
    double seconds = 0;
};

/// Launches of one kernel that do the same work, as far as it can be told.
struct Kind {
    Sum sum;
    std::string name;     ///< of the case that was kept; empty: none was
    std::string why_not;  ///< it was not
    unsigned tries = 0;
    std::vector<std::uint64_t> global, local;
};

/// One kernel of one text with its options, over all its launches.
struct Tally {
    std::string kernel, options, program;  ///< the last is the text's hash
    Sum sum;
    std::map<std::string, Kind> kinds;              ///< by what decides their work
    std::map<std::string, std::uint64_t> left_out;  ///< launches, by the reason
    std::uint64_t kept = 0;
};

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
};

struct KernelArgument {
    bool is_set = false, is_local = false;
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
    /// Of a whole buffer that kernels only read: the content that was kept of it last, and
    /// State::moved of then.
    std::string kept;
    std::uint64_t kept_at = 0;
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

/// The end of what a device did last.
struct LastEnd {
    std::uint64_t at = 0;  ///< nanoseconds of its clock; 0: it has done nothing
    double snapshot_seconds = 0;
};

/// Everything. It is never destroyed: a program may call OpenCL until its very end.
struct State {
    cl_icd_dispatch next{};  ///< what calls are handed on to
    cl_icd_dispatch own{};   ///< what the loader calls
    Settings settings;
    std::unique_ptr<Store> store;
    std::string file;              ///< in the folder: capture.json, of a second process another
    double started = 0;            ///< seconds since the epoch
    std::atomic<bool> on = false;  ///< something is captured
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

    std::mutex mutex;  ///< of all that follows; never held while the API is waited for
    std::unordered_map<cl_program, ProgramObject> programs;
    std::unordered_map<cl_kernel, KernelObject> kernels;
    std::unordered_map<cl_mem, MemoryObject> memories;
    std::unordered_map<cl_command_queue, QueueObject> queues;
    std::unordered_map<cl_sampler, SamplerForm> samplers;
    std::set<cl_event> user_events;  ///< that the program has not set yet
    std::map<std::string, std::shared_ptr<Tally>> tallies;
    std::map<std::string, std::uint64_t> left_out;  ///< other things than launches, by the reason
    std::deque<Pending> pending;
    std::map<cl_device_id, LastEnd> last_end;
    std::map<std::string, std::string> devices;  ///< names, and their drivers
    Sum builds, to_device, from_device, on_device, mapped;
    double gap_seconds = 0, busy_seconds = 0, snapshot_seconds = 0;
    std::uint64_t launches = 0, failed_launches = 0;
    std::set<std::string> problems;
    std::chrono::steady_clock::time_point written{};

    std::mutex snapshot;  ///< one at a time
    /// Sizes of groups that were found by looking, by the device and the launch's sizes.
    std::map<std::pair<cl_device_id, std::string>, std::array<std::size_t, 3>> looked;
    std::atomic<std::uint64_t> commands = 0;  ///< that the program has enqueued
    std::atomic<std::uint64_t> moved = 0;  ///< those of them that change memory and launch nothing
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
/// Writes capture.json. @param at_end the program is ending; @param rarely at most once a second
void write_capture(bool at_end, bool rarely);

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
    const std::string& key() const { return key_; }  ///< what decides the work
    /// Waits until the launch could begin, and the device does nothing for it.
    void wait();
    /// Reads the buffers. The mutex is not held.
    void before();
    /// Reads them again after the launch's end; writes the case, and gives its name.
    std::string after(cl_event);
    const std::vector<std::uint64_t>& global() const { return global_; }
    const std::vector<std::uint64_t>& local() const { return local_; }

private:
    struct Buffer {
        cl_mem memory = nullptr;
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
    std::string key_, why_not_, local_from_;
};

/// Puts the layer's functions in the places of those of the API.
void hook_programs(cl_icd_dispatch&);
void hook_memory(cl_icd_dispatch&);
void hook_queues(cl_icd_dispatch&);
void hook_launches(cl_icd_dispatch&);

}  // namespace parallax::capture
