// What is printed of the mutants that were tried.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "benchmarks/mutation/ends.hpp"

namespace parallax {

/// A row a suite, a row for all, and how many of those that compile to other code, and are not
/// argued for, were noticed.
/// @param gate_alone  as is_noticed() has it
std::string table_of(std::span<const Tried>, bool gate_alone);

/// How many were neither noticed nor argued for.
std::size_t open_in(std::span<const Tried>, bool gate_alone);

/// A line a mutant that was tried: how it ended, the device that says so, and its name, with tabs
/// between; `argued` in place of `lived` where it is.
std::string list_of(std::span<const Tried>);

/// The names in such lines, or in lines of names alone.
std::vector<std::string> names_in(std::string_view list);

}  // namespace parallax
