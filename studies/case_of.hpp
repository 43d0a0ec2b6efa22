// From what records say back to the case that this program would run.
#pragma once

#include "common/suite.hpp"
#include "records/record.hpp"

namespace parallax {

/// The case of a key, of a suite of this program or of a manifest that was read.
/// @throws UsageError when there is no such suite, variant, type or constant
Case case_of(const CaseKey&);

}  // namespace parallax
