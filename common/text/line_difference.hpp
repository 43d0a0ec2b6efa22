// Line-by-line differences of two strings.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace parallax {

struct LineChange {
    enum Kind { same, only_a, only_b, changed };
    Kind kind = same;
    std::string a, b;  ///< without line feeds; empty on the side without such a line
    bool operator==(const LineChange&) const = default;
};

/// The lines of both inputs in order. Lines of A that lines of B replace are `changed` in pairs, in
/// order; the rest is on one side only. The smallest number of changes is found for similar inputs;
/// work and memory are bounded for others.
std::vector<LineChange> line_difference(std::string_view a, std::string_view b);

/// The changes as lines that begin with `- ` (A) and `+ ` (B), with at most `context` equal lines
/// before and after, which begin with two spaces; `...` replaces others. At most `most_lines`
/// lines, then the number of further ones. Empty where nothing differs.
std::string differing_lines(const std::vector<LineChange>&, std::size_t context,
                            std::size_t most_lines);

}  // namespace parallax
