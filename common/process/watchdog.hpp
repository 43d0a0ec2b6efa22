// Memory that a process shares with its supervisor: what it does now, so that a crash or a hang can
// be told.
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

/// A piece of work that ended a process, or would have kept it for ever.
struct FatalStep {
    std::string name;    ///< as WatchdogScope is given it
    std::string reason;  ///< why, in a sentence or two
};

/// What one thread is at, in memory that two processes share.
struct WatchSlot {
    /// From what may end the process to what may keep it for ever.
    enum class At : int { nothing, step, build, launch };
    std::atomic<bool> taken;
    std::atomic<At> at;
    std::atomic<unsigned> turn;      ///< another number for each build and launch
    std::array<char, 512> name;      ///< of the piece of work
    std::array<char, 128> doing;     ///< `its answers were checked`
    std::array<char, 1024> because;  ///< why the process ends itself over it; empty: it does not
};

/// What a process and its watcher tell each other. All zero at first.
struct WatchdogState {
    std::array<WatchSlot, 64> slots;
    std::atomic<double> budget_seconds;  ///< 0: not known
    std::atomic<std::uint64_t> printed;  ///< bytes that went to standard output
    std::atomic<bool> has_ended;         ///< all is done but the end of the process
    std::atomic<int> code;               ///< its exit code, when it has
    std::atomic<bool> is_interrupted;    ///< by the watcher: somebody wants the end
};

/// How this process is watched. Set before it starts threads.
struct WatchdogConfig {
    WatchdogState* state = nullptr;  ///< null: it is not
    std::vector<FatalStep> deadly;  ///< what is not tried again, from earlier processes of this run
    bool is_next = false;           ///< it goes on with what another has begun
    bool one_at_a_time = false;     ///< it was not clear which piece of work ended the one before
    bool is_closing = false;        ///< it shows what has been measured, and measures nothing
    HostClock::time_point begun{};  ///< the first of these processes
};
WatchdogConfig& watched();

/// What an earlier process of this run died of, by this name or a longer one of it; null: nothing.
const FatalStep* died_of(std::string_view name);

/// While it lives, the calling thread is at a piece of work; the one around it waits. Costs nothing
/// worth a word where nobody watches.
class WatchdogScope {
public:
    /// @param name   the same for the same piece of work in every process of a run
    /// @param doing  what goes on, as a clause in the past: `its answers were checked`
    /// @throws DeviceError, saying why, where a process before this one died of it
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

/// While it lives, the calling thread waits for a device.
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

/// Seconds for all of the present work: no launch should take a large part of them.
void tell_budget(double seconds);

/// Ends the process for another to go on without this piece of work, if somebody watches who can
/// start one.
void go_on_in_another_process(std::string_view name, std::string_view because);

}  // namespace parallax
