// `parallax selftest mine.json`: what the checks of a user's own kernel are worth.
#pragma once

#include "cli/command.hpp"

namespace parallax::cli {

/// Plants errors in the kernels that the word `manifest` names, and counts what its checks notice.
/// @throws UsageError
int score_own_checks(const Values&, CommandContext&);

}  // namespace parallax::cli
