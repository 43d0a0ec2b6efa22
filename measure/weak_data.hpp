// Says where the data of a user's kernel let errors pass.
#pragma once

#include <string>
#include <vector>

#include "measure/outcome.hpp"

namespace parallax {

/// A sentence, with its remedy, for each property of the inputs, sizes and right answers of a
/// manifest or a captured launch that hides errors: a buffer that is all zero or one number, an
/// answer that is, one size only, a tolerance that lets whole numbers be off. None for built-in
/// suites.
std::vector<std::string> weak_data_of(const Outcome&);

}  // namespace parallax
