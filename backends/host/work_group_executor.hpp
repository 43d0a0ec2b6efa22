// Runs the work-items of a work-group as fibers of one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/context/fiber.hpp>

#include "backends/host/races.hpp"
#include "backends/host/shim/machine.hpp"
#include "backends/host/stacks.hpp"

namespace parallax::host {

/// A code address in a kernel, and the frame of its function.
struct Place {
    const void* code = nullptr;
    const void* frame = nullptr;
};

/// Runs work-groups one after the other. Fibers are reused: a work-item that never waits costs no
/// more than a call, as the next one begins in the same fiber.
class WorkGroupExecutor {
public:
    /// The work of a work-group's work-items.
    struct Work {
        unsigned items = 0;                          ///< of the work-group
        std::function<void(unsigned item)> goes_on;  ///< called when a work-item begins or
                                                     ///< continues
        std::function<void()> call;                  ///< the kernel, for that work-item
        GroupWatch* watch = nullptr;  ///< receives the work-group's accesses; null: not watched
    };

    WorkGroupExecutor() = default;
    WorkGroupExecutor(const WorkGroupExecutor&) = delete;
    WorkGroupExecutor& operator=(const WorkGroupExecutor&) = delete;
    ~WorkGroupExecutor();

    /// Runs a work-group to its end. The work-items begin, and continue after each barrier, in an
    /// order derived from the seed. With some seeds all work-items wait before any continues, with
    /// others a warp runs as far ahead as possible.
    /// @throws DeviceError when work-items wait for some that have returned or wait elsewhere, or
    /// when one has trapped; Unsupported for missing functions.
    void run(const Work&, std::uint64_t seed);

    /// The code addresses of the failed work-item: its last call, then its callers.
    const std::vector<const void*>& trace() const { return trace_; }
    /// The race that ended the work-group, if any.
    const std::optional<Race>& race() const { return race_; }

    /// The functions for kernels, in the thread that runs them.
    static const parallax_host::Machine& machine();

private:
    enum class State : std::uint8_t { ready, at_group, at_warp, converging, returned };
    struct Fiber {
        boost::context::fiber itself, scheduler;
        Stack stack;           ///< its own
        void* book = nullptr;  ///< ThreadSanitizer's
        unsigned item = 0;
        bool is_waiting = false;  ///< suspended within a work-item
    };

    void order_items(bool by_warps);
    void begin_items(unsigned until);
    void begin(Fiber&);
    void end_fibers();
    void go_on(Fiber&);
    void resume(Fiber&);
    void serve(Fiber&);
    void leave(Fiber&);
    void wait(State, const Place&, unsigned mask = 0);
    [[noreturn]] void stop(std::string why, bool is_lack, const Place&);
    static std::vector<const void*> trace_from(const Fiber&, const Place&);
    bool is_own(const void* at) const;
    void look_at(const void* at, std::size_t bytes, const char* does, const Place&);
    void load(const void* at, std::size_t bytes, const Place&);
    void store(const void* at, std::size_t bytes, const Place&);
    void synchronize(const void* at, std::size_t bytes, bool retries, const Place&);
    void end_in(const std::optional<Race>&, std::vector<const void*> trace);
    void settle_stores();
    std::vector<Fiber*> waiting() const;
    void take_turns(std::vector<Fiber*>&);
    void run_warps(std::vector<Fiber*> waiting);
    bool release_group();
    bool release_some();
    bool release_warp(unsigned first);
    bool release_converging(unsigned first);
    void complain();
    std::size_t count(State) const;

    const Work* work_ = nullptr;
    std::uint64_t draws_ = 0;      ///< state of the random numbers
    std::vector<unsigned> order_;  ///< of the work-items
    unsigned next_ = 0;            ///< next in the order to begin
    unsigned until_ = 0;           ///< end of the part of the order that may begin
    std::vector<State> states_;    ///< by work-item
    std::vector<unsigned> masks_;  ///< of work-items that are waited for, or active
    std::vector<Place> places_;    ///< call addresses of waiting work-items
    std::vector<std::unique_ptr<Fiber>> fibers_;
    Fiber* current_ = nullptr;
    Stack scheduler_;  ///< of the thread that runs the work-items
    void* scheduler_book_ = nullptr;
    bool ends_ = false;                   ///< resumed fibers return
    std::optional<std::string> stopped_;  ///< the reason
    bool lacks_ = false;
    std::vector<const void*> trace_;
    std::vector<const void*> trace_of_store_;  ///< of the last one that may be a race
    std::optional<Race> race_;
};

}  // namespace parallax::host
