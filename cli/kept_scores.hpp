// What `parallax selftest mine.json` found, for later runs.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "common/suite/suite.hpp"

namespace parallax::cli {

/// The user's file of scores. Empty: there is no place for it
std::filesystem::path scores_file_beside(const std::filesystem::path& ceilings_file);

/// RunConfig::score_of_checks, from the scores in that file; empty: there is none.
std::function<std::string(const Case&)> kept_scores(const std::filesystem::path& ceilings_file);

}  // namespace parallax::cli
