// Kernel sources with one change each, and names of them that last as long as what they are about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parallax {

/// A kernel source with one change.
struct Mutant {
    std::string file, function;  ///< that it is in
    std::string change;          ///< what kind of change, `edge of a comparison`
    unsigned line = 0;           ///< of the text, from 1
    std::string was, is;         ///< the tokens there, before and after
    std::string text;            ///< the whole one
    /// What names it, in one line: file, function, change, both tokens, the line's text, its place
    /// among equal ones, and a hash of all that the function can be made of: the file's tokens but
    /// for other kernels' bodies. So it outlives comments and layout, and no other change of the
    /// function.
    std::string name;
};

/// Every change of every kind that the bodies of the functions of `source` have a place for, in the
/// order of the places. Some do not compile; some change nothing.
/// @throws Refused as lex() does
std::vector<Mutant> mutants_of(std::string_view file, std::string_view source);

}  // namespace parallax
