// What every measurement needs: configuration, devices, time budget, thread pool, program cache and
// reference data.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "measure/run_case.hpp"
#include "measure/time_budget.hpp"

namespace parallax {

class DeviceSession;

/// Cases that are prepared together, at most.
inline constexpr std::size_t most_in_block = 12;

/// Owns what a run measures with, and destroys it in the right order: the pool first, since its
/// tasks use all the rest; then builds, devices and reference data.
class MeasurementContext {
public:
    /// @param compared        the devices that are measured: batches are long enough for the timer
    /// of each, and suites without a reference are answered for by them
    /// @param budget_seconds  for `time_budget`
    MeasurementContext(RunConfig config, const std::vector<Entry>& compared,
                       double budget_seconds = 0);
    ~MeasurementContext();

    RunConfig config;
    TimeBudget time_budget;

    /// A session on a device, which is not opened yet. It lives as long as the context.
    DeviceSession& add_session(const Entry&);

    /// How many cases of a list, from its first on, are prepared together and timed then: many, so
    /// that the pool is seldom stopped, and no more than have their inputs and references in the
    /// host's memory at once.
    /// @param wanted  so many at least, without a pool too
    std::size_t block_of(std::span<const Case>, std::size_t wanted = 1) const;

    /// Lets the pool build this case for a device. Does nothing where the device lacks what the
    /// case needs.
    void ask_build(Device&, const Case&);
    /// Lets the pool make all inputs and right answers that checking and timing this case needs on
    /// a device; its shape must be known.
    void ask_references(const DeviceInfo&, const Case&);

    /// Makes the inputs and right answers that timing needs, before the pool rests; what goes wrong
    /// becomes the outcome's status and reason.
    void get_reference_data(const DeviceInfo&, Outcome&);

private:
    void ask_all(const DeviceInfo&, const Case&);

    std::unique_ptr<ReferenceCache> own_references_;
    std::vector<std::unique_ptr<DeviceSession>> sessions_;
    std::unique_ptr<ProgramCache> programs_;
    std::unique_ptr<ThreadPool> pool_;
};

}  // namespace parallax
