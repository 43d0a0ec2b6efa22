// Kernel sources with one change each, with stable names.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/analyze/token_edits.hpp"

namespace parallax {

using Tokens = std::vector<Token>;

/// A kernel source with one change.
struct Mutant {
    std::string file, function;     ///< that contains it
    bool in_kernel = false;         ///< the function is a kernel
    std::string change;             ///< the kind of change, `edge of a comparison`
    unsigned line = 0, column = 0;  ///< in the source, from 1
    std::string was, is;            ///< the tokens before and after the change
    std::string text;               ///< the whole source
    /// Its name in one line: file, function, change, both tokens, the source line, the index among
    /// equal ones, and a hash of everything that affects the function: the file's tokens except for
    /// other kernels' bodies. So it is independent of comments, layout and other kernels.
    std::string name;
};

/// All changes in the bodies of the functions of `source`, in order of position. No two make the
/// same source. Some do not compile; some have no effect.
/// @throws Refused as lex() does
std::vector<Mutant> mutants_of(std::string_view file, std::string_view source);

/// A kind of change. `at` gives the edit of one range, whose first token has the new text. It
/// begins with that token, or behind it within its brackets; nothing: it has no place there.
struct KindOfChange {
    std::string name;  ///< `edge of a comparison`
    std::function<std::optional<TokenEdits>(const Tokens&, std::size_t)> at;
};

/// All kinds. They use one token before and four after.
const std::vector<KindOfChange>& kinds_of_changes();

}  // namespace parallax
