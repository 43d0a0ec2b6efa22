// Small changes of kernel texts, one at a time, as errors of a programmer's would be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parallax {

/// A kernel text with one change.
struct Mutant {
    std::string function;  ///< that it is in
    std::string change;    ///< what kind of change, `edge of a comparison`
    unsigned line = 0;     ///< of the text, from 1
    std::string was, is;   ///< the tokens there, before and after
    std::string text;      ///< the whole one
};

/// The kinds of changes, each once.
const std::vector<std::string>& kinds_of_changes();

/// Every change of every kind that the bodies of the functions of `source` have a place for, in the
/// order of the places. Some do not compile; some change nothing.
/// @throws Refused as lex() does
std::vector<Mutant> mutants_of(std::string_view file, std::string_view source);

}  // namespace parallax
