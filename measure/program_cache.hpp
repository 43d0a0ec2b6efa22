// Builds of cases to come, made ahead of time by a pool.
#pragma once

#include <deque>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "common/process/thread_pool.hpp"
#include "measure/binding.hpp"

namespace parallax {

/// Builds each program once for each device, and keeps the builds that were taken last.
/// Thread-safe.
class ProgramCache {
public:
    /// @param pool  works ahead; null: whoever takes a build makes it. It has to end before the
    /// workshop, and before the devices that builds are asked for
    explicit ProgramCache(ThreadPool* pool = nullptr) : pool_(pool) {}

    /// Asks for a build that will be taken.
    void ask(Device&, const Program&, const Plan&);
    /// The built kernels of the plan, made here where nobody has begun to make them.
    /// @throws what Device::compile throws, and Dropped when the device is forgotten meanwhile
    Codes take(Device&, const Program&, const Plan&);
    /// Forgets the builds of a device that is to be closed; waits for those under way.
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
    /// What waits for the compilers of a device, and how many of the pool see to that.
    struct Queue {
        std::deque<Made> waiting;
        unsigned lanes = 0;
    };
    void work(Device*);
    Made taken(Device&, const Program&, const Plan&);
    Made ordered(Device&, const Program&, const Plan&, bool& is_new);

    ThreadPool* pool_;
    std::mutex mutex_;
    std::list<Order> orders_;
    std::map<const Device*, Queue> queues_;  ///< of devices that have something to do
};

}  // namespace parallax
