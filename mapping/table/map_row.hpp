// The whole map between OpenCL and CUDA: what each word of one API is in the other, and the trap.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/table/table.hpp"

namespace parallax {

/// Where this program does what a row speaks of.
struct Place {
    std::string_view file;  ///< `backends/opencl/run.cpp`
    std::string_view text;  ///< a part of one line, which it names
    bool first_of_many =
        false;  ///< the text stands in the file more than once, and the first is meant
};

/// One row.
///
/// Words with `cl`, `cuda`, `__` and the like in the two spellings lead to the row by themselves.
struct MapRow {
    std::string_view topic;  ///< `memory model`; of the kernel language the translator's own topics
    std::string_view opencl;  ///< empty: OpenCL has no word for it
    std::string_view cuda;    ///< empty: CUDA has none, or in the kernel language it vanishes
    Equivalence equivalence = Equivalence::same;
    std::string_view trap;  ///< one sentence: where they part, or what is mistaken for what
    /// Further words that lead to the row, with a comma between; a `*` stands for any letters.
    std::string_view words = {};
    std::vector<Place> places = {};
    bool kernel_language = false;  ///< a row of the translator's table
};

/// All rows, by topic, in the order in which they are taught; those of the kernel language, which
/// are the translator's own, come last.
std::span<const MapRow> whole_map();

/// Whether a row is about names that the translator makes or avoids, and about no word of either
/// language: who looks for a word wants others first.
bool is_about_translator(const MapRow&);

/// The heading that a row stands under: `memory model`, `kernel language: memory`.
std::string topic_of(const MapRow&);

}  // namespace parallax
