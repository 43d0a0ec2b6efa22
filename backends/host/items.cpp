// A scheduler of fibers: an item runs until it waits, then the next one has its turn.
#include "backends/host/items.hpp"

#include <algorithm>
#include <cfenv>
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"

namespace parallax::host {
namespace {

using boost::context::fiber;

constexpr std::size_t stack_bytes = std::size_t{256} * 1024;
constexpr unsigned warp = 32;

/// Unwinds what a fiber was in the midst of.
struct Ends {};

/// Whose items the thread runs.
thread_local Items* running = nullptr;

/// Vigna's splitmix64: the next number, and the state for the one after.
std::uint64_t drawn(std::uint64_t& state) {
    std::uint64_t z = state += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

void round_to(int way) {
    constexpr int ways[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    std::fesetround(ways[way]);
}

}  // namespace

Items::~Items() {
    end_fibers();
}

/// What still waits in the midst of a kernel is unwound. Each fiber returns in order: a sanitizer
/// would not know whose stack it is that Boost unwinds.
void Items::end_fibers() {
    ends_ = true;
    for (const auto& fiber : fibers_) {
        if (fiber->itself) resume(*fiber);  // else there was no memory for its stack
        if (fiber->book) __tsan_destroy_fiber(fiber->book);
    }
    fibers_.clear();
    ends_ = false;
}

const parallax_host::Machine& Items::machine() {
    static constexpr parallax_host::Machine machine{
        .wait_for_group = [] { running->wait(State::at_group); },
        .wait_for_warp = [](unsigned mask) { running->wait(State::at_warp, mask); },
        .stop = [](const char* why) { running->stop(why, false); },
        .lacks = [](const char* what) { running->stop(what, true); },
        .outside =
            [](const char* does, unsigned long bytes, const void* place) {
                running->outside_at_ = place;
                running->stop(fmt::format("it {} {} byte(s) outside of its memory.", does, bytes),
                              false);
            },
        .round = round_to};
    return machine;
}

/// Until the scheduler has it go on. @throws Ends
[[gnu::flatten]] void Items::leave(Fiber& fiber) {
    scheduler_ = change_stack(scheduler_, scheduler_book_,
                              [&] { fiber.scheduler = std::move(fiber.scheduler).resume(); });
    if (ends_) throw Ends{};
}

void Items::wait(State state, unsigned mask) {
    Fiber& fiber = *current_;
    states_[fiber.item] = state;
    masks_[fiber.item] = mask;
    fiber.is_waiting = true;
    leave(fiber);
    fiber.is_waiting = false;
}

void Items::stop(std::string why, bool is_lack) {
    stopped_ = std::move(why);
    lacks_ = is_lack;
    for (;;) wait(State::returned);
}

void Items::serve(Fiber& fiber) {
    for (;;) {
        while (next_ < work_->items) {
            fiber.item = order_[next_++];
            work_->goes_on(fiber.item);
            work_->call();
            states_[fiber.item] = State::returned;
        }
        leave(fiber);
    }
}

[[gnu::flatten]] void Items::resume(Fiber& fiber) {
    scheduler_book_ = current_book();
    change_stack(fiber.stack, fiber.book, [&] { fiber.itself = std::move(fiber.itself).resume(); });
}

void Items::go_on(Fiber& fiber) {
    current_ = &fiber;
    if (fiber.is_waiting) work_->goes_on(fiber.item);
    resume(fiber);
    if (stopped_.empty()) return;
    if (lacks_) throw Unsupported(fmt::format("The host does not have '{}'.", stopped_));
    throw DeviceError(stopped_);
}

void Items::begin(Fiber& made) {
    const auto run = [this, &made](fiber&& scheduler) {
        scheduler_ = arrived_on_stack();
        made.scheduler = std::move(scheduler);
        try {
            serve(made);
        } catch (const Ends&) {
        }
        leave_stack_for_good(scheduler_);
        return std::move(made.scheduler);
    };
    if (__tsan_create_fiber) made.book = __tsan_create_fiber(0);
    made.itself = fiber(std::allocator_arg, Stacks(stack_bytes, made.stack), run);
    // Boost has gone into the fiber and back: what it entered there it leaves elsewhere.
    if (__tsan_func_exit) __tsan_func_exit();
}

void Items::begin_items(std::uint64_t seed) {
    order_.resize(work_->items);
    for (unsigned i = 0; i < work_->items; ++i) {
        const auto place = static_cast<unsigned>(drawn(seed) % (i + 1));
        order_[i] = order_[place];
        order_[place] = i;
    }
    states_.assign(work_->items, State::ready);
    masks_.resize(work_->items);
    next_ = 0;
    for (std::size_t i = 0; next_ < work_->items; ++i) {
        if (i == fibers_.size()) {
            fibers_.push_back(std::make_unique<Fiber>());
            begin(*fibers_.back());
        }
        go_on(*fibers_[i]);
    }
}

std::size_t Items::count(State state) const {
    return static_cast<std::size_t>(std::ranges::count(states_, state));
}

/// Lets those lanes go on whose masks name nobody who has yet to come.
bool Items::release_warp(unsigned first) {
    const unsigned last = std::min(first + warp, work_->items);
    bool any = false;
    for (unsigned i = first; i < last; ++i) {
        if (states_[i] != State::at_warp) continue;
        const unsigned mask = masks_[i] | 1U << (i - first);
        const auto is_in = [&](unsigned lane) { return (mask >> (lane - first) & 1U) != 0; };
        bool all = true;
        for (unsigned lane = first; lane < last && all; ++lane) {
            all = !is_in(lane) || states_[lane] == State::returned ||
                  (states_[lane] == State::at_warp && masks_[lane] == masks_[i]);
        }
        for (unsigned lane = first; lane < last && all; ++lane) {
            if (is_in(lane) && states_[lane] == State::at_warp) states_[lane] = State::ready;
        }
        any |= all;
    }
    return any;
}

void Items::complain() const {
    const std::size_t at_group = count(State::at_group), returned = count(State::returned);
    if (at_group > 0 && returned > 0) {
        throw DeviceError(
            fmt::format("{} items wait at a barrier and {} have returned, which "
                        "never come there.",
                        at_group, returned));
    }
    throw DeviceError(
        fmt::format("{} items wait at a barrier of the group and {} for their warp: none goes on.",
                    at_group, count(State::at_warp)));
}

void Items::release() {
    if (count(State::at_group) == work_->items) {
        std::ranges::fill(states_, State::ready);
        return;
    }
    bool any = false;
    for (unsigned first = 0; first < work_->items; first += warp) any |= release_warp(first);
    if (!any) complain();
}

void Items::run(const Work& work, std::uint64_t seed) {
    work_ = &work;
    running = this;
    stopped_.clear();
    outside_at_ = nullptr;
    try {
        begin_items(seed);
        std::vector<Fiber*> waiting;
        for (const auto& fiber : fibers_) {
            if (fiber->is_waiting) waiting.push_back(fiber.get());
        }
        while (!waiting.empty()) {
            release();
            // Another order after each barrier: from somewhere on, and sometimes backwards.
            const std::uint64_t number = drawn(seed);
            std::ranges::rotate(
                waiting, waiting.begin() + static_cast<std::ptrdiff_t>(number % waiting.size()));
            if ((number >> 63U) != 0) std::ranges::reverse(waiting);
            for (Fiber* const fiber : waiting) {
                if (states_[fiber->item] == State::ready) go_on(*fiber);
            }
            std::erase_if(waiting, [](const Fiber* fiber) { return !fiber->is_waiting; });
        }
    } catch (...) {
        end_fibers();
        throw;
    }
}

}  // namespace parallax::host
