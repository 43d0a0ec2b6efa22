// Result lines as JSON, for writing and validating them. All other code uses records.
#pragma once

#include <string>
#include <vector>

#include "records/json_fwd.hpp"
#include "records/result_lines.hpp"

namespace parallax {

Json to_json(const Record&);
Json to_json(const Pair&);
Json to_json(const Explanation&);
Json to_json(const TimeSpent&);
/// Parts of lines that also occur in reports.
Json to_json(const Ratio&);
Json to_json(const AnswerDistances&);
Json to_json(const std::vector<LaunchRecord>&);
Json to_json(const Doubts&);

/// A finite number as JSON; NaN and infinities, which JSON lacks, as a string of their bits:
/// `0x7ff8000000000000`.
Json number(double);

/// Any line as JSON.
Json to_json(const ResultEntry&);

/// A parsed line, or its errors.
struct ReadLine {
    ResultEntry line;
    /// The rest of a sentence each; empty: it is as docs/reference/records.md says. Foreign text in
    /// them is cut off and made printable.
    std::vector<std::string> problems;
};

/// Accepts any value.
ReadLine read_line(const Json&);

/// Only the problems.
std::vector<std::string> problems_of(const Json&);

}  // namespace parallax
