// The summary of a capture, as text.
#pragma once

#include <string>

#include "records/capture.hpp"

namespace parallax {

/// Lines that say how many cases there are, where the program's time went, and what was left out,
/// and what a port can gain at most.
/// @param folder  as it was named
std::string capture_text(const Capture&, const std::string& folder);

}  // namespace parallax
