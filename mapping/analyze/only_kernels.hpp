// Removes from a kernel file what the launched kernels do not need.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/program.hpp"
#include "common/suite/suite.hpp"

namespace parallax {

/// The source without its other kernels, and without functions that are unused then. Lines and
/// directives stay where they are. Nothing where every kernel stays.
/// @throws Refused for a source that does not lex or whose brackets do not match
std::optional<std::string> only_kernels(std::string_view source,
                                        const std::vector<std::string>& kernels);

/// The program with its edits applied, and with only the kernels that the plan launches, which
/// builds faster. Sources that are not portable stay as they are.
/// @throws Refused as above
Program only_launched(Program, const Plan&);

}  // namespace parallax
