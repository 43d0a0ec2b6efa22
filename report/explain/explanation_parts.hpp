// What the reports of an explanation show, as tables without layout: all of them say the same.
#pragma once

#include <string>
#include <vector>

#include "records/explanation.hpp"

namespace parallax::report {

/// A table whose rows may have a longer remark. All texts are printable.
struct Grid {
    struct Row {
        std::vector<std::string> cells;
        std::string note = {};
    };
    std::string title;
    std::vector<std::string> head;
    std::vector<Row> rows = {};  ///< none: the table is left out
    std::string below = {};      ///< a sentence under it; may stand alone
};

/// Each change with what it closes, what closes most first; those that were not measured last.
Grid trials_grid(const Explanation&);
/// The way from one side to the other.
Grid origin_grid(const Explanation&);
/// Where the time goes: both sides, the difference, and its share of that of the whole.
Grid stages_grid(const Explanation&);
/// Registers and the like of each kernel, and how much of a compute unit it keeps busy.
Grid resources_grid(const Explanation&);
/// Instructions of each kernel, those classes that either side has.
Grid ptx_mix_grid(const Explanation&);
Grid machine_mix_grid(const Explanation&);
/// All tables in the order of a report.
std::vector<Grid> grids_of(const Explanation&);

/// Where the texts of a kernel differ.
struct TextChanges {
    std::string title;               ///< `PTX of tiled: 2 lines on A, 1 on B differ`
    std::vector<std::string> lines;  ///< `- ` of A, `+ ` of B, `  ` of both
};
/// Of the PTX and of the machine code of each kernel that both sides have; texts that are equal
/// have no lines.
std::vector<TextChanges> text_changes(const Explanation&, std::size_t most_lines);

/// `1.64x slower`, `SAME`: of the side that is slower.
std::string heading_of(const Explanation&);
/// How many of them are explained, in one sentence.
std::string tally_of(const std::vector<Explanation>&);
/// Whether some changes close a part of the gap, and none explains it.
bool in_part(const Explanation&);

}  // namespace parallax::report
