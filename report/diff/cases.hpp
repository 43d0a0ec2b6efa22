// One row for each case of a diff: the cells that text, Markdown and the page show of it.
#pragma once

#include <string>
#include <vector>

#include "report/grid.hpp"

namespace parallax::report {

/// Columns of cases_grid(), in the order of its list of columns. case_decision is the last.
enum CaseColumn : std::size_t {
    case_title,
    case_verdict,   ///< `CUDA 1.64x slower`
    case_ratio,     ///< `1.003 (0.998-1.008)`
    case_interval,  ///< the same as a bar; without text
    case_status_a,  ///< `ok`, `unsupported`, `missing`
    case_status_b,
    case_time_a,  ///< of one run
    case_time_b,
    case_rate_a,  ///< of bytes or of operations, whichever the case is about
    case_rate_b,
    case_share_a,  ///< of the ceiling that the side is nearer to: `97 % copy`
    case_share_b,
    case_answer,    ///< `identical`, `2 ULP apart`
    case_decision,  ///< `pass`, `fail`, `undecided`; empty where none was requested
};

/// A row for each of these cases, in their order. The note says why the verdict is what it is.
Grid cases_grid(const Diff&, const std::vector<const CaseDiff*>&);

/// The number of the diff's cases per verdict, one row per suite.
Grid counts_grid(const Diff&);

/// Whether operations and not bytes are what the case is about.
bool counts_operations(const CaseDiff&);

/// The verdict's reason, what the sides add to it, and the answer of its explanation.
std::string reason_of(const CaseDiff&, const Both<std::string>& sides);

}  // namespace parallax::report
