// Which records are figures of a suite as it is.
#pragma once

#include "records/line.hpp"

namespace parallax::cli {

/// Whether a record is of the suite's own kernel, under the float rules that it has unless told.
/// @param record  a valid one
bool is_of_the_suite(const Json& record);

}  // namespace parallax::cli
