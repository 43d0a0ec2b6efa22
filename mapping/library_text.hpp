// The sources of library calls, which are compiled into the program.
#pragma once

#include "common/device/program.hpp"

namespace parallax {

/// What runs is what the program was compiled with, so no other text may stand for it.
/// @throws UsageError unless the program's text is the embedded one of its name
void check_library_text(const Program&);

}  // namespace parallax
