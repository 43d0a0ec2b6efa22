// The results of mutants, and what of them is open.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "studies/mutation/mutant_judge.hpp"

namespace parallax {

/// A mutant of a suite, and its result.
struct Tried {
    std::string suite;
    Mutant mutant;
    End end = End::not_tried;
    std::string device = {};  ///< that reports it
    bool is_argued = false;
};

/// The names of the mutants that equivalent.txt argues to be no errors.
std::set<std::string_view> argued_mutants();

/// Marks surviving mutants as argued, and returns a sentence for each argument whose mutant was
/// detected, or is rejected by the compiler.
std::vector<std::string> hold_against(const std::set<std::string_view>& argued,
                                      std::vector<Tried>&);

/// Whether it was neither detected nor argued to be equivalent.
bool is_open(const Tried&);

/// A row per suite, a row for all, and the number of detected ones among those with different code
/// that are not argued to be equivalent.
std::string table_of(std::span<const Tried>);

}  // namespace parallax
