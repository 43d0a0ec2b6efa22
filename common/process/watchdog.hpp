// Shared memory between a worker process and its supervisor: the current step of each thread, so
// that the supervisor can report a crash or a hang.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/host_clock.hpp"

namespace parallax {

/// A step that crashed a process, or would have hung it.
struct FatalStep {
    std::string name;    ///< as passed to WatchdogScope
    std::string reason;  ///< why, in a sentence or two
    bool is_hang = false;  ///< a launch that did not end
};

/// The current step of one thread, in shared memory.
struct WatchSlot {
    /// In this order: `step` and `build` may crash the process, `build` and `launch` may hang it.
    enum class At : int { nothing, step, build, launch };
    std::atomic<bool> taken;
    std::atomic<At> at;
    std::atomic<unsigned> steps;     ///< counts builds and launches
    std::array<char, 512> name;      ///< of the step
    std::array<char, 128> doing;     ///< `its answers were checked`
    std::array<char, 1024> because;  ///< why the process kills itself here; empty: it does not
};

/// State shared by a worker and its supervisor. Initially all zero.
struct WatchdogState {
    std::array<WatchSlot, 64> slots;
    std::atomic<double> budget_seconds;  ///< 0: not known
    std::atomic<std::uint64_t> printed;  ///< bytes written to standard output
    std::atomic<bool> has_ended;         ///< only the exit of the process remains
    std::atomic<int> code;               ///< its exit code, once has_ended
    std::atomic<bool> is_interrupted;    ///< set by the supervisor when the run is interrupted
};

/// The worker's view of its supervision. Set before it starts threads.
struct Supervision {
    WatchdogState* state = nullptr;  ///< null: there is no supervisor
    std::vector<FatalStep> deadly;   ///< fatal steps of earlier workers of this run, to be skipped
    bool continues_run = false;      ///< it continues the run of an earlier worker
    bool one_at_a_time = false;      ///< it was not clear which step ended the previous worker
    bool only_reports = false;       ///< it reports what has been measured, and measures nothing
    HostClock::time_point begun{};   ///< start of the first worker
};
Supervision& supervision();

/// The fatal step of an earlier worker with this name, or this name and further words; null: none.
const FatalStep* died_of(std::string_view name);

/// Marks the calling thread's current step while it lives, nested in the enclosing one. Its cost is
/// negligible without a supervisor.
class WatchdogScope {
public:
    /// @param name   identifies the step in every worker of a run
    /// @param doing  what happens, as a clause in the past tense: `its answers were checked`
    /// @throws DeviceError with the reason, where this step ended an earlier worker
    WatchdogScope(std::string_view name, std::string_view doing,
                  WatchSlot::At = WatchSlot::At::step);
    ~WatchdogScope();
    WatchdogScope(const WatchdogScope&) = delete;
    WatchdogScope& operator=(const WatchdogScope&) = delete;

private:
    WatchSlot* slot_;
    WatchSlot::At at_ = {};
    decltype(WatchSlot::name) name_;
    decltype(WatchSlot::doing) doing_;
};

/// Marks that the calling thread waits for a device, while it lives.
class LaunchScope {
public:
    LaunchScope();
    ~LaunchScope();
    LaunchScope(const LaunchScope&) = delete;
    LaunchScope& operator=(const LaunchScope&) = delete;

private:
    WatchSlot* slot_;
    WatchSlot::At at_ = {};
};

/// Tells the supervisor the time budget: no launch should take a large part of it.
void tell_budget(double seconds);

/// Ends the process so that the supervisor starts another one that skips this step. Does nothing
/// without a supervisor.
void go_on_in_another_process(std::string_view name, std::string_view because);

}  // namespace parallax
