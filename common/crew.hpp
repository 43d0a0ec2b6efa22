// Threads that work ahead on other cores, and rest while something is timed.
#pragma once

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

#include "common/profile.hpp"

namespace parallax {

/// A number of threads and the jobs that they do, in the order in which they were added.
class Crew {
public:
    /// @param workers  threads; 0: no job is ever begun, and whoever needs its result does it. What
    /// they do is added, as beside, to the profile of the calling thread
    explicit Crew(unsigned workers);
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;
    /// Drops what has not begun, and waits for the rest.
    ~Crew();

    /// Adds a job, which throws nothing.
    /// @param first  it is begun before those that wait
    void add(std::function<void()> job, bool first = false);

    /// While it lives the crew rests. The constructor waits for jobs that have begun.
    class Rest {
    public:
        /// @param crew  null: there is nobody to rest
        explicit Rest(Crew* crew);
        Rest(const Rest&) = delete;
        Rest& operator=(const Rest&) = delete;
        ~Rest();

    private:
        Crew* crew_;
    };

private:
    void work(Profile*);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> jobs_;
    unsigned busy_ = 0, resting_ = 0;
    bool ended_ = false;
    std::vector<std::jthread> threads_;
};

/// Something that is made once, by whoever comes first.
template <class T>
class Ahead {
public:
    explicit Ahead(std::function<T()> make) : task_(std::move(make)), made_(task_.get_future()) {}

    /// Makes it, unless somebody has begun to.
    void make() {
        if (!begun_.exchange(true)) task_();
    }
    /// It, made here or by another thread. @throws what making it threw
    T get() {
        make();
        if (is_made()) return made_.get();
        const InPhase phase(Phase::waiting);
        return made_.get();
    }
    /// Nobody will get it: it is not made if nobody has begun, and waited for otherwise.
    void drop() {
        if (begun_.exchange(true)) made_.wait();
    }
    bool is_made() const {
        return made_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    }

private:
    std::packaged_task<T()> task_;
    std::shared_future<T> made_;
    std::atomic<bool> begun_{false};
};

}  // namespace parallax
