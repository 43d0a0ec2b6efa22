// Hands jobs to threads, and keeps them from working while somebody wants quiet.
#include "common/crew.hpp"

#include <system_error>

namespace parallax {

Crew::Crew(unsigned workers) {
    try {
        for (unsigned i = 0; i < workers; ++i) {
            threads_.emplace_back([this, profile = current_profile()] { work(profile); });
        }
    } catch (const std::system_error&) {
        // The system gives no more threads: those that are there will do.
    }
}

Crew::~Crew() {
    {
        const std::scoped_lock lock(mutex_);
        ended_ = true;
        jobs_.clear();
    }
    changed_.notify_all();
}

void Crew::add(std::function<void()> job, bool first) {
    if (threads_.empty()) return;
    {
        const std::scoped_lock lock(mutex_);
        jobs_.insert(first ? jobs_.begin() : jobs_.end(), std::move(job));
    }
    changed_.notify_all();
}

void Crew::work(Profile* profile) {
    const Profiled profiled(profile, true);
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return ended_ || (!jobs_.empty() && resting_ == 0); });
        if (ended_) return;
        const std::function<void()> job = std::move(jobs_.front());
        jobs_.pop_front();
        ++busy_;
        lock.unlock();
        job();
        lock.lock();
        --busy_;
        changed_.notify_all();
    }
}

Crew::Rest::Rest(Crew* crew) : crew_(crew) {
    if (!crew_) return;
    const InPhase phase(Phase::waiting);
    std::unique_lock lock(crew_->mutex_);
    ++crew_->resting_;
    crew_->changed_.wait(lock, [&] { return crew_->busy_ == 0; });
}

Crew::Rest::~Rest() {
    if (!crew_) return;
    {
        const std::scoped_lock lock(crew_->mutex_);
        --crew_->resting_;
    }
    crew_->changed_.notify_all();
}

}  // namespace parallax
