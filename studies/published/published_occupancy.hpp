// The documents' examples of occupancy, worked out again.
#pragma once

#include <string>
#include <vector>

namespace parallax::cli {

/// An example a sentence, without its full stop: what was published, what the calculator makes of
/// it, and whether that is the same.
std::vector<std::string> occupancy_examples_today();

}  // namespace parallax::cli
