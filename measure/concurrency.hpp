// Runs tasks on several physical devices concurrently.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <span>

namespace parallax {

/// Which tasks may run concurrently with a task, on other physical devices.
enum class Concurrency {
    nothing,
    its_like,  ///< others of its kind: each excludes the others during its critical part
    all        ///< all of this kind
};

/// A task for a device.
struct DeviceTask {
    unsigned physical = 0;  ///< Entry::physical
    Concurrency beside = Concurrency::nothing;
    std::function<void()> work;
};

/// Lets tasks of one kind run concurrently except for a critical part of each: while one task is in
/// that part, the others wait.
class ExclusiveSection {
public:
    /// A task begins, and waits while another is in its critical part. It ends with the object.
    explicit ExclusiveSection(std::shared_mutex& of_all)
        : at_work_(of_all), quiet_(of_all, std::defer_lock) {}
    /// Begins or ends the critical part.
    void operator()(bool begins) {
        if (begins) {
            at_work_.unlock();
            quiet_.lock();
        } else {
            quiet_.unlock();
            at_work_.lock();
        }
    }

private:
    std::shared_lock<std::shared_mutex> at_work_;
    std::unique_lock<std::shared_mutex> quiet_;
};

/// Runs all tasks, kind after kind; tasks of one device one after the other, tasks of different
/// devices in one thread each where they may be concurrent. With one device the calling thread runs
/// all in order.
/// @throws the first exception of a task; running tasks are finished, no further one is started
void run_concurrently(std::span<const DeviceTask>);

/// The length of the longest sequence of tasks, as a number of tasks.
std::size_t tasks_in_a_row(std::span<const DeviceTask>);

}  // namespace parallax
