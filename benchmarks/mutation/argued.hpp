// Mutants that are argued to be equivalent, and validation of the arguments.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "studies/mutation/mutant_results.hpp"

namespace parallax {

/// An entry: a line with the mutant's name, and below it, indented, why it computes the same for
/// every valid input, or why no result can show the difference.
struct Equivalent {
    std::string mutant;  ///< Mutant::name
    std::string because;
};

/// The entries of a file; empty lines and those that begin with `#` are ignored.
/// @throws UsageError with the line of an entry without an argument, an argument without an entry,
/// or a duplicate
std::vector<Equivalent> read_equivalents(std::string_view text);

/// The built-in entries: equivalent.txt.
std::vector<Equivalent> own_equivalents();

/// Marks surviving mutants as argued, and returns a sentence for each invalid argument: its mutant
/// is not in `all` (the source has changed: review the argument), was detected, or is rejected by
/// the compiler.
/// @param all  every mutant, tried or not
std::vector<std::string> hold_against(std::span<const Equivalent>, std::vector<Tried>& all);

}  // namespace parallax
