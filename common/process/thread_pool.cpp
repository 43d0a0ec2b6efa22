// Runs jobs on threads, and pauses them during measurements.
#include "common/process/thread_pool.hpp"

#include <algorithm>
#include <system_error>

namespace parallax {
namespace {

std::size_t place_of(ThreadPool::TaskKind kind) {
    return kind == ThreadPool::TaskKind::host ? 0 : 1;
}

}  // namespace

ThreadPool::ThreadPool(unsigned workers) {
    try {
        for (unsigned i = 0; i < workers; ++i) {
            threads_.emplace_back([this, profile = current_profile()] { work(profile); });
        }
    } catch (const std::system_error&) {
        // The system allows no more threads: continue with those that exist.
    }
}

ThreadPool::~ThreadPool() {
    {
        const std::scoped_lock lock(mutex_);
        ended_ = true;
        jobs_.clear();
    }
    changed_.notify_all();
}

void ThreadPool::tell_rests(std::function<void(bool)> tell) {
    const std::scoped_lock lock(mutex_);
    tell_ = std::move(tell);
}

// The mutex is held.
void ThreadPool::rest(TaskKind kind, bool begins) {
    unsigned& count = resting_[place_of(kind)];
    count = begins ? count + 1 : count - 1;
    if (tell_ && kind == TaskKind::host && count == (begins ? 1U : 0U)) tell_(begins);
}

void ThreadPool::add(std::function<void()> job, TaskKind kind, bool first) {
    if (threads_.empty()) return;
    {
        const std::scoped_lock lock(mutex_);
        jobs_.insert(first ? jobs_.begin() : jobs_.end(), {std::move(job), kind});
    }
    changed_.notify_all();
}

// A pause of host jobs pauses device jobs as well.
bool ThreadPool::may_begin(const Job& job) const {
    return resting_[place_of(TaskKind::host)] == 0 &&
           (job.kind == TaskKind::host || resting_[place_of(TaskKind::device)] == 0);
}

void ThreadPool::work(Profile* profile) {
    const Profiled profiled(profile, true);
    std::unique_lock lock(mutex_);
    while (true) {
        auto next = jobs_.end();
        changed_.wait(lock, [&] {
            next = std::ranges::find_if(jobs_, [&](const Job& job) { return may_begin(job); });
            return ended_ || next != jobs_.end();
        });
        if (ended_) return;
        const Job job = std::move(*next);
        jobs_.erase(next);
        ++busy_[place_of(job.kind)];
        lock.unlock();
        job.does();
        lock.lock();
        --busy_[place_of(job.kind)];
        changed_.notify_all();
    }
}

ThreadPool::Pause::Pause(ThreadPool* pool, TaskKind kind) : pool_(pool), kind_(kind) {
    if (!pool_) return;
    const InPhase phase(Phase::waiting);
    std::unique_lock lock(pool_->mutex_);
    pool_->rest(kind, true);
    pool_->changed_.wait(lock, [&] {
        return pool_->busy_[place_of(TaskKind::device)] == 0 &&
               (kind == TaskKind::device || pool_->busy_[place_of(TaskKind::host)] == 0);
    });
}

ThreadPool::Pause::~Pause() {
    if (!pool_) return;
    {
        const std::scoped_lock lock(pool_->mutex_);
        pool_->rest(kind_, false);
    }
    pool_->changed_.notify_all();
}

}  // namespace parallax
