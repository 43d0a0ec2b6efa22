// A scheduler of fibers: a work-item runs until it waits, then the next one continues.
#include "backends/host/work_group_executor.hpp"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "backends/host/kernel_module.hpp"
#include "common/error.hpp"

namespace parallax::host {
namespace {

using boost::context::fiber;

// A GPU's work-item has at most 512 KiB of private memory; calls and sanitizers need more.
constexpr std::size_t stack_bytes = std::size_t{768} * 1024;
constexpr unsigned warp = 32;
/// Limit of a warp's steps alone. If it waits for a flag of another warp, that must run.
constexpr unsigned most_ahead = 1000;

/// Unwinds a fiber within a kernel.
struct Ends {};

/// The executor of the current thread.
thread_local WorkGroupExecutor* running = nullptr;

/// Vigna's splitmix64: returns the next number, and updates the state.
std::uint64_t drawn(std::uint64_t& state) {
    std::uint64_t z = state += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

/// The caller of a function that the kernel calls: this one is inlined into that.
[[gnu::always_inline]] inline Place called_from() {
    return {__builtin_return_address(0),
            *static_cast<const void* const*>(__builtin_frame_address(0))};
}

void round_to(int way) {
    constexpr int ways[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    std::fesetround(ways[way]);
}

}  // namespace

WorkGroupExecutor::~WorkGroupExecutor() {
    end_fibers();
}

/// Unwinds fibers that still wait within a kernel. Each fiber returns normally, because sanitizers
/// do not support an unwinding by Boost.
void WorkGroupExecutor::end_fibers() {
    ends_ = true;
    for (const auto& fiber : fibers_) {
        if (fiber->itself) resume(*fiber);  // otherwise its stack could not be allocated
        if (fiber->book) __tsan_destroy_fiber(fiber->book);
    }
    fibers_.clear();
    ends_ = false;
}

const parallax_host::Machine& WorkGroupExecutor::machine() {
    static constexpr parallax_host::Machine machine{
        .wait_for_group = [] { running->wait(State::at_group, called_from()); },
        .wait_for_warp = [](unsigned mask) { running->wait(State::at_warp, called_from(), mask); },
        .active_lanes =
            [] {
                running->wait(State::converging, called_from());
                return running->masks_[running->current_->item];
            },
        .yields =
            [] {
                running->wait(State::ready, called_from());
                std::this_thread::yield();
            },
        .stop = [](const char* why) { running->stop(why, false, called_from()); },
        .lacks = [](const char* what) { running->stop(what, true, called_from()); },
        .outside =
            [](const char* does, unsigned long bytes, const void* place) {
                WorkGroupExecutor& own = *running;
                own.stop(fmt::format("it {} {} byte(s) outside of its memory.", does, bytes), false,
                         {place, called_from().frame});
            },
        .loads =
            [](const void* at, unsigned long bytes, const void* place) {
                if (running) running->load(at, bytes, {place, called_from().frame});
            },
        .stores =
            [](const void* at, unsigned long bytes, const void* place) {
                if (running) running->store(at, bytes, {place, called_from().frame});
            },
        .synchronizes =
            [](const void* at, unsigned long bytes, bool retries) {
                if (running) running->synchronize(at, bytes, retries, called_from());
            },
        .round = round_to};
    return machine;
}

/// Follows the frame pointers, as far as functions save them at their start.
[[gnu::no_sanitize("address")]] std::vector<const void*> WorkGroupExecutor::trace_from(
    const Fiber& fiber, const Place& place) {
    constexpr std::size_t most = 64;
    std::vector<const void*> found{place.code};
    const auto* const bottom = static_cast<const std::byte*>(fiber.stack.bottom);
    const auto* const top = bottom + fiber.stack.bytes;
    const auto* at = static_cast<const std::byte*>(place.frame);
    while (at >= bottom && at + 2 * sizeof(void*) <= top && found.size() < most) {
        const auto* const kept = reinterpret_cast<const void* const*>(at);
        found.push_back(kept[1]);
        const auto* const next = static_cast<const std::byte*>(kept[0]);
        if (next <= at) break;
        at = next;
    }
    return found;
}

void WorkGroupExecutor::look_at(const void* at, std::size_t bytes, const char* does,
                                const Place& place) {
    if (!is_forbidden(at, bytes)) return;
    stop(fmt::format("it {} {} byte(s) outside of its memory.", does, bytes), false, place);
}

void WorkGroupExecutor::end_in(const std::optional<Race>& race, std::vector<const void*> trace) {
    if (!race) return;
    race_ = race;
    trace_ = std::move(trace);
    stop({}, false, {});
}

void WorkGroupExecutor::settle_stores() {
    if (work_->watch) end_in(work_->watch->settle(), trace_of_store_);
}

/// Whether it is on the work-item's own, unshared stack.
bool WorkGroupExecutor::is_own(const void* at) const {
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(at) -
                               reinterpret_cast<std::uintptr_t>(current_->stack.bottom);
    return offset < current_->stack.bytes;
}

void WorkGroupExecutor::load(const void* at, std::size_t bytes, const Place& place) {
    if (ends_ || is_own(at)) return;
    look_at(at, bytes, "reads", place);
    if (!work_->watch) return;
    const auto race =
        work_->watch->load(current_->item, static_cast<const std::byte*>(at), bytes, place.code);
    // An earlier store may be the race.
    if (race) end_in(race, race->is_store ? trace_of_store_ : trace_from(*current_, place));
}

void WorkGroupExecutor::store(const void* at, std::size_t bytes, const Place& place) {
    if (ends_ || is_own(at)) return;
    look_at(at, bytes, "writes", place);
    if (!work_->watch) return;
    settle_stores();
    if (work_->watch->store(current_->item, static_cast<const std::byte*>(at), bytes, place.code))
        trace_of_store_ = trace_from(*current_, place);
}

/// Other work-items may run at this access: a work-item may poll, or assume that no other one came
/// in between, and a race may only show in another order.
void WorkGroupExecutor::synchronize(const void* at, std::size_t bytes, bool retries,
                                    const Place& place) {
    if (work_->watch) {
        look_at(at, bytes, "reads or writes", place);
        settle_stores();
    }
    const unsigned of_64 = retries ? 16 : work_->watch ? 4 : 1;
    if (drawn(draws_) >> 58U < of_64) wait(State::ready, place);
    if (work_->watch)
        work_->watch->atomic(current_->item, {static_cast<const std::byte*>(at), bytes});
}

/// Suspends the fiber until the scheduler resumes it. @throws Ends
[[gnu::flatten]] void WorkGroupExecutor::leave(Fiber& fiber) {
    scheduler_ = change_stack(scheduler_, scheduler_book_,
                              [&] { fiber.scheduler = std::move(fiber.scheduler).resume(); });
    if (ends_) throw Ends{};
}

void WorkGroupExecutor::wait(State state, const Place& place, unsigned mask) {
    Fiber& fiber = *current_;
    if (!stopped_) settle_stores();
    states_[fiber.item] = state;
    places_[fiber.item] = place;
    masks_[fiber.item] = mask;
    fiber.is_waiting = true;
    leave(fiber);
    fiber.is_waiting = false;
}

void WorkGroupExecutor::stop(std::string why, bool is_lack, const Place& place) {
    stopped_ = std::move(why);
    lacks_ = is_lack;
    if (place.code) trace_ = trace_from(*current_, place);
    for (;;) wait(State::returned, place);
}

void WorkGroupExecutor::serve(Fiber& fiber) {
    for (;;) {
        while (next_ < until_) {
            fiber.item = order_[next_++];
            work_->goes_on(fiber.item);
            work_->call();
            settle_stores();
            states_[fiber.item] = State::returned;
        }
        leave(fiber);
    }
}

[[gnu::flatten]] void WorkGroupExecutor::resume(Fiber& fiber) {
    scheduler_book_ = current_book();
    change_stack(fiber.stack, fiber.book, [&] { fiber.itself = std::move(fiber.itself).resume(); });
}

void WorkGroupExecutor::go_on(Fiber& fiber) {
    current_ = &fiber;
    if (fiber.is_waiting) work_->goes_on(fiber.item);
    resume(fiber);
    if (!stopped_) return;
    if (lacks_) throw Unsupported(fmt::format("The host does not have '{}'.", *stopped_));
    throw DeviceError(*stopped_);
}

void WorkGroupExecutor::begin(Fiber& made) {
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
    // Boost switches to the fiber and back: a function that it entered there ends elsewhere.
    if (__tsan_func_exit) __tsan_func_exit();
}

/// Shuffles the work-items, optionally warp by warp.
void WorkGroupExecutor::order_items(bool by_warps) {
    order_.resize(work_->items);
    for (unsigned i = 0; i < work_->items; ++i) {
        const auto place = static_cast<unsigned>(drawn(draws_) % (i + 1));
        order_[i] = order_[place];
        order_[place] = i;
    }
    if (!by_warps) return;
    std::vector<unsigned> place_of((work_->items + warp - 1) / warp, work_->items);
    for (unsigned i = 0; i < work_->items; ++i) {
        unsigned& place = place_of[order_[i] / warp];
        place = std::min(place, i);
    }
    std::ranges::stable_sort(order_, {}, [&](unsigned item) { return place_of[item / warp]; });
}

void WorkGroupExecutor::begin_items(unsigned until) {
    until_ = until;
    for (std::size_t i = 0; next_ < until_; ++i) {
        if (i == fibers_.size()) {
            fibers_.push_back(std::make_unique<Fiber>());
            begin(*fibers_.back());
        }
        if (!fibers_[i]->is_waiting) go_on(*fibers_[i]);
    }
}

std::vector<WorkGroupExecutor::Fiber*> WorkGroupExecutor::waiting() const {
    std::vector<Fiber*> all;
    for (const auto& fiber : fibers_) {
        if (fiber->is_waiting) all.push_back(fiber.get());
    }
    return all;
}

std::size_t WorkGroupExecutor::count(State state) const {
    return static_cast<std::size_t>(std::ranges::count(states_, state));
}

/// Resumes the lanes whose masks name only lanes that have arrived.
bool WorkGroupExecutor::release_warp(unsigned first) {
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
    if (any && work_->watch) work_->watch->barrier_of_warp(first / warp);
    return any || release_converging(first);
}

/// Resumes lanes that asked which are active, where no lane of their warp can go on: those that
/// have come to one place by the same calls are active together.
bool WorkGroupExecutor::release_converging(unsigned first) {
    const unsigned last = std::min(first + warp, work_->items);
    std::vector<const Fiber*> lanes;
    for (const auto& fiber : fibers_) {
        if (fiber->is_waiting && fiber->item >= first && fiber->item < last &&
            states_[fiber->item] == State::converging)
            lanes.push_back(fiber.get());
    }
    if (lanes.empty()) return false;
    // One that polls may wait for one of these.
    const bool may_go_on = std::find(states_.begin() + first, states_.begin() + last,
                                     State::ready) != states_.begin() + last;
    if (may_go_on && drawn(draws_) >> 60U != 0) return false;
    const auto calls = [&](const Fiber* one) { return trace_from(*one, places_[one->item]); };
    std::erase_if(
        lanes, [&, place = calls(lanes.front())](const Fiber* one) { return calls(one) != place; });
    unsigned mask = 0;
    for (const Fiber* const one : lanes) mask |= 1U << (one->item - first);
    for (const Fiber* const one : lanes) {
        masks_[one->item] = mask;
        states_[one->item] = State::ready;
    }
    return true;
}

void WorkGroupExecutor::complain() {
    for (const Fiber* const fiber : waiting()) {
        if (states_[fiber->item] != State::at_group) continue;
        trace_ = trace_from(*fiber, places_[fiber->item]);
        break;
    }
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

bool WorkGroupExecutor::release_group() {
    if (count(State::at_group) != work_->items) return false;
    std::ranges::fill(states_, State::ready);
    if (work_->watch) work_->watch->barrier();
    return true;
}

/// Resumes a random subset of the waiting warps, at least one.
bool WorkGroupExecutor::release_some() {
    for (const bool all : {false, true}) {
        bool any = false;
        for (unsigned first = 0; first < work_->items; first += warp) {
            if (all || (drawn(draws_) >> 63U) != 0) any |= release_warp(first);
        }
        if (any) return true;
    }
    return false;
}

/// Resumes the ready ones, from a random start and sometimes in reverse order.
void WorkGroupExecutor::take_turns(std::vector<Fiber*>& fibers) {
    const std::uint64_t number = drawn(draws_);
    std::ranges::rotate(fibers,
                        fibers.begin() + static_cast<std::ptrdiff_t>(number % fibers.size()));
    if ((number >> 63U) != 0) std::ranges::reverse(fibers);
    for (Fiber* const fiber : fibers) {
        if (states_[fiber->item] == State::ready) go_on(*fiber);
    }
    std::erase_if(fibers, [](const Fiber* fiber) { return !fiber->is_waiting; });
}

/// Runs one warp after the other until it has returned or waits for the work-group.
void WorkGroupExecutor::run_warps(std::vector<Fiber*> waiting) {
    const auto warp_of = [](const Fiber* fiber) { return fiber->item / warp; };
    std::ranges::sort(waiting, {}, warp_of);
    std::vector<std::vector<Fiber*>> warps;
    for (Fiber* const fiber : waiting) {
        if (warps.empty() || warp_of(warps.back().front()) != warp_of(fiber)) warps.emplace_back();
        warps.back().push_back(fiber);
    }
    const std::uint64_t number = drawn(draws_);
    std::ranges::rotate(warps, warps.begin() + static_cast<std::ptrdiff_t>(number % warps.size()));
    for (std::vector<Fiber*>& one : warps) {
        const unsigned first = warp_of(one.front()) * warp;
        take_turns(one);
        for (unsigned i = 0; i < most_ahead && !one.empty() && release_warp(first); ++i)
            take_turns(one);
    }
}

void WorkGroupExecutor::run(const Work& work, std::uint64_t seed) {
    work_ = &work;
    struct Running {
        explicit Running(WorkGroupExecutor* items) { running = items; }
        ~Running() { running = nullptr; }
    } const now(this);
    stopped_.reset();
    trace_.clear();
    race_.reset();
    draws_ = seed;
    // The Thue-Morse sequence gives both values to launches at any distance.
    const bool is_ahead = std::popcount(seed) % 2 != 0;
    order_items(is_ahead);
    states_.assign(work_->items, State::ready);
    masks_.resize(work_->items);
    places_.assign(work_->items, {});
    next_ = 0;
    try {
        while (next_ < work_->items) {
            const unsigned first = order_[next_] / warp * warp;
            begin_items(is_ahead ? next_ + std::min(warp, work_->items - first) : work_->items);
            if (!is_ahead) break;
            std::vector<Fiber*> own = waiting();
            std::erase_if(own, [&](const Fiber* one) { return one->item / warp * warp != first; });
            for (unsigned i = 0; i < most_ahead && !own.empty() && release_warp(first); ++i)
                take_turns(own);
        }
        for (std::vector<Fiber*> all = waiting(); !all.empty(); all = waiting()) {
            if (release_group()) {
                if (is_ahead) {
                    run_warps(std::move(all));
                } else {
                    take_turns(all);
                }
            } else {
                const bool is_ready = count(State::ready) > 0;
                if (!release_some() && !is_ready) complain();
                take_turns(all);
            }
        }
    } catch (...) {
        end_fibers();
        throw;
    }
}

}  // namespace parallax::host
