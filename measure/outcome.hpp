// A case while it is measured: what runs it, and what has come out so far.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "measure/binding.hpp"
#include "measure/verification.hpp"
#include "records/record.hpp"

namespace parallax {

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
    std::optional<VerificationResult> checked;
    std::optional<Timing> timing;
    double batch_seconds = 0;
    bool in_cache = false;  ///< is_half_in_cache(), and nothing crosses the link to the host
    Work work;
    Ceiling ceiling;
    DeviceState before, after;
    std::vector<std::string> notes;  ///< what a reader of the figure should know
    Doubts doubts;                   ///< why a right answer needs a human look

    double bytes_per_second() const;       ///< 0: not measured
    double operations_per_second() const;  ///< 0: not measured
    /// Share of the ceiling that the case is nearer to, and which: `copy` or `fma`; nothing where
    /// it was not measured.
    std::optional<std::pair<double, std::string_view>> share() const;
};

/// What is kept of it: it holds on to no device.
Record to_record(const Outcome&, const DeviceInfo&, const RunInfo&);

}  // namespace parallax
