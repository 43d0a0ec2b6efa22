// One case on one device: conditions and results. Measurements create records; all other code, live
// or from a file, uses only them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/device/device.hpp"
#include "common/device/program.hpp"
#include "common/statistics/statistics.hpp"
#include "common/suite/suite.hpp"
#include "records/doubt.hpp"

namespace parallax {

/// Compile-time constants of a case with their values, by the suite's order.
using Constants = std::vector<Constant>;

/// Identifies a case: two records with equal keys are of one case, wherever and whenever they ran.
/// For searches, members may be left empty: documents give no type and few constants.
struct CaseKey {
    std::string suite, variant;
    std::string type = {};                  ///< `float`, `double`, `int`, ...
    std::vector<std::uint64_t> shape = {};  ///< extents, in the order of the suite's dimensions
    Constants constants = {};  ///< in the suite's order, which is irrelevant for equality

    /// The same key with its constants sorted by name.
    CaseKey sorted() const;
    bool operator==(const CaseKey&) const;
    bool operator<(const CaseKey&) const;

    std::string name() const;               ///< `reduction/vector`
    std::string without_constants() const;  ///< `reduction/vector float 1048576`
    /// Empty: the key has no constant of that name.
    std::optional<std::int64_t> value_of(std::string_view constant) const;
};

/// The key of a case of this program.
CaseKey key_of(const Case&);
/// `reduction/vector float 1048576 OP=0 GROUP=256`
std::string to_string(const CaseKey&);

/// How a case ended.
enum class Status {
    ok,           ///< every result is right; measured
    wrong,        ///< a result is wrong; not measured
    unsupported,  ///< a missing capability of the device, backend or language
    refused,      ///< its source has no translation for the device's language
    failed,       ///< it could not be built or run
    skipped,      ///< not tried: no time, or no room
    checked       ///< every result is right; no more was requested
};
std::string_view name_of(Status);
std::optional<Status> status_named(std::string_view);

/// Whether every answer passed the checks.
inline bool is_right(Status status) {
    return status == Status::ok || status == Status::checked;
}
/// Whether an answer passed the checks, and is to be looked at all the same.
inline bool is_doubtful(Status status, const Doubts& doubts) {
    return is_right(status) && !doubts.empty();
}
/// The word for a case's status in all readers: `doubtful` for a doubtful one, else name_of().
std::string_view status_word(Status, const Doubts&);

/// The remark on a memory-bound case with Timing::in_cache.
inline constexpr std::string_view cache_remark =
    "The last-level cache holds more than half of the buffers: this is not the speed of memory "
    "alone.";

/// Information that all lines of one run share.
struct RunInfo {
    std::string id;       ///< the same in all lines of a run
    std::string started;  ///< UTC, `2026-11-21T14:00:00Z`
    std::uint64_t seed = 0;
    std::vector<std::string> command;  ///< the words of the command line
    std::string program_version;
    std::string host;                   ///< may be empty
    std::string job;                    ///< of a scheduler; may be empty
    std::optional<std::uint32_t> task;  ///< of the job, over all of its nodes
    /// Variables that affect times, code or devices, by name (records/environment.hpp).
    std::map<std::string, std::string> environment = {};
};

/// Resources of a kernel as compiler and driver report them. Empty: not reported.
struct LaunchResources : Resources {
    std::optional<std::uint32_t> groups_per_unit;  ///< work-groups that a compute unit can hold
};

/// One launch of the plan.
struct LaunchRecord {
    std::string name;                          ///< the kernel's
    Size groups, items;                        ///< `items`: per work-group
    std::uint64_t local_bytes = 0;             ///< dynamic local memory of a work-group
    std::string values_hash;                   ///< of the arguments by value; empty: not known
    std::optional<LaunchResources> resources;  ///< nothing: it was not built
};

/// The kernel source and its compiler's options.
struct ProgramRecord {
    std::string file;                ///< `transpose.cl`
    std::string language;            ///< `portable`, `native`
    bool is_separate = false;        ///< written separately from the source of other backends
    std::string source_hash;         ///< of the source as written
    std::vector<std::string> edits;  ///< names of changes made to it on purpose
    FloatRules floats;
    std::string given_hash;  ///< of the source that the compiler received; empty: not built
    std::vector<std::string> options;   ///< of the compiler
    std::string ptx_hash;               ///< empty: there is no PTX
    std::vector<double> build_seconds;  ///< of all kernels of the case, for each build
};

/// The device's configuration on its node, the same for all cases of a run. Empty: not known.
struct DeviceSettings {
    /// The node's number of the device: of the driver's device file, else the task's on its node.
    std::optional<std::uint32_t> slot;
    std::string mig;          ///< `off`, `on`, or the profile of an instance: `1g.10gb`
    std::optional<bool> mps;  ///< a daemon of the Multi-Process Service is in use
    std::optional<bool> persistence, ecc;
    std::optional<double> power_limit_watts;
    bool operator==(const DeviceSettings&) const = default;
};

/// The properties that the device reports. Empty: not reported.
struct DeviceRecord {
    std::string name, backend, platform, vendor, uuid, pci, api, driver, compiler;
    std::string compute_capability;
    std::uint32_t compute_units = 0;
    std::uint64_t memory_bytes = 0, cache_bytes = 0;
    double timer_tick_seconds = 0;
    DeviceSettings settings = {};
    bool operator==(const DeviceRecord&) const = default;
};
DeviceRecord device_record(const DeviceInfo&, DeviceSettings settings = {});

/// One launch with a wrong result.
struct Failure {
    std::vector<std::uint64_t> shape;
    std::string pattern;  ///< of the inputs
    std::uint64_t seed = 0;
    std::string what;  ///< one sentence: the first wrong element, a damaged guard zone, ...
};

/// The result of verification.
struct Check {
    unsigned trials = 0;          ///< number of verified launches
    std::string checked_against;  ///< `reference`, `itself`, a device, ...
    std::vector<std::vector<std::uint64_t>> shapes;
    std::vector<std::string> patterns;
    double worst_share_of_bound = 0;
    double worst_ulp = 0;
    double rms_ulp = 0;  ///< over all elements, of random inputs
    /// Hash of the outputs for the case's own random inputs; of a check-only case, for all tried
    /// inputs; may be empty.
    std::string output_hash;
    std::optional<bool> repeatable;  ///< launches with equal inputs were bitwise identical
    std::optional<Failure> failure;  ///< the first; empty: all results are right
    /// For a manifest's right answers: limits of these checks, a sentence each.
    std::vector<std::string> unchecked = {};
};

/// Check::checked_against of right answers that belong to one set of inputs.
inline constexpr const char* expected_data = "expected data";
/// Whether answers that were held against this (Check::checked_against) agree with others only, and
/// may all be wrong.
bool is_agreement(std::string_view against);
/// The sentence for reports. @param what  names whose answers: suites
std::string agreement_remark(std::string_view what);

/// The timer's result.
struct Timing {
    std::string scope = "a batch of runs between two markers in one queue";
    std::string unit = "seconds of one run";
    Estimate estimate;       ///< over all samples, seconds
    std::string stopped_by;  ///< `narrow`, `most_samples`, `time`
    double least_batch_seconds = 0;
    std::vector<unsigned> repeats;     ///< runs in a batch, for each round
    bool in_cache = false;             ///< the last-level cache holds half of the buffers
    std::vector<unsigned> round;       ///< of each sample, from 0
    std::vector<double> samples;       ///< device seconds of one run of the plan, per batch
    std::vector<double> host_samples;  ///< host seconds of one run, per batch

