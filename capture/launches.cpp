// Counts and times launches, and keeps the first of each kind with its contents.
#include <algorithm>

#include <fmt/format.h>

#include "capture/state.hpp"

namespace parallax::capture {
namespace {

/// Attempts to keep a kind while other threads interfere.
constexpr unsigned most_tries = 8;

bool is_wanted(const std::string& kernel, std::uint64_t number) {
    const Settings& settings = state().settings;
    return (settings.kernels.empty() ||
            std::ranges::find(settings.kernels, kernel) != settings.kernels.end()) &&
           (settings.launch == 0 || settings.launch == number) &&
           (settings.first == 0 || number <= settings.first);
}

/// Information about a launch before it is passed on.
struct Noted {
    std::shared_ptr<Tally> tally;
    std::shared_ptr<Kind> kind;  ///< a part of the tally; if it is late, only once it has a case
    bool is_first = false;       ///< of the kernel
    std::optional<Snapshot> snapshot;
};

void leave_out(Noted& noted, const std::string& reason) {
    ++noted.tally->left_out[reason];
    if (noted.kind) noted.kind->why_not = reason;
    noted.snapshot.reset();
}

/// Gives up keeping a launch. @param stays  the reason is permanent
void let_go(Noted& noted, const std::string& reason, bool stays) {
    if (noted.kind->is_late) {
        give_up_late(*noted.tally, *noted.kind);
        noted.snapshot.reset();
        return;
    }
    leave_out(noted, reason);
    if (stays) noted.kind->tries = most_tries;
}

/// The mutex must be held.
Noted note(const LaunchCall& call) {
    State& s = state();
    Noted noted;
    const std::uint64_t number = ++s.launches;
    const auto kernel = s.kernels.find(call.kernel);
    const auto queue = s.queues.find(call.queue);
    if (kernel == s.kernels.end()) {
        ++s.left_out["launches of a kernel that the layer did not see made"];
        return noted;
    }
    noted.tally = kernel->second.tally;
    if (s.settings.timeline) return noted;
    if (queue == s.queues.end()) {
        leave_out(noted, "a queue that the layer did not see made");
        return noted;
    }
    noted.snapshot.emplace(call, kernel->second, queue->second);
    const std::string key = noted.snapshot->key();
    noted.kind = choose_kind(*noted.tally, key);
    if (noted.kind) {
        noted.kind->global = noted.snapshot->global();
        noted.kind->form = noted.snapshot->form();
    }
    if (const std::string why_not = noted.snapshot->why_not(); !why_not.empty()) {
        leave_out(noted, why_not);
        return noted;
    }
    if (!is_wanted(noted.tally->kernel, number)) {
        leave_out(noted, "not asked for (--kernel, --launch, --first)");
        return noted;
    }
    const std::uint64_t bytes = noted.snapshot->bytes();
    if (std::shared_ptr<Kind> late = late_kind(*noted.tally, key, bytes)) {
        late->global = noted.snapshot->global();
        late->form = noted.snapshot->form();
        noted.kind = std::move(late);
        return noted;
    }
    if (!noted.kind) {
        leave_out(noted, "more than 64 kinds of launches of one kernel");
        return noted;
    }
    Kind& kind = *noted.kind;
    if (!kind.name.empty()) {
        noted.snapshot.reset();
    } else if (const std::string why_not = why_not_kept(*noted.tally, kind, bytes);
               !why_not.empty()) {
        leave_out(noted, why_not);
    } else if (kind.tries >= most_tries) {
        leave_out(noted, std::string(kind.why_not));
    } else {
        ++kind.tries;
    }
    return noted;
}

/// Adds up the time of keeping contents, without waits: these are the program's own time.
class SnapshotTime {
public:
    SnapshotTime() = default;
    SnapshotTime(const SnapshotTime&) = delete;
    SnapshotTime& operator=(const SnapshotTime&) = delete;
    ~SnapshotTime() {
        const std::scoped_lock lock(state().mutex);
        state().snapshot_seconds += seconds_since(start_);
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The launch itself, with an event that the layer retains.
template <class Call>
cl_int hand_on(Noted& noted, cl_command_queue queue, cl_event* event, cl_event& held, Call&& call) {
    cl_event own = nullptr;
    cl_event* const used = event ? event : &own;
    const cl_int code = call(used);
    if (code != CL_SUCCESS) {
        quietly([&] {
            const std::scoped_lock lock(state().mutex);
            --state().launches;
        });
        return code;
    }
    held = *used;
    quietly([&] {
        if (event) state().next.clRetainEvent(*event);
        const std::scoped_lock lock(state().mutex);
        Sum* sum = noted.kind ? &noted.kind->sum : nullptr;
        if (noted.tally) {
            noted.is_first = ++noted.tally->sum.count == 1;
            if (sum) ++sum->count;
        }
        if (noted.snapshot) state().next.clRetainEvent(held);  // until it has been queried
        static Sum nobody;
        remember(queue, held, sum ? *sum : noted.tally ? noted.tally->sum : nobody, noted.tally);
    });
    return code;
}

/// Notes the launch, and takes what it begins with where it is to be kept.
/// @param alone  holds other snapshots back until the launch has been taken
void take_before(const LaunchCall& asked, Noted& noted, std::unique_lock<std::mutex>& alone) {
    {
        const std::scoped_lock lock(state().mutex);
        noted = note(asked);
    }
    if (!noted.snapshot) return;
    alone = std::unique_lock(state().snapshot);
    try {
        if (!noted.snapshot->wait()) {
            const std::scoped_lock lock(state().mutex);
            let_go(noted, "an event of the program's own was still to be set", false);
            return;
        }
        {
            const SnapshotTime time;
            noted.snapshot->before();
        }
        const std::scoped_lock lock(state().mutex);
        noted.kind->before = noted.snapshot->files(false);
        if (noted.kind->is_late && is_kept_already(*noted.tally, *noted.kind, noted.kind->before)) {
            let_go(noted, {}, true);
        }
    } catch (const std::exception& error) {
        const std::scoped_lock lock(state().mutex);
        let_go(noted, error.what(), true);
    }
}

/// Takes what the launch left.
/// @param commands  of the program when it was noted
void take_after(Noted& noted, cl_event held, std::uint64_t commands) {
    std::string name, why_not;
    try {
        state().next.clWaitForEvents(1, &held);
        const SnapshotTime time;
        name = noted.snapshot->after(held);
    } catch (const std::exception& error) {
        why_not = error.what();
    }
    state().next.clReleaseEvent(held);
    const bool disturbed = state().commands != commands;
    if (disturbed && !name.empty()) {
        std::error_code error;
        std::filesystem::remove(state().store->folder() / (name + ".json"), error);
    }
    const std::scoped_lock lock(state().mutex);
    if (!why_not.empty()) {
        let_go(noted, why_not, true);
    } else if (!disturbed) {
        noted.kind->name = name;
        noted.kind->local = noted.snapshot->local();
        noted.kind->why_not.clear();
        noted.kind->files = noted.snapshot->files(true);
        keep_case(*noted.tally, noted.kind);
        harvest();  // a program may end without waiting for it
    } else {
        let_go(noted, "other threads enqueued commands at the same time", false);
    }
}

template <class Call>
cl_int launch(const LaunchCall& asked, cl_event* event, Call&& call) {
    Noted noted;
    std::unique_lock<std::mutex> alone;
    std::uint64_t commands = 0;
    quietly([&] {
        commands = ++state().commands;
        take_before(asked, noted, alone);
    });
    cl_event held = nullptr;
    const cl_int code = hand_on(noted, asked.queue, event, held, call);
    const bool kept = noted.snapshot.has_value();
    quietly([&] {
        if (!noted.snapshot) return;
        if (code == CL_SUCCESS) return take_after(noted, held, commands);
        const std::scoped_lock lock(state().mutex);
        let_go(noted, "launches that failed", false);
    });
    if (kept || noted.is_first) quietly([] { write_capture(When::soon); });
    return code;
}

cl_int CL_API_CALL launch_range(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                const size_t* offset, const size_t* global, const size_t* local,
                                cl_uint waits, const cl_event* list, cl_event* event) {
    return launch({queue, kernel, dimensions, offset, global, local, waits, list}, event,
                  [&](cl_event* one) {
                      return state().next.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset,
                                                                 global, local, waits, list, one);
                  });
}

cl_int CL_API_CALL launch_task(cl_command_queue queue, cl_kernel kernel, cl_uint waits,
                               const cl_event* list, cl_event* event) {
    const size_t one_item = 1;
    return launch(
        {queue, kernel, 1, nullptr, &one_item, &one_item, waits, list}, event,
        [&](cl_event* one) { return state().next.clEnqueueTask(queue, kernel, waits, list, one); });
}

}  // namespace

void hook_launches(cl_icd_dispatch& own) {
    own.clEnqueueNDRangeKernel = launch_range;
    own.clEnqueueTask = launch_task;
}

}  // namespace parallax::capture
