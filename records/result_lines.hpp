// The kinds of lines in result files, as values and as text.
#pragma once

#include <string>
#include <variant>

#include "common/profile.hpp"
#include "records/explanation.hpp"
#include "records/pair.hpp"
#include "records/record.hpp"

namespace parallax {

/// The profile that `--timing` requests.
struct TimeSpent {
    RunInfo run;
    double wall_seconds = 0;        ///< from the search for devices to the last result
    std::vector<PhaseTime> phases;  ///< Profile::times
};

/// A line of a result file. docs/reference/record-members.md lists the members of each kind.
using ResultEntry = std::variant<Record, Pair, Explanation, TimeSpent>;

/// The line as JSON text without its end. Bytes that are not UTF-8 are replaced.
std::string text_of(const ResultEntry&);

/// The members as docs/reference/record-members.md documents them, in Markdown: a table per part of
/// a line, each after a line `<!-- members: PART -->`.
std::string members_page();

/// The same for programs, as JSON: for each part `name` and `members`, and for a whole line `line`
/// with its schema and version. The classes of the Python package are made of it.
std::string members_json();

}  // namespace parallax
