// One case on one device, from source to outcome: build, verify, time, verify again.
#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/device/device.hpp"
#include "common/device/devices.hpp"
#include "common/process/parallel.hpp"
#include "common/process/watchdog.hpp"
#include "common/suite/suite.hpp"
#include "measure/device_lock.hpp"
#include "measure/host_trials.hpp"
#include "measure/outcome.hpp"
#include "measure/program_cache.hpp"
#include "measure/reference_data.hpp"
#include "measure/resume_state.hpp"
#include "measure/timing_loop.hpp"

namespace parallax {

/// The float rules of a run, for variants without their own.
struct FloatChoice {
    FloatRules rules;
    /// In place of `rules` what each backend's compiler does when nothing is said: OpenCL's
    /// contracts and divides approximately, nvcc contracts and divides exactly.
    bool as_shipped = false;
    FloatRules of(std::string_view backend) const;
};

/// Settings that all cases of a run share.
struct RunConfig {
    /// Returns a kernel file's source. @throws UsageError when there is none of that name.
    std::function<std::string(std::string_view file)> kernel_source;
    std::optional<SourceFiles> files = {};  ///< of these, as in `Program`
    ReferenceCache* references = nullptr;
    /// Without a reference: the kernel whose answers others of its problem are compared with. Null:
    /// each kernel's own, of another device or another run.
    const Variant* base = nullptr;
    /// Devices for reference kernels, in order; empty: the compared ones.
    std::function<std::vector<Entry>()> reference_entries;
    std::uint64_t seed = 0;
    FloatChoice floats;
    StoppingRule rule;
    /// Cases with at most this many bytes of buffers are verified after every round, others after
    /// the first and the last.
    std::uint64_t check_rounds_up_to = std::uint64_t{16} << 20;
    bool compares_answers = true;  ///< determines the distance between both sides' results
    /// Called before batches, trials and cases; may throw Interrupted.
    std::function<void()> check_interrupt;
    /// Called before each trial of verification: false skips the case. Thread-safe; empty: always
    /// true. Ceilings are verified in any case.
    std::function<bool()> has_time;
    /// Called with true before the batches of a round are timed, with false after them; empty:
    /// nothing can disturb them.
    std::function<void(bool timing)> quiet;
    bool is_brief = false;     ///< verification with fewer trials (trials_of)
    bool only_checks = false;  ///< nothing is timed, on any device
    bool is_paired = false;    ///< cases are timed alternately on two devices
    /// Number of threads that build and compute inputs and references ahead.
    unsigned workers = 0;
    /// Available to this process.
    unsigned cores = usable_cores();
    /// The file of stored ceilings (measure/kept_ceilings.hpp); empty: none.
    std::filesystem::path ceilings_file;
    bool fresh_ceilings = false;  ///< measure them in any case
    /// The part of a session's budget after which its next cases come before more ceilings.
    double most_for_ceilings = 1;
    /// A sentence on the share of mutants that the checks of a case detect, where it is known
    /// (`parallax selftest`); empty: not known.
    std::function<std::string(const Case&)> score_of_checks;
    /// Null: none are made.
    std::shared_ptr<HostTrials> host_trials;
    bool checks_one_size = false;  ///< verifies a case at its own size alone
    std::filesystem::path saved_outputs;  ///< Verifier::saved_outputs, of all cases; empty: none
    DeviceLockRule locks;          ///< of GPUs, shared with other runs of this program
    ResumeState earlier;           ///< results of earlier workers, not measured again
    /// Set by MeasurementContext (measure/measurement_context.hpp). Null: everything is computed on
    /// demand.
    ThreadPool* pool = nullptr;
    ProgramCache* programs = nullptr;
};

/// The program of a case on devices of `backend`, as on_backend() has it; without a backend, the
/// portable source or the first native one.
/// @throws UsageError when the kernel file is missing.
Program program_of(const Case&, const RunConfig&, std::string_view backend = {});

/// The reference provider for suites without a reference, among the compared devices.
std::shared_ptr<ReferenceProvider> references_among(std::vector<Entry> compared, const RunConfig&);

/// Whether verified cases are timed on this device.
inline bool is_timed_on(const DeviceInfo& info, const RunConfig& config) {
    return !config.only_checks && !info.only_checks;
}

/// The capability that the device lacks for the case, whatever its size; empty: none.
std::string missing_capability(const DeviceInfo&, const Case&);

/// Why the plan's buffers do not fit on a device, in one sentence; empty: they do.
std::string too_large(const DeviceInfo&, const Plan&);
/// @throws UsageError where they fit on none of the entries, if there are any
void refuse_what_fits_nowhere(const Case&, std::span<const Entry>);

/// Whether the last-level cache holds more than half of the plan's buffers.
bool is_half_in_cache(const DeviceInfo&, const Plan&);

/// The outcome of a case before its build: its program and its work.
/// @throws the errors of plan_of and program_of
Outcome outcome_for(const Case&, const RunConfig&, std::string_view backend = {});

/// The outcome of a case that this device has verified before, built on it.
/// @throws the same, and those of the build
Outcome outcome_as_verified(Device&, const Case&, const RunConfig&);

/// The name of a case on a device for the watchdog (common/process/watchdog.hpp).
std::string watchdog_name(const DeviceInfo&, const Case&);

/// Marks a launch of the case at its size; empty: on a device that measures. Nothing tells
/// beforehand that the host is too slow for one long work-group.
/// @param is_smaller_right  whether the case ended at another size
/// @param doing  WatchdogScope's
/// @throws TooSlow where a launch did not end at this size, and others do
std::optional<WatchdogScope> scope_of_size(const DeviceInfo&, const Case&, bool is_smaller_right,
                                           std::string_view doing);

/// Ends a case that the budget did not reach: `skipped`, or `failed` where it ended an earlier
/// worker of this run.
void end_unreached(Outcome&, const DeviceInfo&, double budget_seconds);
/// Ends a right case that is not timed: `checked`.
/// @param because  a clause, as in `--check asks for no more`
void end_checked(Outcome&, std::string_view because);
/// Such a clause for a device that only verifies.
std::string never_timed(const DeviceInfo&);

/// Host seconds that all kernels of a case took to build.
double build_seconds(const Codes&);

/// Builds and verifies. Every error becomes the outcome's status and reason, except Interrupted.
/// `ok`: all results are right, and it may be timed.
Outcome build_and_verify(Device&, const Case&, const Ceiling&, const RunConfig&);

/// Times a verified case on its own, and verifies the outputs of the timed launches. The pool must
/// be paused.
void time_case(Device&, const RunConfig&, Outcome&);

/// Derives the status from verification: `ok` with the notes of its timing, or the error.
void status_from_verification(const DeviceInfo&, Outcome&);

/// Derives the status from an exception. @throws Interrupted, DeviceBusy: these are rethrown
void status_from_exception(const DeviceInfo&, Outcome&, const std::exception_ptr&);

/// Builds, verifies and, if all results are right, times it alone while the pool is paused.
Outcome run_case(Device&, const Case&, const Ceiling&, const RunConfig&);

}  // namespace parallax
