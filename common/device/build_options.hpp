// Parses the build options that a host program passes to OpenCL's compiler.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/device/program.hpp"

namespace parallax {

/// Parsed options of `clBuildProgram`.
struct BuildOptions {
    std::vector<Define> defines;         ///< `-D`; a name may have parameters, as `F(x)`
    std::vector<std::string> undefined;  ///< `-U`: macros to undefine
    std::vector<std::string> folders;    ///< `-I`, in order
    std::string standard;                ///< `-cl-std=`: `CL2.0`; empty: not said
    /// OpenCL contracts unless told otherwise, and divides to within 2.5 units in the last place.
    FloatRules floats{.contract = true, .exact_division = false};
    /// Options that change results and have no equivalent in the other API, in order.
    std::vector<std::string> without_counterpart;
    /// All words except `-I`, with `-D NAME` as `-DNAME`.
    std::vector<std::string> words;
};

/// Words are separated by blanks; quotation marks and a backslash keep one together.
BuildOptions parse_build_options(std::string_view);

}  // namespace parallax
