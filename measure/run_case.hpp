// One case on one device, from its text to its outcome: build, check, measure, check again.
#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "common/device/device.hpp"
#include "common/device/devices.hpp"
#include "common/process/parallel.hpp"
#include "common/suite/suite.hpp"
#include "measure/clock.hpp"
#include "measure/device_lock.hpp"
#include "measure/outcome.hpp"
#include "measure/program_cache.hpp"
#include "measure/reference_data.hpp"
#include "measure/resume_state.hpp"

namespace parallax {

/// What the cases of a run have in common.
struct RunConfig {
    /// The text of a kernel file. @throws UsageError when there is none of that name.
    std::function<std::string(std::string_view file)> kernel_source;
    ReferenceCache* references = nullptr;
    /// Where reference kernels run, the first of them that can; empty: on what is compared.
    std::function<std::vector<Entry>()> reference_entries;
    std::uint64_t seed = 0;
    FloatRules floats;
    StoppingRule rule;
    /// Cases with buffers up to this size, bytes in all, are checked after every round of turns,
    /// others after the first and the last.
    std::uint64_t check_rounds_up_to = std::uint64_t{16} << 20;
    bool compares_answers = true;   ///< turns find how far both sides' answers are apart
    std::function<void()> between;  ///< called often; may throw Interrupted
    /// Asked before each trial of verification: without time the case is skipped. Thread-safe;
    /// none: there always is. Ceilings are checked all the same.
    std::function<bool()> has_time;
    /// Called with true before the batches of a round are timed, with false after them; none: there
    /// is nobody who could disturb them.
    std::function<void(bool timing)> quiet;
    bool is_brief = false;     ///< a verification with fewer trials (verify_case)
    bool only_checks = false;  ///< nothing is timed, on any device
    /// Threads that may work ahead: they build, and make inputs and references.
    unsigned workers = 0;
    /// That this process may use.
    unsigned cores = usable_cores();
    /// Where ceilings are kept from run to run (measure/kept_ceilings.hpp); empty: nowhere.
    std::filesystem::path ceilings_file;
    bool fresh_ceilings = false;  ///< they are measured, whatever is kept
    DeviceLockRule locks;         ///< of GPUs, which other runs of this program wait for
    ResumeState earlier;          ///< what is not measured again
    /// Set by MeasurementContext (measure/measurement_context.hpp). Without them everything is made
    /// when it is needed.
    ThreadPool* pool = nullptr;
    ProgramCache* programs = nullptr;
};

/// The program that a case is built from on devices of `backend`; without one, the portable text or
/// the first native one.
/// @throws UsageError when the kernel file is missing.
Program program_of(const Case&, const RunConfig&, std::string_view backend = {});

/// Who answers for suites without a reference of their own, of the devices that are compared.
std::shared_ptr<ReferenceProvider> references_among(std::vector<Entry> compared, const RunConfig&);

/// Whether cases that are right on this device are timed.
inline bool is_timed_on(const DeviceInfo& info, const RunConfig& config) {
    return !config.only_checks && !info.only_checks;
}

/// Why this device has not got what the case needs, whatever its size; empty: it has.
std::string missing_capability(const DeviceInfo&, const Case&);

/// Why the plan's buffers do not fit on a device, in one sentence; empty: they do.
std::string too_large(const DeviceInfo&, const Plan&);
/// @throws UsageError where that is so on all of them, if there are any
void refuse_what_fits_nowhere(const Case&, std::span<const Entry>);

/// Whether the last-level cache holds more than half of the plan's buffers.
bool is_half_in_cache(const DeviceInfo&, const Plan&);

/// The outcome of a case that has not been built yet: what is to run, and how much work it is.
/// @throws what plan_of and program_of throw
Outcome outcome_for(const Case&, const RunConfig&, std::string_view backend = {});

/// What a case on a device is called while it is in hand (common/process/watchdog.hpp).
std::string watchdog_name(const DeviceInfo&, const Case&);

/// Of what the budget did not reach: `skipped`, or `failed` where an earlier process of this run
/// died of it.
void end_unreached(Outcome&, const DeviceInfo&, double budget_seconds);
/// Of an outcome that is right, where nobody times it: `checked`.
/// @param because  a clause, as in `--check asks for no more`
void end_checked(Outcome&, std::string_view because);
/// Such a clause for a device that is for checks alone.
std::string never_timed(const DeviceInfo&);

/// Host seconds that all kernels of a case took to build.
double build_seconds(const Codes&);

/// Builds and checks. Everything that can go wrong becomes the outcome's status and reason; only
/// Interrupted gets out. `ok`: every answer was right, and it may be timed.
Outcome build_and_verify(Device&, const Case&, const Ceiling&, const RunConfig&);

/// Times, on its own, what has passed verification, and checks what the timed launches left behind.
/// The crew has to rest meanwhile.
void time_case(Device&, const RunConfig&, Outcome&);

/// The status that follows from what was checked: `ok` with the notes of its timing, or what is
/// wrong.
void status_from_verification(const DeviceInfo&, Outcome&);

/// The status that follows from an error. @throws Interrupted, DeviceBusy when it was that
void status_from_exception(const DeviceInfo&, Outcome&, const std::exception_ptr&);

/// Builds, checks and, when every answer was right, times it alone while the pool rests.
Outcome run_case(Device&, const Case&, const Ceiling&, const RunConfig&);

}  // namespace parallax
