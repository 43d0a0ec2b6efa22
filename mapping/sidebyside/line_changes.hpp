// The changes between two kernel sources, as hunks of lines with context.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace parallax {

/// A line of a hunk.
struct ChangedLine {
    enum class Kind { both, removed, added } kind = Kind::both;
    std::string text;                     ///< without its end
    unsigned old_line = 0, new_line = 0;  ///< its numbers, from 1; 0: not of that text
    bool operator==(const ChangedLine&) const = default;
};

/// Changes that are close to each other. Where a count is 0, `first` is the line before.
struct Hunk {
    unsigned old_first = 0, old_count = 0, new_first = 0, new_count = 0;
    std::vector<ChangedLine> lines;
    bool operator==(const Hunk&) const = default;
};

/// All of them, in order; none: the sources are the same.
struct Changes {
    std::vector<Hunk> hunks;
    std::size_t added() const;
    std::size_t removed() const;
};

/// The fewest lines to take out of `old_text` and to put in so that it becomes `new_text`, with at
/// most `context` lines that both have before and after. Line ends (LF, CR LF) are not compared.
Changes changes(std::string_view old_text, std::string_view new_text, std::size_t context = 3);

}  // namespace parallax
