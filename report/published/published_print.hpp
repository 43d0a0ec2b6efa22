// Rows of what was published, for a terminal and as Markdown.
#pragma once

#include <iosfwd>
#include <vector>

#include "studies/published/published_view.hpp"

namespace parallax::cli {

void print_text(const RowView&, std::ostream&);
void print_markdown(const RowView&, std::ostream&);

/// The rows by name, with their titles; as Markdown with the names of their claims as well.
void print_rows_text(const std::vector<RowView>&, std::ostream&);
void print_rows_markdown(const std::vector<RowView>&, std::ostream&);

/// A line for every claim: what became of it on each device and backend; as text with the row that
/// it belongs to. Nothing where no claim was measured.
void print_outcomes_text(const std::vector<RowView>&, std::ostream&);
void print_outcomes_markdown(const std::vector<RowView>&, std::ostream&);

}  // namespace parallax::cli
