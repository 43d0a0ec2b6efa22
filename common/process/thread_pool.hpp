// A thread pool for builds and references, which is paused while something is timed.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "common/error.hpp"
#include "common/profile.hpp"

namespace parallax {

/// A number of threads and the jobs that they do, in the order in which they were added.
class ThreadPool {
public:
    /// What a job keeps busy: the host's processors and memory alone, or devices and drivers too.
    enum class TaskKind { host, device };

    /// @param workers  threads; 0: no job is ever begun, and whoever needs its result does it. What
    /// they do is added, as beside, to the profile of the calling thread
    explicit ThreadPool(unsigned workers);
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    /// Drops what has not begun, and waits for the rest.
    ~ThreadPool();

    /// Adds a job, which throws nothing.
    /// @param first  it is begun before those that wait
    void add(std::function<void()> job, TaskKind kind = TaskKind::device, bool first = false);

    /// While it lives the pool is paused. The constructor waits for jobs that have begun.
    class Pause {
    public:
        /// @param pool  null: there is nobody to rest
        /// @param kind  the least that is not to be kept busy: with `device` the pool goes on with
        /// jobs for the host alone
        explicit Pause(ThreadPool* pool, TaskKind kind = TaskKind::host);
        Pause(const Pause&) = delete;
        Pause& operator=(const Pause&) = delete;
        ~Pause();

    private:
        ThreadPool* pool_;
        TaskKind kind_;
    };

private:
    struct Job {
        std::function<void()> does;
        TaskKind kind;
    };
    using Count = std::array<unsigned, 2>;  ///< by load
    void work(Profile*);
    bool may_begin(const Job&) const;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> jobs_;
    Count busy_{}, resting_{};
    bool ended_ = false;
    std::vector<std::jthread> threads_;
};

/// Something that was dropped before anybody made it, and is asked for all the same.
class Dropped : public Error {
public:
    Dropped() : Error("It was given up before it was made: the device was closed meanwhile.") {}
};

/// Something that is made once, by whoever comes first.
template <class T>
class OnceFuture {
public:
    explicit OnceFuture(std::function<T()> make) : make_(std::move(make)) {}

    /// Makes it, unless somebody has begun to.
    void make() {
        if (begun_.exchange(true)) return;
        try {
            promise_.set_value(make_());
        } catch (...) {
            promise_.set_exception(std::current_exception());
        }
    }
    /// It, made here or by another thread. @throws what making it threw, and Dropped
    T get() {
        make();
        if (is_made()) return made_.get();
        const InPhase phase(Phase::waiting);
        return made_.get();
    }
    /// It is not made if nobody has begun, and waited for otherwise.
    void drop() {
        if (begun_.exchange(true)) return made_.wait();
        promise_.set_exception(std::make_exception_ptr(Dropped()));
    }
    bool is_made() const {
        return made_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    }

private:
    std::function<T()> make_;
    std::promise<T> promise_;
    std::shared_future<T> made_ = promise_.get_future().share();
    std::atomic<bool> begun_{false};
};

}  // namespace parallax
