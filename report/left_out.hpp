// What a budget was too short for.
#pragma once

#include <string>
#include <vector>

#include "records/record.hpp"

namespace parallax {

/// How many cases were left out because the budget had ended, and the command that does the rest:
/// a sentence or two; empty: none was left out.
/// @param left_out  without those that are in it twice; in any order
/// @param total     cases, those among them
/// @param command   the words of the command line that left them out
std::string left_out_text(std::vector<CaseKey> left_out, std::size_t total,
                          const std::vector<std::string>& command);

}  // namespace parallax