    /// The median of each round with samples, in order; seconds.
    std::vector<double> round_medians() const;
    /// One sample says nothing about the scatter.
    bool has_interval() const { return samples.size() > 1; }
    /// Half the interval relative to the median, `±0.2 %`; for one sample `n=1`.
    std::string uncertainty_text() const;
};

/// Peak rates of the same device, measured in the same way.
struct Ceiling {
    double bytes_per_second = 0;  ///< device-to-device copy, read + written; 0: not measured
    double operations_per_second =
        0;  ///< fused multiply-adds of the case's type, 2 operations each; 0: not measured
    double launch_seconds = 0;  ///< of an empty launch; 0: not measured
    double others_use = 0;  ///< share of the device that others used meanwhile; 0: none, or unknown
    bool operator==(const Ceiling&) const = default;
};

/// The ceiling that the case comes closest to. Empty name: unknown.
struct CeilingShare {
    double share = 0;
    std::string of;  ///< `copy` or `fma`
};

/// The state of a device at one moment. Empty: not known.
struct DeviceState {
    std::optional<std::uint32_t> sm_clock_mhz, memory_clock_mhz;
    std::optional<std::uint32_t> max_sm_clock_mhz, max_memory_clock_mhz;
    std::optional<std::uint32_t> temperature_celsius;
    std::optional<double> power_watts, power_limit_watts;
    std::optional<bool> ecc;
    std::optional<std::uint64_t> throttle_reasons;  ///< NVML's bits; 0: none
    std::optional<std::uint32_t> other_processes;   ///< that use it, without this one
    std::optional<double> others_use;               ///< share of its time during the measurement
};

/// A case on a device, and all that is known of it after it ran. docs/reference/record-members.md
/// lists its members.
struct Record {
    CaseKey key;
    std::string device;  ///< `backend:index` in that run
    char side = 0;       ///< `a` or `b`: in a live diff; 0: in a run
    Status status = Status::skipped;
    std::string reason;  ///< one or more sentences; empty for `ok`
    std::string log;     ///< the compiler's, of a failed build
    std::vector<LaunchRecord> launches;
    ProgramRecord program;
    DeviceRecord where;
    RunInfo run;
    std::optional<Check> check;    ///< empty: it was not built
    std::optional<Timing> timing;  ///< only with status ok
    Work work;                     ///< of one run of the plan; where there is a timing
    Ceiling ceiling;
    CeilingShare share;
    DeviceState before, after;       ///< the measurement
    std::vector<std::string> notes;  ///< what a reader of the result should know
    Doubts doubts;                   ///< why a right answer needs a human look
    /// When, UTC, a ceiling was measured that an earlier run has kept; empty: in this run.
    std::string measured;
    /// The default constants, if those that `parallax tune` kept were used; otherwise empty.
    Constants default_constants = {};
    /// For side B, where it is another kernel than side A: A's variant and constants. Empty: both
    /// sides run one kernel.
    std::string compared_with = {};
    Constants compared_constants = {};

