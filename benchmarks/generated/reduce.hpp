// Reduces a kernel to a minimal one with the same fault.
#pragma once

#include <functional>

#include "benchmarks/generated/tree.hpp"

namespace parallax::generated {

/// Removes statements, and replaces expressions by a part or a number, while the kernel still shows
/// the fault: values stay in their ranges, so nothing becomes undefined.
/// @param file  of one kernel  @param tries  maximum number of tested files
File reduced(File file, const std::function<bool(const File&)>& shows, unsigned tries);

}  // namespace parallax::generated
