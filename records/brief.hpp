// Reads short summaries of very many records, without samples, launches and checks. No content of a
// file ends the reading.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "records/record.hpp"

namespace parallax {

/// The part of a record for a report over many devices.
struct BriefRecord {
    CaseKey key;
    std::string device;  ///< `backend:index` in that run
    std::string side;    ///< `a`, `b`: in a live diff
    Status status = Status::skipped;
    std::string reason;
    std::string measured;  ///< as Record::measured
    struct Program {
        std::string source_hash;
        std::vector<std::string> edits;
        FloatRules floats;
    } program;
    DeviceRecord where;
    RunInfo run;
    struct Timing {
        double median = 0;  ///< seconds of one run, above 0
    };
    std::optional<Timing> timing;  ///< only with status ok
    std::optional<Work> work;
    struct CeilingLine {
        Ceiling ceiling;
        CeilingShare share;
    };
    std::optional<CeilingLine> ceiling;
    struct States {
        DeviceState after;
    };
    std::optional<States> state;
    std::vector<std::string> notes;
    Doubts doubts;

    /// Whether its result is in operations rather than bytes, as Record::counts_operations().
    bool counts_operations() const;
};

/// The kind of a line.
struct BriefLine {
    enum class Kind {
        record,
        other,   ///< another kind of line, or a blank one
        cut,     ///< truncated
        newer,   ///< of an unsupported newer version
        refused  ///< anything else
    } kind = Kind::other;
    std::optional<BriefRecord> record;
    std::string problem;  ///< for `newer` and `refused`: the rest of a sentence
};

/// Accepts any text.
BriefLine read_brief(std::string_view line);

/// Calls `take` for each line of a file. @returns why the file cannot be read to its end; empty: it
/// was
std::string read_brief_file(const std::filesystem::path&,
                            const std::function<void(BriefLine&&, unsigned number)>& take);

}  // namespace parallax
