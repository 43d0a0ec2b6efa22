// Prints the results of mutants.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "studies/mutation/mutant_results.hpp"

namespace parallax {

/// A row per suite, a row for all, and the number of detected ones among those with different code
/// that are not argued to be equivalent.
/// @param gate_alone  as for is_noticed()
std::string table_of(std::span<const Tried>, bool gate_alone);

/// The number of mutants that were neither detected nor argued to be equivalent.
std::size_t open_in(std::span<const Tried>, bool gate_alone);

/// A line per tried mutant: its result, the reporting device, and its name, separated by tabs;
/// `argued` instead of `lived` where it is.
std::string list_of(std::span<const Tried>);

/// The names in such lines, or in lines with only names.
std::vector<std::string> names_in(std::string_view list);

}  // namespace parallax
