// Mutants that are argued to be no errors, and what an argument is worth today.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/mutation/ends.hpp"

namespace parallax {

/// An entry: a line with the mutant's name, and below it, indented, why it computes the same for
/// every input that the kernel takes, or why no answer can tell.
struct Equivalent {
    std::string mutant;  ///< Mutant::name
    std::string because;
};

/// The entries of a file; empty lines and those that begin with `#` are between them.
/// @throws UsageError naming the line of an entry without an argument, of an argument without an
/// entry, and of a mutant that was argued for before
std::vector<Equivalent> read_equivalents(std::string_view text);

/// Those that the program was built with: equivalent.txt.
std::vector<Equivalent> own_equivalents();

/// Marks those that lived as argued, and says what is wrong with the arguments, a sentence each:
/// that an entry names none of `all` (its text has changed: the argument is to be looked at again),
/// that its mutant was noticed, or is refused by the compiler.
/// @param all  every mutant that there is, whether it was tried or not
std::vector<std::string> hold_against(std::span<const Equivalent>, std::vector<Tried>& all);

}  // namespace parallax
