// Options of a translation: types, constants, macros, the OpenCL version.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/program.hpp"
#include "common/device/types.hpp"

namespace parallax {

/// Options of a translation.
struct TranslateOptions {
    /// Type of `T`, `T2`, `T4`; nothing: they are ordinary names.
    std::optional<ElementType> type = {};
    /// Names that come from `-DNAME=value`, an integer, for both compilers; they stay as they are.
    std::vector<std::string> constants = {};
    /// `-DNAME=VALUE` of OpenCL C text; each becomes a `#define` of the prelude, translated.
    std::vector<Define> defines = {};
    /// OpenCL's `-cl-std=`: `CL3.0`; empty: CL1.2
    std::string standard = {};
};

/// The options that match those of the program's compiler.
TranslateOptions translate_options(const Program& program);

/// The source with the macros as lines before it, and a `#line` that numbers it from 1; the source
/// itself when there are no macros.
/// @throws Refused for a macro that is no single line.
std::string with_defines(std::string_view file, std::string_view source,
                         const std::vector<Define>& defines);

}  // namespace parallax
