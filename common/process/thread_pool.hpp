// A thread pool for builds and reference data, which is paused while something is timed.
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

/// Threads that run jobs in the order in which they were added.
class ThreadPool {
public:
    /// The resources of a job: only the host's processors and memory, or devices and drivers too.
    enum class TaskKind { host, device };

    /// @param workers  number of threads; 0: no job is started, each result is computed when it is
    /// needed. Their time is added to the calling thread's profile as concurrent work
    explicit ThreadPool(unsigned workers);
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    /// Discards waiting jobs and waits for running ones.
    ~ThreadPool();

    /// Adds a job, which must not throw.
    /// @param first  it is started before all waiting jobs
    void add(std::function<void()> job, TaskKind kind = TaskKind::device, bool first = false);

    /// Calls `tell` with true when host jobs have to rest, and with false when they may go on:
    /// for what runs in other processes.
    void tell_rests(std::function<void(bool is_resting)> tell);

    /// Pauses the pool while it lives. The constructor waits for running jobs.
    class Pause {
    public:
        /// @param pool  null: does nothing
        /// @param kind  what must be idle: with `device` the pool continues with host jobs
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
    void rest(TaskKind, bool begins);
    void work(Profile*);
    bool may_begin(const Job&) const;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> jobs_;
    Count busy_{}, resting_{};
    std::function<void(bool)> tell_;
    bool ended_ = false;
    std::vector<std::jthread> threads_;
};

/// Thrown when a dropped value is requested.
class Dropped : public Error {
public:
    Dropped() : Error("It was given up before it was made: the device was closed meanwhile.") {}
};

/// A value that is computed once, by the first thread that needs it.
template <class T>
class OnceFuture {
public:
    explicit OnceFuture(std::function<T()> make) : make_(std::move(make)) {}

    /// Computes the value unless a thread has started to.
    void make() {
        if (begun_.exchange(true)) return;
        try {
            promise_.set_value(make_());
        } catch (...) {
            promise_.set_exception(std::current_exception());
        }
    }
    /// The value, computed here or by another thread. @throws what that threw, or Dropped
    T get() {
        make();
        if (is_made()) return made_.get();
        const InPhase phase(Phase::waiting);
        return made_.get();
    }
    /// Drops the value if its computation has not started; otherwise waits for it.
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
