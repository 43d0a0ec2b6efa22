// The output of `parallax show`, independent of the format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mapping/sidebyside/line_changes.hpp"
#include "mapping/sidebyside/sidebyside.hpp"
#include "mapping/table/table.hpp"

namespace parallax::cli {

/// The parts of a page, independent of the format.
struct ShownPage {
    std::string title;
    std::vector<std::string> paragraphs = {};
    std::string prelude = {};             ///< of the CUDA source
    std::optional<SideBySide> view = {};  ///< both sources
    std::optional<Changes> changed = {};  ///< or what changed
    std::string only = {};                ///< or the one text that there is
    std::vector<const MappingRule*> rows =
        {};                 ///< of the map: the counterparts of the sources' words
    std::string rest = {};  ///< the parts that are not shown, and how to see them
};

/// For a terminal. @param why  with the rows that were applied
std::string text_of(const ShownPage&, bool why, unsigned width, bool colour);
std::string markdown_of(const ShownPage&);
std::string html_of(const ShownPage&);

/// One whole program for the host through each API, and the rows of the map for its calls, in the
/// order in which the programs come to them.
ShownPage host_page();

/// One of the two, as it is.
/// @param backend  `opencl` or `cuda`
std::string host_text(const std::string& backend);

}  // namespace parallax::cli
