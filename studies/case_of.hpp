// Converts the key of a record back to a case of this program.
#pragma once

#include <string>

#include "common/suite/suite.hpp"
#include "records/record.hpp"

namespace parallax {

/// The case of a key, of a suite of this program or of a manifest that was read.
/// @throws UsageError when there is no such suite, variant, type or constant
Case case_of(const CaseKey&);

/// A case's title with the constants that it lacks and that are not the variant's own, as
/// ` ALIGN=4`. Unchanged if this program does not have the suite.
std::string with_changed_constants(std::string title, const CaseKey&);

/// Before or behind another in a table: in the order of the suites and of their variants; what is
/// of no suite of this program comes last.
bool is_listed_before(const CaseKey&, const CaseKey&);

}  // namespace parallax