    /// The key of the case as requested: with the default constants, and of A's kernel where the
    /// sides are two.
    CaseKey asked() const;

    double seconds() const { return timing ? timing->estimate.median : 0; }  ///< 0: not measured
    double low() const { return timing ? timing->estimate.low : 0; }         ///< of the median
    double high() const { return timing ? timing->estimate.high : 0; }       ///< of the median
    double bytes_per_second() const { return timing ? work.bytes / seconds() : 0; }
    double operations_per_second() const { return timing ? work.operations / seconds() : 0; }
    /// Whether its result is in operations rather than bytes.
    bool counts_operations() const;
    /// `48.2 GB/s`, `12 TFLOP/s`; empty: not measured, or no data and no arithmetic.
    std::string rate_text() const;
};

/// The case as requested, as Record::asked().
CaseKey asked_key_of(const Case&);

/// `GROUP=512 ITEMS=16`
std::string constants_text(const Constants&);
/// The constants of `now` that differ from `before`, or are missing there.
Constants changed_constants(const Constants& now, const Constants& before);
/// A sentence about the tuned constants of a record with `default_constants`.
std::string tuned_sentence(const Record&);

/// Whether both ran on one physical device, as same_physical_device for live entries. False if
/// unknown.
bool one_physical_device(const DeviceRecord& a, const DeviceRecord& b);

/// Larger shares of a device's own ceiling are impossible: ceilings are known to a few percent.
inline constexpr double possible_share = 1.2;
/// The same where others used the device while the ceiling was measured, and of operations that
/// have no ceiling of their own, and are held against those of `float`.
inline constexpr double possible_share_of_rough = 16;
/// Whether operations of this type have a ceiling of their own.
constexpr bool has_ceiling(ElementType type) {
    return is_floating(type) && is_suite_type(type);
}
/// Adds a doubt where the result is impossible: it is above the device's measured ceiling, and
/// neither a cache nor the copy of a processor, which has no PCI address, explains it.
void add_ceiling_doubt(Record&);

/// Why `--strict` takes the case for a failure, though it is neither wrong nor failed: `doubtful`,
/// `refused`, `unsupported` (a native kernel of the program's own is meant for one API) or
/// `not compared`; empty: it does not.
std::string_view strict_failure(const Record&);

/// Names and values of a record's device and program for people: `driver`, `580.159`. In a fixed
/// order; `unknown` where the device does not report it.
std::vector<std::pair<std::string, std::string>> facts_of(const Record&);

/// Prefix of the names of edits that break a kernel on purpose, to demonstrate verification.
inline constexpr std::string_view broken_edit = "broken by lesson ";
/// Whether the kernel was broken on purpose: the record is no result of its suite.
bool is_broken_on_purpose(const Record&);

/// Whether it is of the suite's own kernel, with the default float rules.
bool is_of_the_suite(const Record&);

/// Use by others up to this share is negligible; above it, conclusions from time alone are
/// doubtful, ceilings are not stored, and a fleet report marks the device as busy.
inline constexpr double others_noticed = 0.02;
/// A ceiling measured while others used more than this share is invalid: higher rates are not
/// suspicious.
inline constexpr double disturbed_ceiling = 0.05;

}  // namespace parallax
