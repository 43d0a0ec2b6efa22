// The sources of library calls, which are compiled into the program.
#pragma once

#include "common/device/program.hpp"

namespace parallax {

/// A library call runs code that is compiled into the program, so its source cannot be replaced.
/// @throws UsageError unless the program's source is the embedded one of its name
void check_library_text(const Program&);

}  // namespace parallax
