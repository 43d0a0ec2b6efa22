// Profiles a command: how its wall time is divided among phases.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "common/host_clock.hpp"

namespace parallax {

/// Phases of the program.
enum class Phase {
    opening,       ///< finding devices, and making contexts and queues
    translating,   ///< OpenCL C into CUDA C++
    building,      ///< in compilers
    loading,       ///< loading built code again at another place
    inputs,        ///< generated on the host
    references,    ///< reference results, computed on the host
    transfers,     ///< between host and device, and allocation
    verification,  ///< the rest of verification: launches, comparisons, hashes
    timing,        ///< timed batches and their warm-up
    self_checks,   ///< a side against itself, except for its batches
    waiting,       ///< for the work of other threads
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
    unsigned count = 0;  ///< number of entries
};

/// Adds up the time that threads spend in phases. Thread-safe.
class Profile {
public:
    void add(Phase, std::string_view detail, bool beside, double seconds);
    /// In the order of Phase, then the time of other threads. The command's time outside all phases
    /// is `other`; all entries of the command itself add up to `wall_seconds`.
    std::vector<PhaseTime> times(double wall_seconds) const;

private:
    struct Sum {
        double seconds = 0;
        unsigned count = 0;
    };
    mutable std::mutex mutex_;
    std::map<std::tuple<bool, Phase, std::string>, Sum> sums_;
};

/// The profile of the calling thread; null: none.
Profile* current_profile();

/// Adds the calling thread's phases to a profile while it lives.
class Profiled {
public:
    /// @param profile  null: nothing is measured
    /// @param beside   the thread works for the thread that runs the command
    explicit Profiled(Profile* profile, bool beside = false);
    Profiled(const Profiled&) = delete;
    Profiled& operator=(const Profiled&) = delete;
    ~Profiled();

private:
    Profile* before_;
    bool beside_before_;
};

/// Puts the calling thread into a phase while it lives; the enclosing phase pauses. Within
/// Phase::self_checks all phases except Phase::timing count as that phase.
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
