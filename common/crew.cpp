// Hands jobs to threads, and keeps them from working while somebody wants quiet.
#include "common/crew.hpp"

#include <algorithm>
#include <system_error>

namespace parallax {
namespace {

std::size_t place_of(Crew::Load load) {
    return load == Crew::Load::host ? 0 : 1;
}

}  // namespace

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

void Crew::add(std::function<void()> job, Load load, bool first) {
    if (threads_.empty()) return;
    {
        const std::scoped_lock lock(mutex_);
        jobs_.insert(first ? jobs_.begin() : jobs_.end(), {std::move(job), load});
    }
    changed_.notify_all();
}

// Whoever rests from the host's work rests from the devices' as well.
bool Crew::may_begin(const Job& job) const {
    return resting_[place_of(Load::host)] == 0 &&
           (job.load == Load::host || resting_[place_of(Load::device)] == 0);
}

void Crew::work(Profile* profile) {
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
        ++busy_[place_of(job.load)];
        lock.unlock();
        job.does();
        lock.lock();
        --busy_[place_of(job.load)];
        changed_.notify_all();
    }
}

Crew::Rest::Rest(Crew* crew, Load load) : crew_(crew), load_(load) {
    if (!crew_) return;
    const InPhase phase(Phase::waiting);
    std::unique_lock lock(crew_->mutex_);
    ++crew_->resting_[place_of(load)];
    crew_->changed_.wait(lock, [&] {
        return crew_->busy_[place_of(Load::device)] == 0 &&
               (load == Load::device || crew_->busy_[place_of(Load::host)] == 0);
    });
}

Crew::Rest::~Rest() {
    if (!crew_) return;
    {
        const std::scoped_lock lock(crew_->mutex_);
        --crew_->resting_[place_of(load_)];
    }
    crew_->changed_.notify_all();
}

}  // namespace parallax
