// What differs between two texts, line by line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace parallax {

struct LineChange {
    enum Kind { same, only_a, only_b, changed };
    Kind kind = same;
    std::string a, b;  ///< without line feeds; empty on the side that has no such line
    bool operator==(const LineChange&) const = default;
};

/// The lines of both texts in order. Where lines of A stand in the place of lines of B, they are
/// `changed` in pairs, first with first, and the rest is of one side only. The fewest changes are
/// found for texts that have much in common; the work and the memory are bounded for those that
/// have not.
std::vector<LineChange> line_difference(std::string_view a, std::string_view b);

/// The changes as lines that begin with `- ` (A) and `+ ` (B), with at most `context` lines that
/// are the same before and after, which begin with two spaces; `...` stands for others. At most
/// `most_lines` lines, then one that says how many more differ. Empty where nothing differs.
std::string differing_lines(const std::vector<LineChange>&, std::size_t context,
                            std::size_t most_lines);

}  // namespace parallax
