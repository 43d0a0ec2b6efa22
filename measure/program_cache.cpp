// Caches builds by device and program, and builds ahead in a pool.
#include "measure/program_cache.hpp"

#include <algorithm>

namespace parallax {
namespace {

/// Number of builds that are kept after use, for further callers.
constexpr std::ptrdiff_t most_kept = 32;

}  // namespace

ProgramCache::Made ProgramCache::ordered(Device& device, const Program& program, const Plan& plan,
                                         bool& is_new) {
    const std::vector<std::string> launched = kernels_of(plan);
    const std::set<std::string> kernels(launched.begin(), launched.end());
    const std::scoped_lock lock(mutex_);
    const auto known = std::ranges::find_if(orders_, [&](const Order& order) {
        return order.device == &device && order.kernels == kernels && order.program == program;
    });
    is_new = known == orders_.end();
    if (!is_new) return known->codes;
    const auto make = [&device, program, plan] { return build(device, program, plan); };
    orders_.push_back(
        {&device, program, kernels, std::make_shared<OnceFuture<Codes>>(make), false});
    return orders_.back().codes;
}

void ProgramCache::ask(Device& device, const Program& program, const Plan& plan) {
    if (!pool_) return;
    bool is_new = false;
    const auto codes = ordered(device, program, plan, is_new);
    if (!is_new) return;
    const std::scoped_lock lock(mutex_);
    Queue& queue = queues_[&device];
    queue.waiting.push_back(codes);
    if (queue.lanes >= device.expect_builds(queue.waiting.size())) return;
    ++queue.lanes;
    pool_->add([this, &device] { work(&device); });
}

// One build per job, so that the pool can pause after each.
void ProgramCache::work(Device* device) {
    Made next;
    {
        const std::scoped_lock lock(mutex_);
        const auto queue = queues_.find(device);
        if (queue == queues_.end()) return;  // the device was closed
        auto& [waiting, lanes] = queue->second;
        // The caller of take() builds what it needs all the same.
        if (!has_time_()) waiting.clear();
        if (waiting.empty()) {
            if (--lanes > 0) return;
            device->expect_builds(0);
            queues_.erase(queue);
            return;
        }
        next = std::move(waiting.front());
        waiting.pop_front();
    }
    next->make();
    pool_->add([this, device] { work(device); }, ThreadPool::TaskKind::device, true);
}

Codes ProgramCache::take(Device& device, const Program& program, const Plan& plan) {
    return taken(device, program, plan)->get();
}

ProgramCache::Made ProgramCache::taken(Device& device, const Program& program, const Plan& plan) {
    bool is_new = false;
    Made made = ordered(device, program, plan, is_new);
    const std::scoped_lock lock(mutex_);
    const auto order = std::ranges::find(orders_, made, &Order::codes);
    if (order != orders_.end()) {
        order->was_taken = true;
        orders_.splice(orders_.end(), orders_, order);
    }
    auto taken = std::ranges::count_if(orders_, &Order::was_taken);
    std::erase_if(orders_, [&](const Order& one) { return one.was_taken && taken-- > most_kept; });
    return made;
}

void ProgramCache::forget(Device& device) {
    std::list<Order> gone;
    {
        const std::scoped_lock lock(mutex_);
        if (queues_.erase(&device) > 0) device.expect_builds(0);
        for (auto order = orders_.begin(); order != orders_.end();) {
            const auto next = std::next(order);
            if (order->device == &device) gone.splice(gone.end(), orders_, order);
            order = next;
        }
    }
    // A build that has not started is dropped: a later job finds it started and skips it.
    for (const Order& order : gone) order.codes->drop();
}

}  // namespace parallax
