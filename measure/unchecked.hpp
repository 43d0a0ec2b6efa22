// The limits of the checks of a right answer.
#pragma once

#include <string>
#include <vector>

#include "measure/outcome.hpp"

namespace parallax {

/// For Check::unchecked: a sentence each, `What: why, and what to do`. Nothing of a built-in suite,
/// whose checks are tested with planted errors, and of a wrong answer.
std::vector<std::string> unchecked_of(const Outcome&, const DeviceInfo&, const RunInfo&);

}  // namespace parallax
