// The worker processes that this program has started.
#pragma once

#include <mutex>
#include <set>

#include <sys/types.h>
#include <unistd.h>

namespace parallax {

/// IDs of this process and its workers, which are not counted as other users of a device.
/// Thread-safe.
class OwnProcesses {
public:
    void add(pid_t number) {
        const std::scoped_lock lock(mutex_);
        numbers_.insert(number);
    }
    void remove(pid_t number) {
        const std::scoped_lock lock(mutex_);
        numbers_.erase(number);
    }
    bool has(pid_t number) const {
        const std::scoped_lock lock(mutex_);
        return number == getpid() || numbers_.contains(number);
    }

private:
    mutable std::mutex mutex_;
    std::set<pid_t> numbers_;
};

/// The instance of this program.
inline OwnProcesses& own_processes() {
    static OwnProcesses own;
    return own;
}

}  // namespace parallax
