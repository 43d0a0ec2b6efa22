// The two host programs, side by side.
#pragma once

#include <string>

#include "report/texts/show_page.hpp"

namespace parallax::cli {

/// One whole program for the host through each API, and the rows of the map for its calls, in the
/// order in which the programs come to them.
ShownPage host_page();

/// One of the two, as it is.
/// @param backend  `opencl` or `cuda`
std::string host_text(const std::string& backend);

}  // namespace parallax::cli
