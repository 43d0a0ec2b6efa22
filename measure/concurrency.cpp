// Runs the tasks of each physical device in a thread.
#include "measure/concurrency.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <iterator>
#include <map>
#include <set>
#include <system_error>
#include <thread>
#include <vector>

#include "common/process/watchdog.hpp"
#include "common/profile.hpp"

namespace parallax {
namespace {

using DeviceLane = std::vector<const DeviceTask*>;

/// The tasks of this kind by physical device.
std::map<unsigned, DeviceLane> device_lanes(std::span<const DeviceTask> jobs, Concurrency kind) {
    std::map<unsigned, DeviceLane> lanes;
    for (const DeviceTask& job : jobs) {
        if (job.beside == kind) lanes[job.physical].push_back(&job);
    }
    return lanes;
}

void do_lanes(const std::map<unsigned, DeviceLane>& lanes) {
    if (lanes.empty()) return;
    std::atomic<bool> stopped{false};
    std::exception_ptr thrown;  // written by the first thread that fails
    const auto work = [&](const DeviceLane& lane) {
        try {
            for (const DeviceTask* job : lane) {
                if (stopped) return;
                job->work();
            }
        } catch (...) {
            if (!stopped.exchange(true)) thrown = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> threads;
        std::vector<const DeviceLane*> own{&lanes.begin()->second};
        for (auto lane = std::next(lanes.begin()); lane != lanes.end(); ++lane) {
            try {
                threads.emplace_back([&work, lane, profile = current_profile()] {
                    const Profiled profiled(profile, true);
                    work(lane->second);
                });
            } catch (const std::system_error&) {
                own.push_back(&lane->second);  // the system allows no more threads
            }
        }
        for (const DeviceLane* lane : own) work(*lane);
        const InPhase phase(Phase::waiting);
        threads.clear();
    }
    if (thrown) std::rethrow_exception(thrown);
}

}  // namespace

void run_concurrently(std::span<const DeviceTask> jobs) {
    std::set<unsigned> together;
    for (const DeviceTask& job : jobs) {
        if (job.beside != Concurrency::nothing) together.insert(job.physical);
    }
    const bool in_order = together.size() < 2 || supervision().one_at_a_time;
    for (const DeviceTask& job : jobs) {
        if (in_order || job.beside == Concurrency::nothing) job.work();
    }
    if (in_order) return;
    for (const Concurrency kind : {Concurrency::its_like, Concurrency::all})
        do_lanes(device_lanes(jobs, kind));
}

std::size_t tasks_in_a_row(std::span<const DeviceTask> jobs) {
    std::size_t longest = 0;
    for (const auto& [physical, lane] : device_lanes(jobs, Concurrency::all)) {
        longest = std::max(longest, lane.size());
    }
    return longest +
           static_cast<std::size_t>(std::ranges::count_if(
               jobs, [](const DeviceTask& job) { return job.beside != Concurrency::all; }));
}

}  // namespace parallax
