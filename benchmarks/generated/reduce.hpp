// Makes a kernel that shows something as small as it can be and still show it.
#pragma once

#include <functional>

#include "benchmarks/generated/tree.hpp"

namespace parallax::generated {

/// Leaves out statements, and puts a part of an expression or a number in its place, as long as the
/// kernel still shows it: values stay in the ranges that they had, so nothing undefined comes in.
/// @param file  of one kernel  @param tries  files that are asked for at most
File reduced(File file, const std::function<bool(const File&)>& shows, unsigned tries);

}  // namespace parallax::generated
