// One case on one device, as it is kept: one line of JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/device.hpp"
#include "common/suite.hpp"
#include "measure/binding.hpp"
#include "measure/clock.hpp"
#include "measure/gate.hpp"
#include "measure/telemetry.hpp"
#include "records/json_fwd.hpp"

namespace parallax {

/// How a case ended.
enum class Status {
    ok,           ///< every answer right; measured
    wrong,        ///< an answer was not right; not measured
    unsupported,  ///< the device, the backend or the language has not got it
    failed,       ///< it could not be built or run
    skipped       ///< not tried: no time, or no room
};
std::string_view name_of(Status);
std::optional<Status> status_named(std::string_view);

/// What a case is measured against on the same device, in the same run, by the same clock.
struct Ceiling {
    double bytes_per_second = 0;  ///< device-to-device copy, read + written; 0: not measured
    double operations_per_second =
        0;                      ///< fused multiply-adds of the case's type, 2 each; 0: not measured
    double launch_seconds = 0;  ///< a launch that does next to nothing; 0: not measured
    bool operator==(const Ceiling&) const = default;
};

/// The circumstances that all records of one run share.
struct RunInfo {
    std::string id;       ///< the same in all records of one run
    std::string started;  ///< UTC, `2026-11-21T14:00:00Z`
    std::uint64_t seed = 0;
    std::vector<std::string> command;  ///< the words of the command line
};

/// As every kept line says by which run it was made.
Json to_json(const RunInfo&);

/// A case and all that is known of it after it ran. Parts that were not reached are empty.
struct Outcome {
    Case the_case;
    Plan plan;
    Program program;
    Codes codes;
    Status status = Status::skipped;
    std::string reason;    ///< one or more sentences; empty for `ok`
    bool refused = false;  ///< unsupported because of what was asked for, not of what it is
    std::string log;       ///< the compiler's, of a build that failed
    std::vector<double> build_seconds;  ///< all kernels of the case, each time they were made
    std::optional<Checked> checked;
    std::optional<Timing> timing;
    double batch_seconds = 0;
    bool in_cache = false;  ///< the buffers fit in the last-level cache
    Work work;
    Ceiling ceiling;
    DeviceState before, after;
    std::vector<std::string> notes;  ///< what a reader of the figure should know

    double bytes_per_second() const;       ///< 0: not measured
    double operations_per_second() const;  ///< 0: not measured
    /// Share of the ceiling that the case is nearer to, and which: `copy` or `fma`; nothing where
    /// it was not measured.
    std::optional<std::pair<double, std::string_view>> share() const;
};

/// The record; docs/record.md lists its members.
Json to_record(const Outcome&, const DeviceInfo&, const RunInfo&);

/// A finite number as JSON; NaN and infinities, which JSON lacks, as a string of their bits:
/// `0x7ff8000000000000`.
Json number(double);

/// Whether a line is a pair, by its schema.
bool is_pair(const Json& line);

/// Whether a line is an explanation, by its schema.
bool is_explanation(const Json& line);

/// What is wrong with a record, a pair or an explanation, the rest of a sentence each; empty: it is
/// as docs/record.md says. Any value may be given. Foreign text in it is cut off and made
/// printable.
std::vector<std::string> problems_of(const Json& line);

}  // namespace parallax
