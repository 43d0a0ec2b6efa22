// Makes a kernel that shows something as small as it can be and still show it.
#pragma once

#include <functional>
#include <vector>

#include "benchmarks/generated/tree.hpp"

namespace parallax::generated {

/// Of each kernel of a file: whether it still shows it.
using Shows = std::function<std::vector<bool>(const File&)>;

/// Leaves out statements, and puts a part of an expression or a number in its place, as long as the
/// kernel still shows it: values stay in the ranges that they had, so nothing undefined comes in.
/// Many tries are kernels of one file: one build serves them.
/// @param file  of one kernel
/// @param most  files that are tried
File reduced(File file, const Shows& shows, unsigned most);

}  // namespace parallax::generated
