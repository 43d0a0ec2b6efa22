// Distributes builds among processes.
#include "backends/opencl/builders.hpp"

#include <algorithm>

#include "backends/opencl/driver_cache.hpp"
#include "common/error.hpp"

namespace parallax::opencl {
namespace {

constexpr std::size_t most_processes = 5;
/// Device memory required per process: a context takes some 0.5 GB.
constexpr std::uint64_t memory_for_one = std::uint64_t{8} << 30;
/// Builds per additional process, since opening its context takes as long as some.
constexpr std::size_t builds_for_one = 3;

}  // namespace

Builders::Builders(DeviceInfo info)
    : info_(std::move(info)),
      most_(BuilderProcess::is_prepared()
                ? std::min<std::size_t>(most_processes, info_.memory_bytes / memory_for_one)
                : 0) {}

unsigned Builders::expect(std::size_t builds) {
    std::vector<Process> ended;  // destroyed outside of the lock
    const std::scoped_lock lock(mutex_);
    allowed_ = builds == 0 ? 0 : std::clamp(builds / builds_for_one, allowed_, most_);
    if (allowed_ == 0) {
        started_ -= idle_.size();
        ended.swap(idle_);
    }
    changed_.notify_all();
    return static_cast<unsigned>(allowed_) + 1;
}

std::optional<std::string> Builders::build(const Build& wanted, const std::function<void()>& here) {
    const std::string key = report_key(info_, wanted.text, wanted.options);
    Process process;
    bool is_known = false;
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] {
            if (under_way_.contains(key)) return false;
            return done_.contains(key) || !is_here_busy_ || !idle_.empty() || may_start();
        });
        // Code that an earlier run built is in the driver's cache as well.
        is_known = done_.contains(key) || build_reports().has(key);
        if (!is_known) under_way_.insert(key);
        if (!is_known && is_here_busy_ && idle_.empty()) {
            ++started_;
            try {
                process = std::make_unique<BuilderProcess>(info_);
            } catch (const Error&) {
                allowed_ = --started_;
                changed_.wait(lock, [&] { return !is_here_busy_; });
                is_here_busy_ = true;
            }
        } else if (!is_known && is_here_busy_) {
            process = std::move(idle_.back());
            idle_.pop_back();
        } else if (!is_known) {
            is_here_busy_ = true;
        }
    }
    if (is_known) {
        here();
        return {};
    }
    std::optional<std::string> said;
    const bool is_elsewhere = process != nullptr;
    const auto end = [&](bool well) {
        {
            const std::scoped_lock lock(mutex_);
            under_way_.erase(key);
            if (well) done_.insert(key);
            if (!is_elsewhere) is_here_busy_ = false;
        }
        changed_.notify_all();
    };
    try {
        if (is_elsewhere) said = build_elsewhere(std::move(process), wanted);
        here();
    } catch (...) {
        end(false);
        throw;
    }
    end(true);
    return said;
}

std::optional<std::string> Builders::build_elsewhere(Process process, const Build& wanted) {
    std::optional<std::string> said = process->build(wanted);
    {
        const std::scoped_lock lock(mutex_);
        if (process->is_alive() && started_ <= allowed_) {
            idle_.push_back(std::move(process));
        } else {
            --started_;
        }
    }
    changed_.notify_all();
    process.reset();
    return said;
}

}  // namespace parallax::opencl
