// Everything that a measurement needs: configuration, devices, time budget, thread pool, program
// cache and reference data.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "measure/run_case.hpp"
#include "measure/time_budget.hpp"
#include "measure/timed_inputs.hpp"

namespace parallax {

class DeviceSession;

/// Maximum number of cases that are prepared together.
inline constexpr std::size_t most_in_block = 12;

/// Owns these objects, and destroys them in the right order: the pool first, since its tasks use
/// all others; then builds, devices and reference data.
class MeasurementContext {
public:
    /// @param compared        the measured devices: batches suit the timer of each, and they
    /// provide references for suites without one
    /// @param budget_seconds  for `time_budget`
    MeasurementContext(RunConfig config, const std::vector<Entry>& compared,
                       double budget_seconds = 0);
    ~MeasurementContext();

    RunConfig config;
    TimeBudget time_budget;

    /// A session on a device that is not open yet. It lives as long as the context.
    DeviceSession& add_session(const Entry&);

    /// The number of cases from the start of a list that are prepared together and then timed:
    /// large, so that the pool is rarely paused, but limited by the host memory for their inputs
    /// and references.
    /// @param wanted  the minimum, also without a pool
    std::size_t block_of(std::span<const Case>, std::size_t wanted = 1) const;

    /// Lets the pool build this case for a device, unless the device lacks a required capability.
    void ask_build(Device&, const Case&);
    /// Which sizes of a case reference data are for.
    enum class Sizes { own, all };
    /// Lets the pool compute all inputs and references for verifying and timing this case on a
    /// device; its shape must be known. @param sizes  `own`: only those of that shape
    void ask_references(const DeviceInfo&, const Case&, Sizes sizes = Sizes::all);

    /// Computes the inputs and references for timing, before the pool is paused; an error becomes
    /// the outcome's status and reason.
    void get_reference_data(const DeviceInfo&, Outcome&);

private:
    void ask_all(const DeviceInfo&, const Case&, Sizes);
    TimedInputs::Renewal renewal_on(const DeviceInfo&, const Case&) const;

    std::unique_ptr<ReferenceCache> own_references_;
    std::vector<std::unique_ptr<DeviceSession>> sessions_;
    std::unique_ptr<ProgramCache> programs_;
    std::unique_ptr<ThreadPool> pool_;
};

}  // namespace parallax
