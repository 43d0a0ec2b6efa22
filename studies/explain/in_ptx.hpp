// What the PTX of two sides differs in, in sentences.
#pragma once

#include <string>
#include <string_view>

#include "records/explanation.hpp"

namespace parallax {

/// How many instructions both have of what they differ most in. Empty: there is no PTX of one of
/// them, or they do not differ.
std::string counts_in_ptx(const Explanation&);

/// The same, followed by the first place where the PTX of the two sides differs.
/// @param is_b     whose PTX of the kernel `lines_of` is: the same code, with the source's lines
/// @param lines_of  PTX with `.loc`; empty: the source's line is not known
/// @param file     the source's name
std::string difference_in_ptx(const Explanation&, bool is_b, std::string_view lines_of,
                              std::string_view file);

}  // namespace parallax
