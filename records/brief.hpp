// Records in brief: what a reader of very many files needs of each, without samples, launches and
// checks. Nothing that it meets in a file ends the reading.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "records/record.hpp"

namespace parallax {

/// The part of a record that a report over many devices needs.
struct BriefRecord {
    CaseKey key;
    std::string device;  ///< `backend:index` in that run
    std::string side;    ///< `a`, `b`: of a live diff
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
    std::optional<Timing> timing;  ///< of status ok, and of no other
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

    /// Whether its figure counts operations rather than bytes, as Record::counts_operations().
    bool counts_operations() const;
};

/// What a line of a file turned out to be.
struct BriefLine {
    enum class Kind {
        record,
        other,   ///< a line of this program that is no record, or a blank one
        cut,     ///< it ends in the middle
        newer,   ///< of a version that this program does not read
        refused  ///< anything else
    } kind = Kind::other;
    std::optional<BriefRecord> record;
    std::string problem;  ///< of `newer` and `refused`: the rest of a sentence
};

/// Takes any text.
BriefLine read_brief(std::string_view line);

/// Calls `take` for each line of a file. @returns why the file cannot be read, or read to its end;
/// empty: it was
std::string read_brief_file(const std::filesystem::path&,
                            const std::function<void(BriefLine&&, unsigned number)>& take);

}  // namespace parallax
