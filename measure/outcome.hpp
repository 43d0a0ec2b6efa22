// The state of a case during its measurement, and its results so far.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "measure/binding.hpp"
#include "measure/host_trials.hpp"
#include "measure/verification.hpp"
#include "records/record.hpp"

namespace parallax {

/// A case and its results. Steps that were not reached leave their members empty.
struct Outcome {
    Case the_case;
    Plan plan;
    Program program;
    Codes codes;
    Status status = Status::skipped;
    std::string reason;    ///< sentences; empty for `ok`; of `checked` the clause why no times are
    bool refused = false;  ///< unsupported because of the request, not because of the case
    std::string log;       ///< the compiler's, of a failed build
    std::vector<double> build_seconds;  ///< of all kernels of the case, for each build
    std::optional<VerificationResult> checked;
    std::optional<Timing> timing;
    double batch_seconds = 0;
    bool in_cache = false;  ///< is_half_in_cache(), and no traffic over the link to the host
    Work work;
    Ceiling ceiling;
    DeviceState before, after;
    std::vector<std::string> notes;  ///< what a reader of the result should know
    Doubts doubts;                   ///< why a right answer needs a human look
    std::optional<HostTrial> host_trial;

    double bytes_per_second() const;       ///< 0: not measured
    double operations_per_second() const;  ///< 0: not measured
    /// The highest share of a ceiling, and which ceiling: `copy` or `fma`; empty: not measured.
    std::optional<std::pair<double, std::string_view>> share() const;
};

/// Its record, which keeps no device alive.
Record to_record(const Outcome&, const DeviceInfo&, const RunInfo&);

/// For Check::unchecked: a sentence each, `What: why, and what to do`. Nothing of a built-in suite,
/// whose checks are tested with planted errors, and of a wrong answer.
std::vector<std::string> unchecked_of(const Outcome&, const DeviceInfo&, const RunInfo&);

/// A sentence, with its remedy, for each property of the inputs, sizes and right answers of a
/// manifest or a captured launch that hides errors: a buffer that is all zero or one number, an
/// answer that is, one size only, a tolerance that lets whole numbers be off. None for built-in
/// suites.
std::vector<std::string> weak_data_of(const Outcome&);

}  // namespace parallax
