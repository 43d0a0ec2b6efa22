// Counts and times OpenCL's launches, and has the first of each kind kept.
#include "capture/keep.hpp"
#include "capture/snapshot.hpp"

namespace parallax::capture {
namespace {

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
    noted.contents = std::make_unique<Snapshot>(call, kernel->second, queue->second);
    choose(noted, number);
    return noted;
}

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
        Sum& sum = count(noted);
        if (noted.contents) {
            state().next.clRetainEvent(held);  // until it has been queried
            static_cast<Snapshot&>(*noted.contents).launched(held);
        }
        remember(queue, held, sum, noted.tally);
    });
    return code;
}

template <class Call>
cl_int launch(const LaunchCall& asked, cl_event* event, Call&& call) {
    Noted noted;
    std::unique_lock<std::mutex> alone;
    std::uint64_t commands = 0;
    quietly([&] {
        commands = ++state().commands;
        {
            const std::scoped_lock lock(state().mutex);
            noted = note(asked);
        }
        take_before(noted, alone);
    });
    cl_event held = nullptr;
    const cl_int code = hand_on(noted, asked.queue, event, held, call);
    const bool kept = noted.contents != nullptr;
    quietly([&] {
        if (!noted.contents) return;
        if (code == CL_SUCCESS) return take_after(noted, commands);
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
