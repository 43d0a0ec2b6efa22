// A kernel source after the preprocessor: macros expanded, conditions decided, files put in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/device/program.hpp"
#include "common/text/path_sandbox.hpp"

namespace parallax {

/// Whether this program was built with a preprocessor.
bool can_expand();

/// The text as a preprocessor of C99 with variadic macros makes it, with OpenCL C 1.2's own macros.
/// What compilers read otherwise than it is refused. Comments, blanks and `#pragma`s stay. A line
/// stays where it was in its file: where line ends do not do it, `#line N "NAME"` on a line of its
/// own says so; the first line is line 1 of `file`.
/// @param file     its path, for messages and as the place of what it includes; need not exist
/// @param defines  as `-D` gives them
/// @param without  macros of OpenCL C that are not there, as `-U` takes them away
/// @param folders  to search, as `-I` names them
/// @param reach    what may be put in
/// @throws Refused, `file:line: message`, for what cannot be preprocessed, what grows beyond 16
/// MiB, or expands more than 2^18 macros or macros of more than 2^20 tokens; Unsupported, saying
/// how to get it, when `can_expand()` is false.
std::string expanded(std::string_view file, std::string_view source,
                     const std::vector<Define>& defines, const std::vector<std::string>& folders,
                     const PathSandbox& reach, const std::vector<std::string>& without = {});

}  // namespace parallax
