// Two kernel sources next to each other as data: which words differ, and which rows made them.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/from_cuda/to_opencl.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax {

/// A part of a line on both sides.
struct LinePart {
    std::string left, right;
    /// The applied rules, as indices into `SideBySide::reasons`. With none the part is the same on
    /// both sides, or both sources were written by hand.
    std::vector<std::size_t> reasons = {};
    bool differs() const { return left != right; }
    bool operator==(const LinePart&) const = default;
};

/// A pair of corresponding lines.
struct LinePair {
    unsigned left = 0, right = 0;      ///< their numbers, from 1; 0: that side has no such line
    std::vector<LinePart> parts = {};  ///< concatenated, they give both lines
    std::string left_text() const;
    std::string right_text() const;
    /// Whether the two lines differ in more than blanks.
    bool differs() const;
};

/// A mapping rule that was applied, and where.
struct Reason {
    const MappingRule* row = nullptr;
    Spelling spelling = {};            ///< the rule's, for the word in the source
    std::vector<unsigned> lines = {};  ///< of the left source, each once
    bool changes = false;              ///< whether it changed a word in one of them
    LinePart first = {};               ///< the first part that it changed
    bool is_from_cuda = false;         ///< the CUDA source is on the left
};

/// The words that a reason replaced: the rule's words, or, where these are spelt alike on both
/// sides and something else was written (`T`), the first such part.
LinePart words_of(const Reason&);

/// Two sources, line by line.
struct SideBySide {
    std::string left_title, right_title;
    std::vector<LinePair> lines;
    std::vector<Reason> reasons;  ///< those that change something first, then by line
};

constexpr unsigned last_of_all = std::numeric_limits<unsigned>::max();

/// An OpenCL source next to its translation: line n next to line n, from `first_line` to
/// `last_line`. Every part that differs has a reason.
/// @param translation  made of `opencl`
SideBySide side_by_side(std::string_view opencl, const Translation& translation,
                        unsigned first_line = 1, unsigned last_line = last_of_all);

/// The same with the CUDA source on the left.
SideBySide with_cuda_first(SideBySide view);

/// The device code of a CUDA source next to its translation, with the mapping rules of its lines.
SideBySide side_by_side(std::string_view file, std::string_view cuda,
                        const OpenClTranslation& made);

/// Two sources that were written by hand, of one language or of two. Lines that differ only in
/// blanks are paired; lines between them are paired in order. Nothing has a reason.
SideBySide side_by_side(std::string_view left_title, std::string_view left,
                        std::string_view right_title, std::string_view right);

/// `line 4`, `lines 4, 7 to 9`.
std::string lines_in_words(const std::vector<unsigned>& lines);

}  // namespace parallax
