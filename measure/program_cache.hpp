// Builds programs of coming cases ahead of time in a pool.
#pragma once

#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "common/process/thread_pool.hpp"
#include "measure/binding.hpp"

namespace parallax {

/// Builds each program once per device, and keeps the builds that were used last. Thread-safe.
class ProgramCache {
public:
    /// @param pool  builds ahead; null: the caller of take() builds. It must end before the cache
    /// and before the devices
    /// @param has_time  false: no build begins ahead. Thread-safe
    explicit ProgramCache(
        ThreadPool* pool = nullptr, std::function<bool()> has_time = [] { return true; })
        : pool_(pool), has_time_(std::move(has_time)) {}

    /// Requests a build that will be taken.
    void ask(Device&, const Program&, const Plan&);
    /// The built kernels of the plan, built here unless the build has started elsewhere.
    /// @throws what Device::compile throws, and Dropped when the device is forgotten meanwhile
    Codes take(Device&, const Program&, const Plan&);
    /// Drops the builds of a device that is to be closed; waits for running ones.
    void forget(Device&);

private:
    using Made = std::shared_ptr<OnceFuture<Codes>>;
    struct Order {
        Device* device = nullptr;
        Program program;
        std::set<std::string> kernels;
        Made codes;
        bool was_taken = false;
    };
    /// Requests for a device's compilers, and the number of pool threads that work on them.
    struct Queue {
        std::deque<Made> waiting;
        unsigned lanes = 0;
    };
    void work(Device*);
    Made taken(Device&, const Program&, const Plan&);
    Made ordered(Device&, const Program&, const Plan&, bool& is_new);

    ThreadPool* pool_;
    std::function<bool()> has_time_;
    std::mutex mutex_;
    std::list<Order> orders_;
    std::map<const Device*, Queue> queues_;  ///< of devices with requests
};

}  // namespace parallax
