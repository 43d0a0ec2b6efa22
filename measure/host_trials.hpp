// Checks the user's kernels for races and out-of-bounds accesses on the host device during a
// measurement.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "common/device/devices.hpp"
#include "common/suite/suite.hpp"

namespace parallax {

struct Outcome;
struct RunConfig;

/// The result of such a trial.
struct HostTrial {
    std::string size;     ///< that was tried, the smallest one that the case is checked at
    std::string found;    ///< the errors, in full sentences; empty: none
    std::string why_not;  ///< a clause: why it says nothing; empty: it says something
};

/// Tries kernels one after the other, each in a process of its own.
class HostTrials {
public:
    virtual ~HostTrials() = default;
    /// Queues a case, of any size. Nothing happens where the kernel was queued before.
    /// @param is_timed  whether something is timed meanwhile
    virtual void ask(const Case&, bool is_timed) = 0;
    /// The result of a case's trial; waits a while for it, but only shortly where something is
    /// timed. Nothing: there is no trial, or it runs another source.
    virtual std::optional<HostTrial> result(const Case&) = 0;
    /// Stops the running process, or lets it go on.
    virtual void pause(bool is_paused) = 0;
};

/// Asks for the trials of those cases that are of the user's own kernels, unless one of the devices
/// makes the same checks.
void ask_host_trials(const RunConfig&, std::span<const Case>, std::span<const Entry>);

/// Adds the trial's result to right answers of a user's kernel: Outcome::host_trial, and a doubt.
void note_host_trial(const RunConfig&, Outcome&);

}  // namespace parallax
