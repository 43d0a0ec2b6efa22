// Lines of result files as JSON: for those who write or try them as such. Everybody else takes
// records.
#pragma once

#include <string>
#include <vector>

#include "records/json_fwd.hpp"
#include "records/lines.hpp"

namespace parallax {

Json to_json(const Record&);
Json to_json(const Pair&);
Json to_json(const Explanation&);
Json to_json(const TimeSpent&);
/// Parts of lines that reports have too.
Json to_json(const Ratio&);
Json to_json(const AnswerDistances&);
Json to_json(const std::vector<LaunchRecord>&);

/// A finite number as JSON; NaN and infinities, which JSON lacks, as a string of their bits:
/// `0x7ff8000000000000`.
Json number(double);

/// The line as JSON, whatever its kind.
Json to_json(const ResultEntry&);

/// What a line stands for, or what is wrong with it.
struct ReadLine {
    ResultEntry line;
    /// The rest of a sentence each; empty: it is as docs/reference/records.md says. Foreign text in
    /// them is cut off and made printable.
    std::vector<std::string> problems;
};

/// Takes any value.
ReadLine read_line(const Json&);

/// The problems alone.
std::vector<std::string> problems_of(const Json&);

}  // namespace parallax
