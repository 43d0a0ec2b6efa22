// Work on several physical devices at the same time.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <span>

namespace parallax {

/// What may go on beside a job, on other physical devices.
enum class Concurrency {
    nothing,
    its_like,  ///< others of its kind: each sees to it that nobody disturbs it where it matters
    all        ///< all of this kind
};

/// Something to do on a device.
struct DeviceTask {
    unsigned physical = 0;  ///< Entry::physical
    Concurrency beside = Concurrency::nothing;
    std::function<void()> work;
};

/// Jobs that others of their kind may go on beside, but for a part of each: while one is in that
/// part the others wait.
class ExclusiveSection {
public:
    /// One job begins, and waits while another is in its part. It ends with the object.
    explicit ExclusiveSection(std::shared_mutex& of_all)
        : at_work_(of_all), quiet_(of_all, std::defer_lock) {}
    /// Its part begins or ends.
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

/// Does all of them, kind after kind; those of each physical device one after the other, and those
/// that others may go on beside in a thread for each of these devices. Where there is one such
/// device, all jobs are done in their order by the calling thread.
/// @throws what a job threw first; none is begun after that, and those that have begun are ended
void run_concurrently(std::span<const DeviceTask>);

/// How many of them follow one another, at least as far as it matters: what they take of time, as a
/// number of jobs.
std::size_t tasks_in_a_row(std::span<const DeviceTask>);

}  // namespace parallax
