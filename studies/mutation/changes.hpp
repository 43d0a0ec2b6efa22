// The kinds of changes to kernel sources, and where each applies.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mapping/analyze/token_edits.hpp"

namespace parallax {

using Tokens = std::vector<Token>;

/// A kind of change. `at` gives the edit of one range, whose first token has the new text. It
/// begins with that token, or behind it within its brackets; nothing: it has no place there.
struct KindOfChange {
    std::string name;  ///< `edge of a comparison`
    std::function<std::optional<TokenEdits>(const Tokens&, std::size_t)> at;
};

/// All kinds. They use one token before and four after.
const std::vector<KindOfChange>& kinds_of_changes();

/// The position after the bracket that matches the one at `open`; the end, if there is none.
std::size_t behind(const Tokens&, std::size_t open);

}  // namespace parallax
