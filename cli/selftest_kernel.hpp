// `parallax selftest mine.json`: the score of the checks of a user's kernel.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "cli/command.hpp"
#include "common/suite/suite.hpp"

namespace parallax::cli {

/// Plants errors in the kernels that the word `manifest` names, and counts what its checks notice.
/// @throws UsageError
int score_own_checks(const Values&, CommandContext&);

/// RunConfig::score_of_checks, from the scores in that file; empty: there is none.
std::function<std::string(const Case&)> kept_scores(const fs::path& ceilings_file);

}  // namespace parallax::cli
