// Compares the kernels with the vendors' libraries, in sentences.
#pragma once

#include <string>
#include <vector>

#include "records/record.hpp"

namespace parallax {

/// A sentence for each case that a library did: how fast it was, and for each device the variant
/// that came nearest to it, or went beyond, as a part of its speed.
/// @param records  of one suite
std::vector<std::string> library_sentences(const std::vector<Record>& records);

}  // namespace parallax
