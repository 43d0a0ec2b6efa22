// A scheduler of fibres: an item runs until it waits, then the next one has its turn.
#include "mapping/tests/items_on_host.hpp"

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <ucontext.h>

#include "common/error.hpp"

namespace parallax::corpus {
namespace {

constexpr std::size_t stack_bytes = 256 * 1024;

enum class State { ready, at_group, at_warp, returned };

struct Item {
    ucontext_t context{};
    State state = State::ready;
};

struct Group {
    std::vector<Item> items;
    ucontext_t scheduler{};
    const std::function<void(unsigned)>* body = nullptr;
    unsigned current = 0;
    std::string stopped;
};

Group* group = nullptr;

// Kept from launch to launch: 256 stacks are slow to come by.
std::byte* stack_of(unsigned item) {
    static std::vector<std::unique_ptr<std::byte[]>> stacks;
    while (stacks.size() <= item) {
        stacks.push_back(std::make_unique_for_overwrite<std::byte[]>(stack_bytes));
    }
    return stacks[item].get();
}

void start_item() {
    (*group->body)(group->current);
    group->items[group->current].state = State::returned;
}

void wait_as(State state) {
    Item& item = group->items[group->current];
    item.state = state;
    swapcontext(&item.context, &group->scheduler);
}

void prepare(Item& item, unsigned number) {
    getcontext(&item.context);
    item.context.uc_stack.ss_sp = stack_of(number);
    item.context.uc_stack.ss_size = stack_bytes;
    item.context.uc_link = &group->scheduler;
    makecontext(&item.context, start_item, 0);
}

/// Lets go on those who wait in [first, last) if nobody there has yet to come.
bool release(std::size_t first, std::size_t last, State waiting) {
    bool any = false;
    for (std::size_t i = first; i < last; ++i) {
        const State state = group->items[i].state;
        if (state != waiting && state != State::returned) return false;
        any |= state == waiting;
    }
    for (std::size_t i = first; i < last; ++i) {
        if (group->items[i].state == waiting) group->items[i].state = State::ready;
    }
    return any;
}

std::size_t count(State state) {
    std::size_t found = 0;
    for (const Item& item : group->items) found += item.state == state;
    return found;
}

void release_or_complain() {
    bool any = false;
    const std::size_t items = group->items.size();
    for (std::size_t first = 0; first < items; first += 32) {
        any |= release(first, std::min(first + 32, items), State::at_warp);
    }
    if (any) return;
    const std::size_t at_group = count(State::at_group), returned = count(State::returned);
    if (at_group > 0 && returned > 0) {
        throw Error(
            fmt::format("{} items wait at a barrier and {} have returned", at_group, returned));
    }
    if (!release(0, items, State::at_group) && returned < items) {
        throw Error(fmt::format("{} items wait at a barrier of the group and {} for their warp",
                                at_group, count(State::at_warp)));
    }
}

}  // namespace

void wait_for_group() {
    wait_as(State::at_group);
}

void wait_for_warp() {
    wait_as(State::at_warp);
}

void stop_group(const char* why) {
    group->stopped = why;
    wait_as(State::returned);
}

void run_group(unsigned items, bool descending, const std::function<void(unsigned)>& before,
               const std::function<void(unsigned)>& body) {
    Group made;
    made.items = std::vector<Item>(items);
    made.body = &body;
    group = &made;
    for (unsigned i = 0; i < items; ++i) prepare(made.items[i], i);
    while (count(State::returned) < items) {
        for (unsigned turn = 0; turn < items; ++turn) {
            made.current = descending ? items - 1 - turn : turn;
            Item& item = made.items[made.current];
            if (item.state != State::ready) continue;
            before(made.current);
            swapcontext(&made.scheduler, &item.context);
            if (!made.stopped.empty()) throw Error(made.stopped);
        }
        release_or_complain();
    }
}

}  // namespace parallax::corpus
