// Differences between the PTX of two sides, in sentences.
#pragma once

#include <string>
#include <string_view>

#include "records/explanation.hpp"

namespace parallax {

/// The instruction counts of the class that differs most. Empty: one side has no PTX, or they do
/// not differ.
std::string counts_in_ptx(const Explanation&);

/// The same, followed by the first place where the PTX of the two sides differs.
/// @param is_b     whose PTX of the kernel `lines_of` is: the same code, with the source's lines
/// @param lines_of  PTX with `.loc`; empty: the source's line is not known
/// @param file     the source's name
std::string difference_in_ptx(const Explanation&, bool is_b, std::string_view lines_of,
                              std::string_view file);

}  // namespace parallax
