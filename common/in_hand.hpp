// What this process is at, told to the one that watches it: a case may end it, or never end.
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
struct Deadly {
    std::string name;    ///< as InHand is given it
    std::string reason;  ///< why, in a sentence or two
};

/// What one thread is at, in memory that two processes share.
struct Hand {
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
struct Desk {
    std::array<Hand, 64> hands;
    std::atomic<double> budget_seconds;  ///< 0: not known
    std::atomic<std::uint64_t> printed;  ///< bytes that went to standard output
    std::atomic<bool> has_ended;         ///< all is done but the end of the process
    std::atomic<int> code;               ///< its exit code, when it has
    std::atomic<bool> is_interrupted;    ///< by the watcher: somebody wants the end
};

/// How this process is watched. Set before it starts threads.
struct Watched {
    Desk* desk = nullptr;           ///< null: it is not
    std::vector<Deadly> deadly;     ///< what is not tried again, from earlier processes of this run
    bool is_next = false;           ///< it goes on with what another has begun
    bool one_at_a_time = false;     ///< it was not clear which piece of work ended the one before
    bool is_closing = false;        ///< it shows what has been measured, and measures nothing
    HostClock::time_point begun{};  ///< the first of these processes
};
Watched& watched();

/// What an earlier process of this run died of, by this name or a longer one of it; null: nothing.
const Deadly* died_of(std::string_view name);

/// While it lives, the calling thread is at a piece of work; the one around it waits. Costs nothing
/// worth a word where nobody watches.
class InHand {
public:
    /// @param name   the same for the same piece of work in every process of a run
    /// @param doing  what goes on, as a clause in the past: `its answers were checked`
    /// @throws DeviceError, saying why, where a process before this one died of it
    InHand(std::string_view name, std::string_view doing, Hand::At = Hand::At::step);
    ~InHand();
    InHand(const InHand&) = delete;
    InHand& operator=(const InHand&) = delete;

private:
    Hand* hand_;
    Hand::At at_ = {};
    decltype(Hand::name) name_;
    decltype(Hand::doing) doing_;
};

/// While it lives, the calling thread waits for a device.
class InLaunch {
public:
    InLaunch();
    ~InLaunch();
    InLaunch(const InLaunch&) = delete;
    InLaunch& operator=(const InLaunch&) = delete;

private:
    Hand* hand_;
    Hand::At at_ = {};
};

/// Seconds for all of the present work: no launch should take a large part of them.
void tell_budget(double seconds);

/// Ends the process for another to go on without this piece of work, if somebody watches who can
/// start one.
void go_on_in_another_process(std::string_view name, std::string_view because);

}  // namespace parallax
