// Where the wall time of a command goes.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "common/host_clock.hpp"

namespace parallax {

/// What the program can be busy with.
enum class Phase {
    opening,       ///< finding devices, and making contexts and queues
    translating,   ///< OpenCL C into CUDA C++
    building,      ///< compilers at work
    loading,       ///< code that is built, once more at another place
    inputs,        ///< made on the host
    references,    ///< right answers, made on the host
    transfers,     ///< between host and device, and allocation
    verification,  ///< the rest of checking: launches, comparisons, hashes
    timing,        ///< timed batches and their warm-up
    self_checks,   ///< a side against itself, all but its batches
    waiting,       ///< for work that other threads do
    other
};
/// `opening`, `translating`, ..., `self checks`, ..., `other`
std::string_view name_of(Phase);

/// Seconds of one phase.
struct PhaseTime {
    std::string phase;    ///< name_of()
    std::string detail;   ///< the backend, for instance; may be empty
    bool beside = false;  ///< spent by other threads while the command did something else
    double seconds = 0;
    unsigned count = 0;  ///< how often
};

/// Adds up what threads spend in phases. Thread-safe.
class Profile {
public:
    void add(Phase, std::string_view detail, bool beside, double seconds);
    /// In the order of Phase; what went on beside comes last. The command's own time that no phase
    /// had is `other`: together with it the entries that are not beside fill `wall_seconds`.
    std::vector<PhaseTime> times(double wall_seconds) const;

private:
    struct Sum {
        double seconds = 0;
        unsigned count = 0;
    };
    mutable std::mutex mutex_;
    std::map<std::tuple<bool, Phase, std::string>, Sum> sums_;
};

/// To what the calling thread's phases are added; null: to nothing.
Profile* current_profile();

/// While it lives, phases of the calling thread are added to a profile.
class Profiled {
public:
    /// @param profile  null: nothing is measured
    /// @param beside   it is a thread that works for the one that runs the command
    explicit Profiled(Profile* profile, bool beside = false);
    Profiled(const Profiled&) = delete;
    Profiled& operator=(const Profiled&) = delete;
    ~Profiled();

private:
    Profile* before_;
    bool beside_before_;
};

/// While it lives, the calling thread is in this phase, and the phase around it pauses. Within
/// Phase::self_checks all phases but Phase::timing count as that one.
class InPhase {
public:
    explicit InPhase(Phase, std::string_view detail = {});
    InPhase(const InPhase&) = delete;
    InPhase& operator=(const InPhase&) = delete;
    ~InPhase();

private:
    void end_of_part();

    Profile* profile_;
    InPhase* around_ = nullptr;
    Phase phase_;
    std::string detail_;
    HostClock::time_point start_;
    double seconds_ = 0;
};

}  // namespace parallax
